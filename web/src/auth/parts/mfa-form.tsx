import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { components } from '../../api/schema';
import { withoutSpaces } from '../../shared/code';
import { requestOptionsOf } from '../../shared/passkeys';
import { useSubmit } from '../use-submit';
import { Check, Field } from './fields';
import { Form } from './form';

type Factor = 'totp' | 'recovery' | 'passkey';

export interface MfaChallenge {
  /** Left out: the browser holds it as a cookie, from a login at a third party. */
  readonly mfa_token?: string;
  readonly methods: readonly string[];
}

/** What proves the second factor. */
export type SecondStep = components['schemas']['SecondStepDto'];

interface MfaFormProps {
  readonly challenge: MfaChallenge;
  /** Sends it to where the first factor was asked for. */
  readonly send: (body: SecondStep) => Promise<{ readonly error?: unknown; readonly response: Response }>;
  readonly onDone: () => void;
}

const order: readonly Factor[] = ['passkey', 'totp', 'recovery'];

/** The second step of a login; the token lives in this page's memory only. */
export function MfaForm({ challenge, send, onDone }: MfaFormProps): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const offered = order.filter((factor) => challenge.methods.includes(factor));
  const [method, setMethod] = useState<Factor>(offered[0] ?? 'totp');
  const [code, setCode] = useState('');
  const [trusts, setTrusts] = useState(false);

  const token = challenge.mfa_token === undefined ? {} : { mfa_token: challenge.mfa_token };
  const prove = async (proof: Pick<SecondStep, 'code' | 'response'>): Promise<void> => {
    if (await submission.send(() => send({ ...token, method, trust_device: trusts, ...proof }))) onDone();
  };
  const provePasskey = async (): Promise<void> => {
    const answer = await submission.send(() => api.POST('/api/auth/login/mfa/options', { body: token }));
    if (!answer?.data) return;
    // While the browser asks, which may take as long as somebody likes, another way stays open.
    submission.fail(undefined);
    try {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const response = await startAuthentication({ optionsJSON: requestOptionsOf(answer.data) });
      await prove({ response: { ...response } });
    } catch {
      submission.fail(t('passkey.failed'));
    }
  };

  return (
    <>
      <Form
        key={method}
        submission={submission}
        action={t(method === 'passkey' ? 'passkey.use' : 'mfa.submit')}
        onSubmit={() => void (method === 'passkey' ? provePasskey() : prove({ code }))}
      >
        {method !== 'passkey' && (
          <Field
            label={t(`mfa.${method}`)}
            hint={t(`mfa.${method}_hint`)}
            value={code}
            onChange={(text) => {
              setCode(withoutSpaces(text));
            }}
            error={submission.fields['code']}
            inputMode={method === 'totp' ? 'numeric' : 'text'}
            autoComplete="one-time-code"
            autoCapitalize="none"
            autoFocus
          />
        )}
        <Check label={t('mfa.trust_device')} checked={trusts} onChange={setTrusts} />
      </Form>
      <p className="links">
        {offered
          .filter((factor) => factor !== method)
          .map((factor) => (
            <button
              key={factor}
              type="button"
              className="link"
              onClick={() => {
                setCode('');
                setMethod(factor);
              }}
            >
              {t(`mfa.instead_${factor}`)}
            </button>
          ))}
      </p>
    </>
  );
}
