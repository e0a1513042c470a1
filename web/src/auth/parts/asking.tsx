import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Info } from '../../shared/info';
import { useSubmit, type Submission } from '../use-submit';
import { Page } from './page';
import { TryAgain } from './try-again';

interface AskingProps {
  readonly info: Info;
  readonly title: string;
  /** Asked as soon as the page is there, and again where it was refused. */
  readonly ask: (submission: Submission) => Promise<void>;
  readonly children?: ReactNode;
}

/** A page that has to know something first. */
export function Asking({ info, title, ask, children }: AskingProps): ReactNode {
  const submission = useSubmit();
  const { language } = useTranslation().i18n;
  useEffect(() => void ask(submission), []);
  // What kept it from being known was told in the language before.
  useEffect(() => {
    if (submission.failed) void ask(submission);
  }, [language]);
  return (
    <Page info={info} title={title}>
      <TryAgain submission={submission} onTry={() => void ask(submission)} />
      {children}
    </Page>
  );
}
