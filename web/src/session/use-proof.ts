import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../api/problem';
import { useInvalidFocus } from '../shared/first-invalid';
import { prove, type Way } from './proofs';

interface ProofOptions {
  readonly ways: readonly Way[];
  readonly onDone: () => void;
  /** Text for a service that cannot be reached. */
  readonly unreachable: string;
}

interface Proof {
  /** For the form element. The field with a wrong proof is focused in it. */
  readonly form: RefObject<HTMLFormElement | null>;
  readonly way: Way;
  readonly text: string;
  readonly failure: string | undefined;
  readonly busy: boolean;
  readonly setText: (text: string) => void;
  readonly choose: (way: Way) => void;
  readonly send: () => Promise<void>;
}

/** State of a form in which the user chooses one of the ways to prove who they are. */
export function useProof({ ways, onDone, unreachable }: ProofOptions): Proof {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>(ways[0] ?? 'password');
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const form = useInvalidFocus(failure);
  const messageOf = (error: unknown): string => (isProblem(error) ? sentenceOf(error) : unreachable);
  return {
    form,
    way,
    text,
    failure,
    busy,
    setText,
    choose: (other) => {
      setWay(other);
      setText('');
      setFailure(undefined);
    },
    send: async () => {
      setBusy(true);
      setFailure(undefined);
      const outcome = await prove(way, text);
      setBusy(false);
      if (outcome === 'proven') onDone();
      else setFailure(outcome === 'no_passkey' ? t('reauthenticate.no_passkey') : messageOf(outcome.error));
    },
  };
}
