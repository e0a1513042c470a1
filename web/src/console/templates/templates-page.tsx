import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { languageNames } from '../../shared/language';
import { $api } from '../api';
import { Loaded } from '../components/loaded';
import { Mark } from '../../session/mark';
import { Page } from '../components/page';
import { DataTable } from '../components/table';

export type MessageTemplate = components['schemas']['MessageTemplateDto'];

const CHANNELS = ['email', 'sms'] as const;

/** Name in the console's addresses: `email.login.en`. */
export const templateName = ({ channel, purpose, locale }: Record<'channel' | 'purpose' | 'locale', string>): string =>
  `${channel}.${purpose}.${locale}`;

function TemplateLink({ template }: { readonly template: MessageTemplate }): ReactNode {
  const { t } = useTranslation();
  return (
    <Group gap={6} wrap="nowrap">
      <Anchor component={Link} to={`/admin/templates/${templateName(template)}`} underline="always">
        {languageNames[template.locale]}
      </Anchor>
      {!template.is_default && <Mark tone="plain">{t('templates.edited')}</Mark>}
    </Group>
  );
}

function Matrix({ templates }: { readonly templates: readonly MessageTemplate[] }): ReactNode {
  const { t } = useTranslation();
  const purposes = [...new Set(templates.map(({ purpose }) => purpose))];
  const columns = [
    { name: t('templates.purpose'), show: (purpose: string) => t(`templates.purpose_${purpose}`) },
    ...CHANNELS.map((channel) => ({
      name: t(`deliveries.${channel}`),
      show: (purpose: string) => (
        <Group gap="xs">
          {templates
            .filter((template) => template.purpose === purpose && template.channel === channel)
            .map((template) => (
              <TemplateLink key={template.locale} template={template} />
            ))}
        </Group>
      ),
    })),
  ];
  return (
    <DataTable
      label={t('nav.templates')}
      columns={columns}
      rows={purposes}
      rowKey={(purpose) => purpose}
      empty={t('list.none')}
      minWidth={300}
    />
  );
}

export function TemplatesPage(): ReactNode {
  const { t } = useTranslation();
  const templates = $api.useQuery('get', '/api/message-template');
  return (
    <Page wide title={t('nav.templates')} lead={t('templates.lead')}>
      <Loaded query={templates}>{({ items }) => <Matrix templates={items} />}</Loaded>
    </Page>
  );
}
