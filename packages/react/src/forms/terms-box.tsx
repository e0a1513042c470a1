import { useId, type ReactNode } from 'react';
import { type Terms } from '../index';
import type { Texts } from './texts';

interface TermsBoxProps {
  readonly terms: Terms;
  readonly t: Texts;
  readonly error: string | undefined;
}

function agreeText({ terms, privacy }: Terms, t: Texts): string {
  if (terms !== undefined && privacy !== undefined) return t('agree_both');
  return t(privacy === undefined ? 'agree_terms' : 'agree_privacy');
}

/** The box of a registration, with links to what it is about. Its value is the version. */
export function TermsBox({ terms, t, error }: TermsBoxProps): ReactNode {
  const id = useId();
  const hasError = error !== undefined;
  const links = [
    { href: terms.terms, text: t('read_terms') },
    { href: terms.privacy, text: t('read_privacy') },
  ].filter(({ href }) => href !== undefined);
  return (
    <div>
      <label>
        <input
          type="checkbox"
          name="terms_accepted"
          value={terms.version}
          required
          aria-invalid={hasError}
          aria-describedby={hasError ? id : undefined}
        />{' '}
        {agreeText(terms, t)}
      </label>
      {links.map(({ href, text }) => (
        <p key={href}>
          <a href={href} target="_blank" rel="noopener noreferrer">
            {text}
          </a>
        </p>
      ))}
      {hasError && <p id={id}>{error}</p>}
    </div>
  );
}
