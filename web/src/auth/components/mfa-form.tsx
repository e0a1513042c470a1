import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { components } from '../../api/schema';
import { withoutSpaces } from '../../shared/code';
import type { Info } from '../../shared/info';
import { requestOptionsOf } from '../../shared/passkeys';
import { useSubmit } from '../use-submit';
import { Check, Field } from '../../ui-basic/fields';
import { Form } from './form';

type Factor = 'totp' | 'recovery' | 'passkey';

export interface MfaChallenge {
  /** Undefined after a third-party login: the browser holds the token as a cookie. */
  readonly mfa_token?: string;
  readonly methods: readonly string[];
}

/** Body that proves the second factor. */
export type SecondStep = components['schemas']['MfaChallengeDto'];

interface MfaFormProps {
  readonly info: Info;
  readonly challenge: MfaChallenge;
  /** Sends the body to the route that verified the first factor. */
  readonly send: (body: SecondStep) => Promise<{ readonly error?: unknown; readonly response: Response }>;
  readonly onDone: () => void;
}

const order: readonly Factor[] = ['passkey', 'totp', 'recovery'];

interface FactorFormProps extends Pick<MfaFormProps, 'info' | 'send' | 'onDone'> {
  readonly factor: Factor;
  readonly token: Pick<MfaChallenge, 'mfa_token'>;
  readonly trusts: boolean;
  readonly onTrust: (trusts: boolean) => void;
}

/** Each factor has its own form, so that an error of one factor does not show at another. */
function FactorForm({ info, factor, token, trusts, onTrust, send, onDone }: FactorFormProps): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [code, setCode] = useState('');
  const { trusted_device_days: days } = info.mfa;
  const prove = async (proof: Pick<SecondStep, 'code' | 'response'>): Promise<void> => {
    const body = { ...token, method: factor, trust_device: trusts, ...proof };
    if (await submission.send(() => send(body))) onDone();
  };
  const provePasskey = async (): Promise<void> => {
    const answer = await submission.send(() => api.POST('/api/auth/login/mfa/options', { body: token }));
    if (!answer?.data) return;
    // Reenable the form: the browser's dialog has no time limit, and the user may choose another way meanwhile.
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
    <Form
      submission={submission}
      action={t(factor === 'passkey' ? 'passkey.use' : 'mfa.submit')}
      onSubmit={() => void (factor === 'passkey' ? provePasskey() : prove({ code }))}
    >
      {factor !== 'passkey' && (
        <Field
          label={t(`mfa.${factor}`)}
          hint={t(`mfa.${factor}_hint`)}
          value={code}
          onChange={(text) => {
            setCode(withoutSpaces(text));
          }}
          error={submission.fields['code']}
          inputMode={factor === 'totp' ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          autoFocus
        />
      )}
      {days > 0 && <Check label={t('mfa.trust_device', { count: days })} checked={trusts} onChange={onTrust} />}
    </Form>
  );
}

/** Second step of a login. The token stays in this page's memory. */
export function MfaForm({ info, challenge, send, onDone }: MfaFormProps): ReactNode {
  const { t } = useTranslation();
  const offered = order.filter((factor) => challenge.methods.includes(factor));
  const [chosen, setChosen] = useState<Factor>(offered[0] ?? 'totp');
  const [trusts, setTrusts] = useState(false);
  const token = challenge.mfa_token === undefined ? {} : { mfa_token: challenge.mfa_token };
  return (
    <>
      <FactorForm key={chosen} factor={chosen} onTrust={setTrusts} {...{ info, token, trusts, send, onDone }} />
      <p className="links">
        {offered
          .filter((factor) => factor !== chosen)
          .map((factor) => (
            <button
              key={factor}
              type="button"
              className="link"
              onClick={() => {
                setChosen(factor);
              }}
            >
              {t(`mfa.instead_${factor}`)}
            </button>
          ))}
      </p>
    </>
  );
}
