import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { creationOptionsOf } from '../../shared/passkeys';
import { timeOf } from '../../shared/time';
import { ask } from '../dialogs';
import { Button } from '../components/button';
import { Card, Cards } from '../components/card';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { PasskeyName } from '../components/passkey-name';
import { RecoveryCodes } from '../components/recovery-codes';
import { TotpSetup } from '../components/totp-setup';
import { TrustedDevices } from '../components/trusted-devices';
import { useSubmit } from '../use-submit';
import { reloadFailed, useLoad } from '../use-load';

interface Factor {
  readonly id: string;
  readonly type: 'totp' | 'passkey' | 'recovery';
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly remaining?: number;
}

type Change = () => Promise<void>;

function FactorCard({ factor, onChange }: { readonly factor: Factor; readonly onChange: Change }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const kind = t(`mfa.${factor.type}`);
  const title = factor.name || kind;
  const remove = async (): Promise<void> => {
    const text = t('mfa.remove_ask', { name: title });
    if (!(await ask({ title: t('mfa.remove'), text, confirm: t('mfa.remove') }))) return;
    const params = { path: { id: factor.id } };
    if (await act.run(() => api.DELETE('/api/auth/mfa/{id}', { params }), t('mfa.removed'))) await onChange();
  };
  const facts = [
    factor.remaining !== undefined && t('mfa.remaining', { count: factor.remaining }),
    t('mfa.since', { time: timeOf(factor.created_at) }),
    factor.last_used_at && t('mfa.used', { time: timeOf(factor.last_used_at) }),
  ];
  return (
    <Card title={title} mark={{ tone: 'plain', text: kind }} lines={[facts.filter(Boolean).join(' ')]}>
      <div className="buttons">
        {factor.type === 'passkey' && <PasskeyName id={factor.id} name={factor.name} onRenamed={onChange} />}
        <Button busy={act.busy} onClick={remove}>
          {t('mfa.remove')}
        </Button>
      </div>
    </Card>
  );
}

/** Passkeys need a domain name: browsers create none for an IP address (WebAuthn §5.4.2). */
const isAtNumber = /^[\d.]+$|^\[/.test(location.hostname);

function PasskeyButton({ onChange }: { readonly onChange: Change }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const add = async (): Promise<void> => {
    const options = await act.run(() => api.POST('/api/auth/passkeys/options'));
    if (!options?.data) return;
    const { startRegistration } = await import('@simplewebauthn/browser');
    const response = await startRegistration({ optionsJSON: creationOptionsOf(options.data) }).catch(() => undefined);
    if (!response) return;
    // The only device name that every browser gives.
    const body = { name: navigator.platform || t('mfa.passkey'), response: { ...response } };
    if (await act.run(() => api.POST('/api/auth/passkeys', { body }), t('mfa.added'))) await onChange();
  };
  return (
    <Button busy={act.busy} onClick={add}>
      {t('mfa.add_passkey')}
    </Button>
  );
}

interface NewCodesButtonProps {
  readonly onCodes: (codes: readonly string[]) => Promise<void>;
}

function NewCodesButton({ onCodes }: NewCodesButtonProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const make = async (): Promise<void> => {
    const title = t('mfa.new_codes');
    if (!(await ask({ title, text: t('mfa.new_codes_ask'), confirm: title }))) return;
    const answer = await act.run(() => api.POST('/api/auth/mfa/recovery-codes'));
    if (answer?.data) await onCodes(answer.data.recovery_codes);
  };
  return (
    <Button busy={act.busy} onClick={make}>
      {t('mfa.new_codes')}
    </Button>
  );
}

export function MfaPage(): ReactNode {
  const { t } = useTranslation();
  const factors = useLoad(() => api.GET('/api/auth/mfa'));
  const [codes, setCodes] = useState<readonly string[]>();
  const reload = async (): Promise<void> => {
    await Promise.all([factors.reload(), reloadFailed()]);
  };
  const showCodes = async (made: readonly string[]): Promise<void> => {
    setCodes(made);
    await reload();
  };
  return (
    <Page title={t('nav.mfa')} lead={t('mfa.lead')}>
      {codes && (
        <RecoveryCodes
          codes={codes}
          onSaved={() => {
            setCodes(undefined);
          }}
        />
      )}
      <Loaded query={factors}>
        {({ items, required }) => (
          <>
            {required && items.length === 0 && <p className="notice">{t('mfa.required')}</p>}
            <Cards>
              {items.map((factor) => (
                <FactorCard key={factor.id} factor={factor} onChange={reload} />
              ))}
            </Cards>
            <div className="buttons">
              <TotpSetup onCodes={showCodes} />
              {isAtNumber ? <p className="hint">{t('mfa.passkey_needs_name')}</p> : <PasskeyButton onChange={reload} />}
              {items.length > 0 && <NewCodesButton onCodes={showCodes} />}
            </div>
          </>
        )}
      </Loaded>
      <TrustedDevices />
    </Page>
  );
}
