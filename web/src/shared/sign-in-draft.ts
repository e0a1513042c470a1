import type { Info } from './info';

export const PREVIEW_PATH = '/sign-in-preview';

/** What the preview sends to the console when it can receive a draft. */
export const PREVIEW_READY = 'sign-in-preview-ready';

export type PreviewedPage = 'login' | 'register' | 'reset';
export type Scheme = 'light' | 'dark';

/** The look of the login pages with unsaved changes, which the console sends to the preview. */
export interface SignInDraft {
  readonly page: PreviewedPage;
  readonly scheme: Scheme;
  readonly name: string;
  readonly branding: Info['branding'];
  readonly registration: Info['registration'];
  readonly customCss: string;
}
