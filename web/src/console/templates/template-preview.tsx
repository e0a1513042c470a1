import { Alert, Loader, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors, isProblem, sentenceOf } from '../../api/problem';
import type { components } from '../../api/schema';
import { api } from '../api';
import { Section } from '../components/section';
import { MailFrame } from './mail-frame';
import { contentOf, pathOf, type TemplateValues } from './template-values';
import { templateName, type MessageTemplate } from './templates-page';

type Rendered = components['schemas']['RenderedMessageDto'];

const WAIT_MS = 300;

export interface LivePreview {
  readonly rendered: Rendered | undefined;
  readonly error: unknown;
  /** Validation errors by field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Renders the message as it would be sent, after a short debounce. */
export function usePreview(template: MessageTemplate, values: TemplateValues, enabled: boolean): LivePreview {
  const [settled] = useDebouncedValue(values, WAIT_MS);
  const { subject, text, html } = contentOf(template, settled);
  const body = { subject, text, html };
  const path = pathOf(template);
  const query = useQuery({
    queryKey: ['template-preview', templateName(template), body],
    queryFn: async () => {
      const { data, error } = await api.POST('/api/message-template/{channel}/{purpose}/{locale}/preview', {
        params: { path },
        body,
      });
      // oxlint-disable-next-line typescript/only-throw-error -- the query stores the problem
      if (!data) throw error;
      return data;
    },
    placeholderData: keepPreviousData,
    retry: false,
    enabled,
  });
  return {
    rendered: query.data,
    error: query.error,
    fields: isProblem(query.error) ? fieldErrors(query.error) : {},
  };
}

function Message({ rendered }: { readonly rendered: Rendered }): ReactNode {
  const { t } = useTranslation();
  if (rendered.sms_segments !== null) {
    return (
      <>
        <div className="sms-bubble">{rendered.text}</div>
        <Text size="sm" c="dimmed">
          {t('templates.segments', { count: rendered.sms_segments })}
        </Text>
      </>
    );
  }
  return (
    <>
      <Text size="sm">
        <strong>{t('templates.subject')}:</strong> {rendered.subject}
      </Text>
      {rendered.html !== null && <MailFrame title={t('templates.preview')} html={rendered.html} />}
    </>
  );
}

export function TemplatePreview({ preview }: { readonly preview: LivePreview }): ReactNode {
  const { t } = useTranslation();
  const { rendered, error } = preview;
  return (
    <Section title={t('templates.preview')} lead={t('templates.preview_hint')}>
      <Stack gap="sm">
        {error != null && (
          <Alert color="red" role="status">
            {isProblem(error) ? (error.errors?.[0]?.detail ?? sentenceOf(error)) : t('page.unreachable')}
          </Alert>
        )}
        {rendered ? <Message rendered={rendered} /> : error == null && <Loader aria-label={t('page.loading')} />}
      </Stack>
    </Section>
  );
}
