import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { ask } from '../components/ask';
import { Loaded } from '../components/loaded';
import { Section } from '../components/section';
import { DataTable } from '../components/table';
import { timeOf } from '../../shared/time';
import { useSubmit } from '../hooks/use-submit';
import { pathOf } from './template-values';
import type { MessageTemplate } from './templates-page';
import { useNames } from '../users/use-names';

type Version = components['schemas']['MessageTemplateVersionDto'];

/** Subject and body of a version, closed at first because bodies are long. */
function Content({ version: { version, to, reason } }: { readonly version: Version }): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack gap={4} className="wrap">
      {to === null ? (
        <Text size="sm">{t('templates.default')}</Text>
      ) : (
        <>
          {to.subject !== null && (
            <Text size="sm" fw={600}>
              {to.subject}
            </Text>
          )}
          <details>
            <summary>{t('templates.body_of', { version })}</summary>
            <pre className="version-body">{to.text}</pre>
            {to.html !== null && <pre className="version-body">{to.html}</pre>}
          </details>
        </>
      )}
      {reason !== null && (
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      )}
    </Stack>
  );
}

interface VersionsProps {
  readonly versions: readonly Version[];
  readonly current: number;
  /** Undefined makes the table read-only. */
  readonly onRestore: ((version: number) => void) | undefined;
}

function Versions({ versions, current, onRestore }: VersionsProps): ReactNode {
  const { t } = useTranslation();
  const names = useNames(versions.map(({ changed_by }) => changed_by));
  const columns = [
    { name: t('settings.version'), show: ({ version }: Version) => version },
    { name: t('templates.said'), show: (version: Version) => <Content version={version} /> },
    {
      name: t('settings.at'),
      show: ({ changed_at, changed_by }: Version) => (
        <Stack gap={0}>
          <Text size="sm">{timeOf(changed_at)}</Text>
          <Text size="sm" c="dimmed">
            {names.get(changed_by ?? '')}
          </Text>
        </Stack>
      ),
    },
    {
      name: t('list.actions'),
      show: ({ version }: Version) => {
        if (version === current) return t('settings.in_force');
        return (
          onRestore && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('settings.roll_back_to', { version })}
              onClick={() => {
                onRestore(version);
              }}
            >
              {t('settings.roll_back')}
            </Button>
          )
        );
      },
    },
  ];
  return (
    <DataTable
      label={t('settings.history')}
      columns={columns}
      rows={versions}
      rowKey={({ version }) => version}
      empty={t('templates.never_changed')}
    />
  );
}

interface TemplateHistoryProps {
  readonly template: MessageTemplate;
  readonly editable: boolean;
  readonly onRestored: (template: MessageTemplate) => void;
}

/** Shows earlier versions of the message and rolls back to them. */
export function TemplateHistory({ template, editable, onRestored }: TemplateHistoryProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
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
  return (
    <Section title={t('settings.history')}>
      <Loaded query={history}>
        {({ items }) => (
          <Versions
            versions={items}
            current={template.version}
            onRestore={editable && !act.busy ? (version) => void restore(version) : undefined}
          />
        )}
      </Loaded>
    </Section>
  );
}
