import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { Problem } from '../../api/problem';
import type { Info } from '../../shared/info';
import { useSubmit, type Submission } from '../use-submit';
import { Check } from '../../light/fields';
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

/** The box of a registration, if the service requires it. */
function TermsBox({ info, checked, onChange, error }: TermsBoxProps): ReactNode {
  const { t } = useTranslation();
  if (!info.registration.terms_required) return null;
  return (
    <div className="field">
      <Check label={t(`terms.agree_${agreedTo(info)}`)} checked={checked} onChange={onChange} error={error} />
      <TermsPages info={info} />
    </div>
  );
}

const isAboutTerms = ({ field }: { readonly field: string }): boolean => field === 'terms_accepted';

interface TermsOfRegistration {
  readonly box: ReactNode;
  /** The accepted version as the service wants it. Empty: not accepted. */
  readonly accepted: { readonly terms_accepted?: string };
  /** Shows the current terms if they are rejected because they changed while the page was open. Returns false. */
  handle(problem: Problem): false;
}

/** The terms that a registration must accept. */
export function useTermsBox(loaded: Info, submission: Submission): TermsOfRegistration {
  const [info, setInfo] = useState(loaded);
  const [accepts, setAccepts] = useState(false);
  const { terms_version: version, terms_required: isRequired } = info.registration;
  const reload = async (isOnlyTerms: boolean): Promise<void> => {
    // The service's sentence says it, too, if this fails.
    const { data: current } = await api.GET('/api/info').catch(() => ({ data: undefined }));
    if (!current) return;
    const { terms_version: newVersion, terms_required: isStillRequired } = current.registration;
    if (newVersion === version && isStillRequired === isRequired) return;
    setInfo(current);
    setAccepts(false);
    if (!isStillRequired && isOnlyTerms) submission.clear();
  };
  const error = submission.fields['terms_accepted'];
  return {
    box: <TermsBox info={info} checked={accepts} onChange={setAccepts} error={error} />,
    accepted: accepts ? { terms_accepted: version } : {},
    handle: ({ errors = [] }) => {
      if (errors.some(isAboutTerms)) void reload(errors.every(isAboutTerms));
      return false;
    },
  };
}

/** Whether the terms have changed since the page was loaded. */
const isOutdated = ({ errors = [] }: Problem): boolean =>
  errors.some((error) => isAboutTerms(error) && error.code === 'terms_version');

/** Asks a user who is logged in to accept the current terms. */
export function TermsForm({ info: loaded, onDone }: { readonly info: Info; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [newer, setNewer] = useState<Info>();
  const info = newer ?? loaded;
  const reload = async (): Promise<void> => {
    const current = (await submission.send(() => api.GET('/api/info')))?.data;
    if (!current) return;
    if (current.registration.terms_version === '') {
      onDone();
      return;
    }
    setNewer(current);
    submission.fail(t('terms.changed'));
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
