import { Alert, Anchor, Button, Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { withoutSpaces } from '../../shared/code';
import { creationOptionsOf } from '../../shared/passkeys';
import { QrCode } from '../../shared/qr-code';
import { saveCodes } from '../../shared/save-codes';
import { selectContent, useCopy } from '../../shared/use-copy';
import { $api, api } from '../api';
import { ask } from '../parts/ask';
import { CopyField } from '../parts/copy-field';
import { refetchFailedQueries } from '../parts/demands';
import { Form } from '../parts/form';
import { Loaded } from '../parts/loaded';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { timeOf } from '../parts/time';
import { useAct } from '../parts/use-act';
import { queryClient } from '../query-client';
import { PasskeyName } from './passkey-name';
import { TrustedDevices } from './trusted-devices';

const { queryKey } = $api.queryOptions('get', '/api/auth/mfa');
const reload = async (): Promise<void> => {
  await Promise.all([queryClient.invalidateQueries({ queryKey }), refetchFailedQueries()]);
};

interface Factor {
  readonly id: string;
  readonly type: 'totp' | 'passkey' | 'recovery';
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly remaining?: number;
}

function FactorCard({ factor }: { readonly factor: Factor }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const remove = async (): Promise<void> => {
    const name = factor.name || t(`mfa.${factor.type}`);
    if (!(await ask({ title: t('mfa.remove'), text: t('mfa.remove_ask', { name }), confirm: t('mfa.remove') }))) return;
    const params = { path: { id: factor.id } };
    if (await act.run(() => api.DELETE('/api/auth/mfa/{id}', { params }), t('mfa.removed'))) await reload();
  };
  return (
    <Card withBorder component="li">
      <Group justify="space-between">
        <div className="wrap">
          <Group gap="xs">
            <Text fw={600}>{factor.name || t(`mfa.${factor.type}`)}</Text>
            <Mark tone="plain">{t(`mfa.${factor.type}`)}</Mark>
          </Group>
          <Text size="sm" c="dimmed">
            {factor.remaining !== undefined && t('mfa.remaining', { count: factor.remaining })}{' '}
            {t('mfa.since', { time: timeOf(factor.created_at) })}{' '}
            {factor.last_used_at && t('mfa.used', { time: timeOf(factor.last_used_at) })}
          </Text>
        </div>
        <Group>
          {factor.type === 'passkey' && <PasskeyName id={factor.id} name={factor.name} onRenamed={reload} />}
          <Button variant="default" loading={act.busy} onClick={() => void remove()}>
            {t('mfa.remove')}
          </Button>
        </Group>
      </Group>
    </Card>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}

function RecoveryCodes({ codes, onSaved }: RecoveryCodesProps): ReactNode {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const { outcome, copy } = useCopy();
  const label = t(outcome === 'copied' ? 'act.copied' : 'mfa.copy_codes');
  return (
    <Alert title={t('mfa.recovery')} color="yellow.9" variant="outline">
      <Text>{t('mfa.recovery_shown_once')}</Text>
      <ul ref={list} className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group>
        <Button
          variant="default"
          aria-label={label}
          onClick={() =>
            void copy(codes.join('\n'), () => {
              if (list.current) selectContent(list.current);
            })
          }
        >
          <span role="status">{label}</span>
        </Button>
        <Button
          variant="default"
          onClick={() => {
            print();
          }}
        >
          {t('mfa.print')}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            saveCodes(codes);
          }}
        >
          {t('mfa.save')}
        </Button>
        <Button onClick={onSaved}>{t('mfa.codes_saved')}</Button>
      </Group>
      <div role="alert">
        {outcome === 'failed' && (
          <Text size="sm" className="danger">
            {t('act.copy_failed')}
          </Text>
        )}
      </div>
    </Alert>
  );
}

interface MadeCodes {
  readonly onCodes: (codes: readonly string[]) => void;
}

function TotpCard({ onCodes }: MadeCodes): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const [begun, setBegun] = useState<{ id: string; secret: string; otpauth_url: string }>();
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
    onCodes(answer.data.recovery_codes);
    await reload();
  };
  if (!begun) {
    return (
      <Button variant="default" loading={act.busy} onClick={() => void begin()}>
        {t('mfa.add_totp')}
      </Button>
    );
  }
  return (
    <Card withBorder w="100%">
      <Form act={act} onSubmit={() => confirm(begun.id)}>
        <Stack>
          <Text>{t('mfa.scan')}</Text>
          <QrCode text={begun.otpauth_url} label={t('mfa.qr')} />
          <Text size="sm" c="dimmed">
            {t('mfa.by_hand')}
          </Text>
          <CopyField label={t('mfa.key')} value={begun.secret} />
          <CopyField label={t('mfa.link')} value={begun.otpauth_url} />
          <Anchor href={begun.otpauth_url} underline="always">
            {t('mfa.open')}
          </Anchor>
          <TextInput
            label={t('mfa.code')}
            value={code}
            error={act.fields['code']}
            inputMode="numeric"
            autoComplete="one-time-code"
            onChange={(event) => {
              setCode(withoutSpaces(event.currentTarget.value));
            }}
          />
          <Group>
            <Button type="submit" loading={act.busy}>
              {t('act.confirm')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Card>
  );
}

/** Passkeys need a domain name: browsers create none for an IP address (WebAuthn §5.4.2). */
const isAtNumber = /^[\d.]+$|^\[/.test(location.hostname);

function PasskeyButton(): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const add = async (): Promise<void> => {
    const options = await act.run(() => api.POST('/api/auth/passkeys/options'));
    if (!options?.data) return;
    const { startRegistration } = await import('@simplewebauthn/browser');
    const response = await startRegistration({ optionsJSON: creationOptionsOf(options.data) }).catch(() => undefined);
    if (!response) return;
    // The only device name that every browser gives.
    const body = { name: navigator.platform || t('mfa.passkey'), response: { ...response } };
    if (await act.run(() => api.POST('/api/auth/passkeys', { body }), t('mfa.added'))) await reload();
  };
  return (
    <Button variant="default" loading={act.busy} onClick={() => void add()}>
      {t('mfa.add_passkey')}
    </Button>
  );
}

function NewCodesButton({ onCodes }: MadeCodes): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const make = async (): Promise<void> => {
    const text = t('mfa.new_codes_ask');
    if (!(await ask({ title: t('mfa.new_codes'), text, confirm: t('mfa.new_codes') }))) return;
    const answer = await act.run(() => api.POST('/api/auth/mfa/recovery-codes'));
    if (!answer?.data) return;
    onCodes(answer.data.recovery_codes);
    await reload();
  };
  return (
    <Button variant="default" loading={act.busy} onClick={() => void make()}>
      {t('mfa.new_codes')}
    </Button>
  );
}

export function MfaPage(): ReactNode {
  const { t } = useTranslation();
  const factors = $api.useQuery('get', '/api/auth/mfa');
  const [codes, setCodes] = useState<readonly string[]>();
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
            {required && items.length === 0 && <Alert color="yellow.9">{t('mfa.required')}</Alert>}
            <Stack component="ul" p={0} m={0} className="plain">
              {items.map((factor) => (
                <FactorCard key={factor.id} factor={factor} />
              ))}
            </Stack>
            <Group>
              <TotpCard onCodes={setCodes} />
              {isAtNumber ? <Text c="dimmed">{t('mfa.passkey_needs_name')}</Text> : <PasskeyButton />}
              {items.length > 0 && <NewCodesButton onCodes={setCodes} />}
            </Group>
          </>
        )}
      </Loaded>
      <TrustedDevices />
    </Page>
  );
}
