import type { ComponentType } from 'react';
import type { Info } from '../shared/info';
import { BindPage } from './pages/bind-page';
import { ConsentPage } from './pages/consent-page';
import { ErrorPage } from './pages/error-page';
import { InvitationPage } from './pages/invitation-page';
import { LoginPage } from './pages/login-page';
import { RegisterPage } from './pages/register-page';
import { ResetPage } from './pages/reset-page';
import { PREVIEW_PATH } from '../shared/sign-in-draft';
import { Preview } from './preview';

type Page = ComponentType<{ readonly info: Info }>;

/** Pages by path. The server serves each path as a full page load, so there is no router. */
export const pages: Readonly<Record<string, Page>> = {
  '/login': LoginPage,
  '/login/mfa': LoginPage,
  '/register': RegisterPage,
  '/reset-password': ResetPage,
  '/invitation': InvitationPage,
  '/bind': BindPage,
  '/consent': ConsentPage,
  '/error': ErrorPage,
  [PREVIEW_PATH]: Preview,
};
