import { Button, Group, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useMe } from '../me';
import { Form } from '../../session/form';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { pathOf } from './template-values';
import type { MessageTemplate } from './templates-page';

/** Sends a sample of the stored version. */
export function TemplateTest({ template }: { readonly template: MessageTemplate }): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const act = useSubmit();
  const isMail = template.channel === 'email';
  const [target, setTarget] = useState((isMail ? me.email : me.phone) ?? '');
  const send = async (): Promise<void> => {
    const options = { params: { path: pathOf(template) }, body: { target } };
    const answer = await act.run(() => api.POST('/api/message-template/{channel}/{purpose}/{locale}/test', options));
    if (answer?.data) {
      notifications.show({ color: 'green.9', message: t(`templates.test_${answer.data.outcome}`, { target }) });
    }
  };
  return (
    <Section title={t('templates.test')} lead={t('templates.test_hint')}>
      <Form act={act} onSubmit={send}>
        <Group align="flex-end">
          <TextInput
            flex={1}
            miw={200}
            label={t(isMail ? 'field.email' : 'field.phone')}
            type={isMail ? 'email' : 'tel'}
            value={target}
            error={act.fields['target']}
            onChange={(event) => {
              setTarget(event.currentTarget.value);
            }}
          />
          <Button type="submit" variant="default" loading={act.busy} disabled={target === ''}>
            {t('templates.send')}
          </Button>
        </Group>
      </Form>
    </Section>
  );
}
