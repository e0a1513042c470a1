import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { pageLanguage } from '../../shared/language';
import { api } from '../api';
import { useMay } from '../use-permission';
import { useMe } from '../me';
import { Form } from '../../session/form';
import { useSubmit } from '../hooks/use-submit';
import { SettingInput } from '../settings/setting-input';
import type { Setting } from '../settings/setting';
import { useSettingEdits } from '../settings/use-setting-edits';

const fields = {
  'email.smtp.host': 'setup.mail_host',
  'email.smtp.port': 'setup.mail_port',
  'email.smtp.secure': 'setup.mail_secure',
  'email.smtp.username': 'setup.mail_username',
  'email.smtp.password': 'setup.mail_password',
  'email.from': 'setup.mail_from',
} as const;

/** Sends a sample mail: only a received mail proves that the settings work. */
function TestMail(): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const act = useSubmit();
  const [target, setTarget] = useState(me.email ?? '');
  const send = async (): Promise<void> => {
    const params = { path: { channel: 'email', purpose: 'login', locale: pageLanguage() } } as const;
    const options = { params, body: { target } };
    await act.run(
      () => api.POST('/api/message-template/{channel}/{purpose}/{locale}/test', options),
      t('setup.mail_sent', { target }),
    );
  };
  return (
    <Form act={act} onSubmit={send}>
      <Group align="flex-end">
        <TextInput
          flex={1}
          miw={200}
          type="email"
          label={t('setup.mail_test')}
          value={target}
          error={act.fields['target']}
          onChange={(event) => {
            setTarget(event.currentTarget.value);
          }}
        />
        <Button type="submit" variant="default" loading={act.busy} disabled={target === ''}>
          {t('setup.mail_send')}
        </Button>
      </Group>
    </Form>
  );
}

interface MailSetupProps {
  readonly settings: readonly Setting[];
  readonly isSetUp: boolean;
}

/** Configures the SMTP server and tests it. */
export function MailSetup({ settings, isSetUp }: MailSetupProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const edits = useSettingEdits();
  const known = settings.filter(({ key }) => key in fields);
  const ordered = Object.entries(fields).flatMap(([key, label]) =>
    known.filter((setting) => setting.key === key).map((setting) => ({ setting, label })),
  );
  return (
    <Stack>
      <Form act={edits.act} onSubmit={() => edits.save()} onReset={edits.discard}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {ordered.map(({ setting, label }) => (
              <SettingInput
                key={setting.key}
                label={t(label)}
                setting={setting}
                value={edits.typed(setting) ?? setting.value}
                disabled={false}
                error={edits.act.fields[setting.key] ?? edits.problems.find(({ key }) => key === setting.key)?.detail}
                onChange={(value) => {
                  edits.edit(setting, value);
                }}
              />
            ))}
          </SimpleGrid>
          <Group>
            <Button type="submit" loading={edits.act.busy} disabled={edits.count === 0}>
              {t('act.save')}
            </Button>
            {edits.count > 0 && (
              <Button type="reset" variant="default">
                {t('act.discard')}
              </Button>
            )}
          </Group>
        </Stack>
      </Form>
      {isSetUp && may('message_template:update') && <TestMail />}
    </Stack>
  );
}
