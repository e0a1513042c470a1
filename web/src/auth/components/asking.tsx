import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Info } from '../../shared/info';
import { useSubmit, type Submission } from '../use-submit';
import { Page } from './page';
import { TryAgain } from './try-again';

interface AskingProps {
  readonly info: Info;
  readonly title: string;
  /** Runs when the page opens, and again after an error. */
  readonly ask: (submission: Submission) => Promise<void>;
  readonly children?: ReactNode;
}

/** Frame of a page that must load data before it can show anything. */
export function Asking({ info, title, ask, children }: AskingProps): ReactNode {
  const submission = useSubmit();
  const { language } = useTranslation().i18n;
  useEffect(() => void ask(submission), []);
  // The error message is in the previous language, so request it again.
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
