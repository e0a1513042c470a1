import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { withoutSpaces } from '../../shared/code';
import { QrCode } from '../../shared/qr-code';
import { saveCodes } from '../../shared/save-codes';
import { selectContent, useCopy } from '../../shared/use-copy';
import { useSubmit } from '../use-submit';
import { Failure, Field } from '../../ui-basic/fields';
import { Form } from './form';
import { TryAgain } from './try-again';

interface Enrolment {
  readonly id: string;
  readonly secret: string;
  readonly otpauth_url: string;
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

function RecoveryCodes({ codes, onDone }: RecoveryCodesProps): ReactNode {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const { outcome, copy } = useCopy();
  const label = t(outcome === 'copied' ? 'enrol.copied' : 'enrol.copy');
  return (
    <>
      <p>{t('enrol.recovery')}</p>
      <ul ref={list} className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="secondary"
        aria-label={label}
        onClick={() =>
          void copy(codes.join('\n'), () => {
            if (list.current) selectContent(list.current);
          })
        }
      >
        <span role="status">{label}</span>
      </button>
      <Failure>{outcome === 'failed' ? t('enrol.copy_failed') : undefined}</Failure>
      <button
        type="button"
        className="secondary"
        onClick={() => {
          print();
        }}
      >
        {t('enrol.print')}
      </button>
      <button
        type="button"
        className="secondary"
        onClick={() => {
          saveCodes(codes);
        }}
      >
        {t('enrol.save')}
      </button>
      <button type="button" className="primary" onClick={onDone}>
        {t('enrol.saved')}
      </button>
    </>
  );
}

/** The key as text, to copy, and as a link for an app on this device. */
function Key({ enrolment: { secret, otpauth_url: link } }: { readonly enrolment: Enrolment }): ReactNode {
  const { t } = useTranslation();
  const key = useRef<HTMLElement>(null);
  const { outcome, copy } = useCopy();
  const label = t(outcome === 'copied' ? 'enrol.copied' : 'enrol.copy_key');
  return (
    <>
      <p className="hint">
        {t('enrol.by_hand')} <code ref={key}>{secret}</code>
      </p>
      <button
        type="button"
        className="secondary"
        aria-label={label}
        onClick={() =>
          void copy(secret, () => {
            if (key.current) selectContent(key.current);
          })
        }
      >
        <span role="status">{label}</span>
      </button>
      <Failure>{outcome === 'failed' ? t('enrol.copy_failed') : undefined}</Failure>
      <p className="links">
        <a href={link}>{t('enrol.open')}</a>
      </p>
    </>
  );
}

/** Sets up an authenticator app for a user who must have a second factor. */
export function EnrolForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const beginning = useSubmit();
  const submission = useSubmit();
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [code, setCode] = useState('');

  const begin = async (): Promise<void> => {
    const answer = await beginning.send(() => api.POST('/api/auth/mfa/totp'));
    if (answer?.data) setEnrolment(answer.data);
  };
  useEffect(() => void begin(), []);

  const confirm = async (id: string): Promise<void> => {
    const answer = await submission.send(() =>
      api.POST('/api/auth/mfa/totp/{id}/confirm', { params: { path: { id } }, body: { code } }),
    );
    if (answer?.data) setCodes(answer.data.recovery_codes);
  };

  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (!enrolment) return <TryAgain submission={beginning} onTry={() => void begin()} />;
  return (
    <>
      <QrCode text={enrolment.otpauth_url} label={t('enrol.qr')} />
      <Key enrolment={enrolment} />
      <Form submission={submission} action={t('enrol.submit')} onSubmit={() => void confirm(enrolment.id)}>
        <Field
          label={t('mfa.totp')}
          value={code}
          onChange={(text) => {
            setCode(withoutSpaces(text));
          }}
          error={submission.fields['code']}
          inputMode="numeric"
          autoComplete="one-time-code"
        />
      </Form>
    </>
  );
}
