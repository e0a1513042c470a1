import type { ComponentType } from 'react';

type LoadPage = () => Promise<ComponentType>;

/** Pages by path. Each is a chunk, which is loaded when the user goes there. */
export const pages: Readonly<Record<string, LoadPage>> = {
  '/account': async () => (await import('./pages/profile-page')).ProfilePage,
  '/account/security': async () => (await import('./pages/security-page')).SecurityPage,
  '/account/mfa': async () => (await import('./pages/mfa-page')).MfaPage,
  '/account/identities': async () => (await import('./pages/identities-page')).IdentitiesPage,
  '/account/sessions': async () => (await import('./pages/sessions-page')).SessionsPage,
  '/account/applications': async () => (await import('./pages/applications-page')).ApplicationsPage,
};
