import { isProblem, type Problem } from 'castellan-client';
import { useCallback, useRef, useState } from 'react';

/** Code of the problem when the service could not be reached or another program answered. Its texts are empty. */
export const UNREACHABLE = 'unreachable';

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** State of a request that the user started. */
export interface SubmissionState {
  readonly isPending: boolean;
  /** The service's error: `detail` is for people, `errors` is by field. */
  readonly problem: Problem | undefined;
}

export interface Submission extends SubmissionState {
  /** Resolves to the response, or to undefined after an error. A call while another one is pending does nothing. */
  readonly send: <T>(call: () => Promise<Answer<T>>) => Promise<Answer<T> | undefined>;
  /** Forgets the error. A pending request stays pending. */
  readonly clear: () => void;
}

const unreachable = (status: number): Problem => ({ title: '', status, code: UNREACHABLE });

async function outcomeOf<T>(call: () => Promise<Answer<T>>): Promise<Answer<T> | Problem> {
  try {
    const answer = await call();
    if (answer.response.ok) return answer;
    return isProblem(answer.error) ? answer.error : unreachable(answer.response.status);
  } catch {
    return unreachable(0);
  }
}

/** Sends requests one at a time, and keeps the error of the last one. */
export function useSubmission(): Submission {
  const [state, setState] = useState<SubmissionState>({ isPending: false, problem: undefined });
  const isPending = useRef(false);
  const send = useCallback(async <T>(call: () => Promise<Answer<T>>): Promise<Answer<T> | undefined> => {
    if (isPending.current) return undefined;
    isPending.current = true;
    setState({ isPending: true, problem: undefined });
    const outcome = await outcomeOf(call);
    isPending.current = false;
    const problem = 'response' in outcome ? undefined : outcome;
    setState({ isPending: false, problem });
    return 'response' in outcome ? outcome : undefined;
  }, []);
  const clear = useCallback(() => {
    setState({ isPending: isPending.current, problem: undefined });
  }, []);
  return { ...state, send, clear };
}
