import { Anchor, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { languageNames } from '../../shared/language';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { Form } from '../../session/form';
import { Loaded } from '../components/loaded';
import { Mark } from '../../session/mark';
import { Page } from '../components/page';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import { queryClient } from '../query-client';
import { TemplateEditor } from './template-editor';
import { TemplateHistory } from './template-history';
import { TemplatePreview, usePreview } from './template-preview';
import { TemplateTest } from './template-test';
import { contentOf, pathOf, valuesOf, versionBelow } from './template-values';
import { templateName, type MessageTemplate } from './templates-page';

const { queryKey: allTemplates } = $api.queryOptions('get', '/api/message-template');
const ONE = '/api/message-template/{channel}/{purpose}/{locale}';

function show(template: MessageTemplate): void {
  const params = { path: pathOf(template) };
  queryClient.setQueryData($api.queryOptions('get', ONE, { params }).queryKey, template);
  void queryClient.invalidateQueries({ queryKey: allTemplates, exact: true });
  const { queryKey: history } = $api.queryOptions('get', `${ONE}/history`, { params });
  void queryClient.invalidateQueries({ queryKey: history });
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

interface ResetProps {
  readonly template: MessageTemplate;
  readonly onRestored: (template: MessageTemplate) => void;
}

function Reset({ template, onRestored }: ResetProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const reset = async (): Promise<void> => {
    const title = t('templates.reset');
    const text = t('templates.reset_ask', { key: t(`templates.purpose_${template.purpose}`) });
    if (!(await ask({ title, text, confirm: title }))) return;
    const options = { params: { path: pathOf(template) }, body: { version: 0 } };
    const answer = await act.run(() => api.POST(`${ONE}/rollback`, options), t('act.saved'));
    if (answer?.data) onRestored(answer.data);
  };
  return (
    <Button variant="default" loading={act.busy} onClick={() => void reset()}>
      {t('templates.reset')}
    </Button>
  );
}

interface WorkshopProps extends ResetProps {
  readonly editable: boolean;
}

function Workshop({ template, editable, onRestored }: WorkshopProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const stored = valuesOf(template);
  const { values, change, saved } = useEdits(stored);
  const [begun, setBegun] = useState(template);
  const [reason, setReason] = useState('');
  const preview = usePreview(template, values, editable);
  const isChanged = !isSame(values, stored);
  const save = async (): Promise<void> => {
    const version = versionBelow(values, begun, template);
    const body = { ...contentOf(template, values), version, ...(reason !== '' && { reason }) };
    const options = { params: { path: pathOf(template) }, body };
    const answer = await act.run(() => api.PUT(ONE, options), t('act.saved'));
    if (!answer?.data) return;
    show(answer.data);
    saved(values);
    setReason('');
  };
  return (
    <SimpleGrid cols={{ base: 1, lg: editable ? 2 : 1 }} spacing="lg">
      <Section title={t('templates.message')}>
        <Form
          act={act}
          onSubmit={save}
          onReset={() => {
            change(stored);
          }}
        >
          <Stack>
            <TemplateEditor
              template={template}
              values={values}
              errors={{ ...preview.fields, ...act.fields }}
              editable={editable}
              laidOut={preview.rendered?.html ?? ''}
              onChange={(some) => {
                if (!isChanged) setBegun(template);
                change(some);
              }}
            />
            {editable && (
              <>
                <TextInput
                  label={t('templates.reason')}
                  value={reason}
                  error={act.fields['reason']}
                  maxLength={500}
                  autoComplete="off"
                  onChange={(event) => {
                    setReason(event.currentTarget.value);
                  }}
                />
                <Group>
                  <Button type="submit" loading={act.busy} disabled={!isChanged}>
                    {t('act.save')}
                  </Button>
                  {isChanged && (
                    <Button type="reset" variant="default">
                      {t('act.discard')}
                    </Button>
                  )}
                  {!template.is_default && <Reset template={template} onRestored={onRestored} />}
                </Group>
              </>
            )}
          </Stack>
        </Form>
      </Section>
      {editable && <TemplatePreview preview={preview} />}
    </SimpleGrid>
  );
}

/** Links to the same message for the other channel and languages. */
function Siblings({ template }: { readonly template: MessageTemplate }): ReactNode {
  const { t } = useTranslation();
  const all = ['email', 'sms'].flatMap((channel) =>
    Object.keys(languageNames).map((locale) => ({ channel, locale, purpose: template.purpose })),
  );
  return (
    <Group gap="md" component="nav" aria-label={t('templates.siblings')}>
      {all.map((one) => {
        const isThis = templateName(one) === templateName(template);
        const label = `${t(`deliveries.${one.channel}`)} · ${languageNames[one.locale as keyof typeof languageNames]}`;
        return isThis ? (
          <Text key={label} fw={600} aria-current="page">
            {label}
          </Text>
        ) : (
          <Anchor key={label} component={Link} to={`/admin/templates/${templateName(one)}`} underline="always">
            {label}
          </Anchor>
        );
      })}
    </Group>
  );
}

export function TemplatePage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { name = '' } = useParams();
  const [channel = '', purpose = '', locale = ''] = name.split('.');
  // The address may hold any text. The service returns 404 for an unknown template.
  const params = { path: { channel, purpose, locale } as ReturnType<typeof pathOf> };
  const query = $api.useQuery('get', ONE, { params });
  const editable = may('message_template:update');
  const [restorations, setRestorations] = useState(0);
  /** A rollback discards unsaved edits. */
  const restore = (template: MessageTemplate): void => {
    show(template);
    setRestorations((count) => count + 1);
  };
  return (
    <Page
      wide
      title={query.data ? t(`templates.purpose_${purpose}`) : t('nav.templates')}
      lead={t('templates.in_force')}
    >
      <Loaded query={query}>
        {(template) => (
          <>
            <Siblings template={template} />
            <Group>
              <Mark tone="plain">{t(template.is_default ? 'templates.default' : 'templates.edited')}</Mark>
            </Group>
            <Workshop key={`${name} ${restorations}`} template={template} editable={editable} onRestored={restore} />
            {editable && <TemplateTest key={name} template={template} />}
            <TemplateHistory template={template} editable={editable} onRestored={restore} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
