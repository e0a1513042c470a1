import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { ask } from '../parts/ask';
import { Loaded } from '../parts/loaded';
import { Section } from '../parts/section';
import { DataTable } from '../parts/table';
import { timeOf } from '../parts/time';
import { useAct } from '../parts/use-act';
import { pathOf } from './template-values';
import type { MessageTemplate } from './templates-page';

type Version = components['schemas']['MessageTemplateVersionDto'];

interface TemplateHistoryProps {
  readonly template: MessageTemplate;
  readonly editable: boolean;
  readonly onRestored: (template: MessageTemplate) => void;
}

/** Shows earlier versions of the message and rolls back to them. */
export function TemplateHistory({ template, editable, onRestored }: TemplateHistoryProps): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const params = { path: pathOf(template) };
  const history = $api.useQuery('get', '/api/message-template/{channel}/{purpose}/{locale}/history', { params });
  const restore = async (version: number): Promise<void> => {
    const key = t(`templates.purpose_${template.purpose}`);
    const question = {
      title: t('settings.roll_back_to', { version }),
      text: t('templates.roll_back_ask', { key, version }),
      confirm: t('settings.roll_back'),
    };
    if (!(await ask(question))) return;
    const options = { params, body: { version } };
    const call = () => api.POST('/api/message-template/{channel}/{purpose}/{locale}/rollback', options);
    const answer = await act.run(call, t('act.saved'));
    if (answer?.data) onRestored(answer.data);
  };
  const columns = [
    { name: t('settings.version'), show: ({ version }: Version) => version },
    {
      name: t('templates.said'),
      show: ({ to, reason }: Version) => (
        <>
          <Text size="sm" lineClamp={2} className="wrap">
            {to === null ? t('templates.default') : (to.subject ?? to.text)}
          </Text>
          {reason !== null && (
            <Text size="sm" c="dimmed" className="wrap">
              {reason}
            </Text>
          )}
        </>
      ),
    },
    { name: t('settings.at'), show: ({ changed_at }: Version) => timeOf(changed_at) },
    {
      name: t('list.actions'),
      show: ({ version }: Version) =>
        editable && version !== template.version ? (
          <Button size="compact-sm" variant="default" loading={act.busy} onClick={() => void restore(version)}>
            {t('settings.roll_back')}
          </Button>
        ) : null,
    },
  ];
  return (
    <Section title={t('settings.history')}>
      <Loaded query={history}>
        {({ items }) => (
          <DataTable
            label={t('settings.history')}
            columns={columns}
            rows={items}
            rowKey={({ version }) => version}
            empty={t('templates.never_changed')}
          />
        )}
      </Loaded>
    </Section>
  );
}
