import { Button, Card, Group, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordForm } from './password-form';
import { $api, api } from '../api';
import { reloadInfo } from '../info-context';
import { Form } from '../../session/form';
import { Mark } from '../../session/mark';
import { Page } from '../components/page';
import { Loaded } from '../components/loaded';
import { useSubmit } from '../hooks/use-submit';
import { useGoOn } from '../hooks/use-go-on';
import { queryClient } from '../query-client';
import type { Setting } from '../settings/setting';
import { FINISHED, useSetup } from './use-setup';

/** Loaded separately: only this step needs the setting editors. */
const MailSetup = lazy(async () => ({ default: (await import('./mail-setup')).MailSetup }));

const { queryKey: settingsKey } = $api.queryOptions('get', '/api/setting');

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly lead: string;
  readonly isDone: boolean;
  /** The step stays open when it is done, for example to send a test mail. */
  readonly staysOpen?: boolean;
  readonly children: ReactNode;
}

/** Step that closes when it is done and can be opened again. */
function Step({ number, title, lead, isDone, staysOpen = false, children }: StepProps): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(staysOpen && !isDone);
  const shown = !isDone || opened;
  return (
    <Card withBorder component="li">
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="xs">
            <Title order={2} size="h4">
              {t('setup.step', { number, title })}
            </Title>
            {isDone && <Mark tone="good">{t('setup.done')}</Mark>}
          </Group>
          {isDone && (
            <Button
              size="compact-sm"
              variant="default"
              aria-expanded={opened}
              aria-label={t('setup.change_of', { title })}
              onClick={() => {
                setOpened(!opened);
              }}
            >
              {t('act.change')}
            </Button>
          )}
        </Group>
        {shown && (
          <>
            <Text c="dimmed">{lead}</Text>
            {children}
          </>
        )}
      </Stack>
    </Card>
  );
}

function NameForm({ setting }: { readonly setting: Setting }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [name, setName] = useState(String(setting.value));
  const save = async (): Promise<void> => {
    const updates = [{ key: setting.key, value: name, version: setting.version }];
    if (!(await act.run(() => api.PUT('/api/setting', { body: { updates } }), t('act.saved')))) return;
    await Promise.all([queryClient.invalidateQueries({ queryKey: settingsKey }), reloadInfo()]);
  };
  return (
    <Form act={act} onSubmit={save}>
      <Group align="flex-end">
        <TextInput
          flex={1}
          miw={200}
          label={t('setup.name')}
          value={name}
          maxLength={50}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <Button type="submit" loading={act.busy} disabled={name.trim() === ''}>
          {t('act.save')}
        </Button>
      </Group>
    </Form>
  );
}

function Finish({ isAllDone }: { readonly isAllDone: boolean }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const goOn = useGoOn();
  const finish = async (): Promise<void> => {
    const updates = [{ key: FINISHED, value: true }];
    if (!(await act.run(() => api.PUT('/api/setting', { body: { updates } })))) return;
    await queryClient.invalidateQueries({ queryKey: settingsKey });
    await goOn('/admin');
  };
  return (
    <Group justify="space-between">
      <Text c="dimmed">{t(isAllDone ? 'setup.all_done' : 'setup.later')}</Text>
      <Button variant={isAllDone ? 'filled' : 'default'} loading={act.busy} onClick={() => void finish()}>
        {t(isAllDone ? 'setup.finish' : 'setup.dismiss')}
      </Button>
    </Group>
  );
}

/** Guides the first administrator through the setup of a new service. */
export function SetupPage(): ReactNode {
  const { t } = useTranslation();
  const setup = useSetup();
  return (
    <Page title={t('setup.title')} lead={t('setup.lead')}>
      <Loaded query={setup}>
        {({ settings, hasOwnPassword = false, hasName, hasMail }) => {
          const name = settings.find(({ key }) => key === 'app.name');
          return (
            <>
              <Stack component="ol" p={0} m={0} className="plain">
                <Step number={1} title={t('setup.password')} lead={t('setup.password_lead')} isDone={hasOwnPassword}>
                  <PasswordForm onDone={() => queryClient.invalidateQueries({ queryKey: ['get', '/api/audit'] })} />
                </Step>
                <Step number={2} title={t('setup.naming')} lead={t('setup.naming_lead')} isDone={hasName}>
                  {name && <NameForm key={name.version} setting={name} />}
                </Step>
                <Step number={3} title={t('setup.mail')} lead={t('setup.mail_lead')} isDone={hasMail} staysOpen>
                  <Suspense fallback={<Loader aria-label={t('page.loading')} />}>
                    <MailSetup settings={settings} isSetUp={hasMail} />
                  </Suspense>
                </Step>
              </Stack>
              <Finish isAllDone={hasOwnPassword && hasName && hasMail} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
