import type { ComponentType } from 'react';
import type { Info } from '../shared/info';
import { BindPage } from './pages/bind-page';
import { ConsentPage } from './pages/consent-page';
import { ErrorPage } from './pages/error-page';
import { LoginPage } from './pages/login-page';
import { RegisterPage } from './pages/register-page';
import { ResetPage } from './pages/reset-page';

interface PageEntry {
  readonly Content: ComponentType<{ readonly info: Info }>;
  readonly title: string;
}

const fallback: PageEntry = { Content: ErrorPage, title: 'error.title' };

/** By path; each is a page of its own, so there is no router. */
export const pages: Readonly<Record<string, PageEntry>> & { readonly fallback: PageEntry } = {
  fallback,
  '/login': { Content: LoginPage, title: 'login.title' },
  '/login/mfa': { Content: LoginPage, title: 'login.title' },
  '/register': { Content: RegisterPage, title: 'register.title' },
  '/reset-password': { Content: ResetPage, title: 'reset.title' },
  '/bind': { Content: BindPage, title: 'bind.title' },
  '/consent': { Content: ConsentPage, title: 'consent.title' },
  '/error': fallback,
};
