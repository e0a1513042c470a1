import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { Field, Submit } from '../../ui-basic/fields';
import { withoutSpaces } from '../../shared/code';
import { QrCode } from '../../shared/qr-code';
import { Form } from '../../session/form';
import { useSubmit } from '../use-submit';
import { Button } from './button';
import { CopyField } from './copy-field';

interface Enrolment {
  readonly id: string;
  readonly secret: string;
  readonly otpauth_url: string;
}

interface TotpSetupProps {
  readonly onCodes: (codes: readonly string[]) => Promise<void>;
}

/** Adds an authenticator app. */
export function TotpSetup({ onCodes }: TotpSetupProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [begun, setBegun] = useState<Enrolment>();
  const [code, setCode] = useState('');
  const begin = async (): Promise<void> => {
    const answer = await act.run(() => api.POST('/api/auth/mfa/totp'));
    if (answer?.data) setBegun(answer.data);
  };
  const confirm = async (id: string): Promise<void> => {
    const params = { path: { id } };
    const answer = await act.run(
      () => api.POST('/api/auth/mfa/totp/{id}/confirm', { params, body: { code } }),
      t('mfa.added'),
    );
    if (!answer?.data) return;
    setBegun(undefined);
    setCode('');
    await onCodes(answer.data.recovery_codes);
  };
  if (!begun) {
    return (
      <Button busy={act.busy} onClick={begin}>
        {t('mfa.add_totp')}
      </Button>
    );
  }
  return (
    <section className="card whole">
      <Form act={act} onSubmit={() => confirm(begun.id)}>
        <p>{t('mfa.scan')}</p>
        <QrCode text={begun.otpauth_url} label={t('mfa.qr')} />
        <p className="hint">{t('mfa.by_hand')}</p>
        <CopyField label={t('mfa.key')} value={begun.secret} />
        <CopyField label={t('mfa.link')} value={begun.otpauth_url} />
        <p>
          <a className="link" href={begun.otpauth_url}>
            {t('mfa.open')}
          </a>
        </p>
        <Field
          label={t('mfa.code')}
          value={code}
          error={act.fields['code']}
          inputMode="numeric"
          autoComplete="one-time-code"
          onChange={(typed) => {
            setCode(withoutSpaces(typed));
          }}
        />
        <Submit busy={act.busy}>{t('act.confirm')}</Submit>
      </Form>
    </section>
  );
}
