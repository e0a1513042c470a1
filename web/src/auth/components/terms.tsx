import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { Problem } from '../../api/problem';
import { focusFirstInvalid } from '../../shared/first-invalid';
import type { Info } from '../../shared/info';
import { useRefreshInfo } from '../current-info';
import { useSubmit, type Submission } from '../use-submit';
import { Check } from '../../ui-basic/fields';
import { Form } from './form';

const named = ['terms', 'privacy'] as const;

/** The pages that the user agrees to. They open in a new tab, so that nothing typed is lost. */
function TermsPages({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  return (
    <p className="hint terms">
      {named
        .filter((page) => info.branding[page] !== '')
        .map((page) => (
          <a key={page} className="link" href={info.branding[page]} target="_blank" rel="noopener noreferrer">
            {t(`terms.read_${page}`)}
          </a>
        ))}
    </p>
  );
}

/** Which of the pages exist, as a part of the key of a text. */
function agreedTo({ branding }: Info): 'both' | 'terms' | 'privacy' {
  if (branding.terms !== '' && branding.privacy !== '') return 'both';
  return branding.privacy === '' ? 'terms' : 'privacy';
}

interface TermsBoxProps {
  readonly info: Info;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly error: string | undefined;
}

/** The box of a registration. */
function TermsBox({ info, checked, onChange, error }: TermsBoxProps): ReactNode {
  const { t } = useTranslation();
  const field = useRef<HTMLDivElement>(null);
  // A box that appears after an error was not there when the form moved the focus.
  useEffect(() => {
    if (error !== undefined) focusFirstInvalid(field.current?.closest('form'));
  }, []);
  return (
    <div className="field" ref={field}>
      <Check label={t(`terms.agree_${agreedTo(info)}`)} checked={checked} onChange={onChange} error={error} />
      <TermsPages info={info} />
    </div>
  );
}

const isAboutTerms = ({ field }: { readonly field: string }): boolean => field === 'terms_accepted';

/** Whether the terms have changed since the page was loaded. */
const isOutdated = ({ errors = [] }: Problem): boolean =>
  errors.some((error) => isAboutTerms(error) && error.code === 'terms_version');

interface TermsOfRegistration {
  readonly box: ReactNode;
  /** The accepted version as the service wants it. Empty: not accepted. */
  readonly accepted: { readonly terms_accepted?: string };
  /** Shows the current terms if they are rejected because they changed while the page was open. Returns false. */
  readonly handle: (problem: Problem) => false;
}

/** The terms that a registration must accept, if the service requires it. */
export function useTermsBox(info: Info, submission: Submission): TermsOfRegistration {
  const refresh = useRefreshInfo();
  // The version, so that agreement to one is none to the next.
  const [agreed, setAgreed] = useState<string>();
  const { terms_version: version, terms_required: isRequired } = info.registration;
  const accepts = isRequired && agreed === version;
  const error = submission.fields['terms_accepted'];
  const reload = async ({ errors = [] }: Problem): Promise<void> => {
    // The next attempt reloads them, too, if this fails.
    const current = await refresh().catch(() => undefined);
    if (current?.registration.terms_required === false && errors.every(isAboutTerms)) submission.clear();
  };
  const choose = (checked: boolean): void => {
    setAgreed(checked ? version : undefined);
  };
  return {
    box: isRequired ? (
      <TermsBox info={info} checked={accepts} onChange={choose} error={error} />
    ) : (
      error !== undefined && <p className="error">{error}</p>
    ),
    accepted: accepts ? { terms_accepted: version } : {},
    handle: (problem) => {
      if (isOutdated(problem) || (!isRequired && problem.errors?.some(isAboutTerms))) void reload(problem);
      return false;
    },
  };
}

interface TermsFormProps {
  readonly info: Info;
  readonly onDone: () => void;
}

/** Asks a user who is logged in to accept the current terms. */
export function TermsForm({ info, onDone }: TermsFormProps): ReactNode {
  const { t } = useTranslation();
  const refresh = useRefreshInfo();
  const submission = useSubmit();
  const reload = async (): Promise<void> => {
    const current = await submission.find(refresh);
    if (!current) return;
    if (current.data.registration.terms_version === '') onDone();
    else submission.fail(t('terms.changed'));
  };
  const accept = async (): Promise<void> => {
    const body = { terms_accepted: info.registration.terms_version };
    const accepted = await submission.send(
      () => api.POST('/api/auth/me/terms', { body }),
      (problem) => {
        const outdated = isOutdated(problem);
        if (outdated) void reload();
        return outdated;
      },
    );
    if (accepted) onDone();
  };
  return (
    <Form submission={submission} action={t('terms.accept')} onSubmit={() => void accept()}>
      <p>{t(`terms.ask_${agreedTo(info)}`, { service: info.name })}</p>
      <TermsPages info={info} />
    </Form>
  );
}
