import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { requestOptionsOf } from '../../shared/passkeys';
import type { Submission } from '../use-submit';
import type { LoginBody } from './login-forms';

interface PasskeyButtonProps {
  readonly submission: Submission;
  readonly onLogin: (body: LoginBody) => void;
}

/** Logs in with a passkey of this device or of a nearby phone (WebAuthn, discoverable credentials). */
export function PasskeyButton({ submission, onLogin }: PasskeyButtonProps): ReactNode {
  const { t } = useTranslation();
  const start = async (): Promise<void> => {
    const answer = await submission.send(() => api.POST('/api/auth/login/passkey/options'));
    if (!answer?.data) return;
    // Reenable the form: the browser's dialog has no time limit, and the user may choose another way meanwhile.
    submission.fail(undefined);
    try {
      const { startAuthentication } = await import('@simplewebauthn/browser');
      const response = await startAuthentication({ optionsJSON: requestOptionsOf(answer.data) });
      onLogin({ type: 'passkey', response: { ...response } });
    } catch {
      submission.fail(t('passkey.failed'));
    }
  };
  return (
    <button type="button" className="secondary" disabled={submission.busy} onClick={() => void start()}>
      {t('passkey.use')}
    </button>
  );
}
