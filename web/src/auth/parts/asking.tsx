import { useEffect, type ReactNode } from 'react';
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
  useEffect(() => void ask(submission), []);
  return (
    <Page info={info} title={title}>
      <TryAgain submission={submission} onTry={() => void ask(submission)} />
      {children}
    </Page>
  );
}
