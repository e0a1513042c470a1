/** Paths of the pages before the login, as `web/src/auth/pages.ts` has them. */
export const authPages: readonly string[] = [
  'login',
  'login/mfa',
  'register',
  'reset-password',
  'invitation',
  'bind',
  'consent',
  'error',
];
