import { useEffect, useLayoutEffect, useState, type ComponentType, type ReactNode } from 'react';
import type { Info } from '../shared/info';
import { PREVIEW_READY, type PreviewedPage, type SignInDraft } from '../shared/sign-in-draft';
import { applyBranding } from '../ui-basic/branding';
import { LoginPage } from './pages/login-page';
import { RegisterPage } from './pages/register-page';
import { ResetPage } from './pages/reset-page';

const pages: Readonly<Record<PreviewedPage, ComponentType<{ readonly info: Info }>>> = {
  login: LoginPage,
  register: RegisterPage,
  reset: ResetPage,
};

function isDraft(data: unknown): data is SignInDraft {
  return typeof data === 'object' && data !== null && 'branding' in data;
}

/** Shows a login page in the look that the console sends. It cannot be used, and its policy lets it send nothing. */
export function Preview({ info }: { readonly info: Info }): ReactNode {
  const [draft, setDraft] = useState<SignInDraft>();
  useEffect(() => {
    const receive = ({ origin, source, data }: MessageEvent<unknown>): void => {
      if (origin === location.origin && source === parent && isDraft(data)) setDraft(data);
    };
    addEventListener('message', receive);
    // The saved CSS, which the server links to. The draft has its own.
    document.getElementById('brand')?.remove();
    parent.postMessage(PREVIEW_READY, location.origin);
    return () => {
      removeEventListener('message', receive);
    };
  }, []);
  useLayoutEffect(() => {
    if (!draft) return undefined;
    applyBranding(draft.branding);
    // No other page needs it, so it is loaded here. A later draft supersedes one that waits.
    let isCurrent = true;
    void import('./preview-look').then(({ dress }) => {
      if (isCurrent) dress(draft);
    });
    return () => {
      isCurrent = false;
    };
  }, [draft]);
  if (!draft) return null;
  const { page, name, branding, registration } = draft;
  const Shown = pages[page];
  return (
    <div inert>
      <Shown key={page} info={{ ...info, name, branding, registration }} />
    </div>
  );
}
