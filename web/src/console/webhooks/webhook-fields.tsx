import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lineError } from '../components/lines-input';
import { HeaderInputs } from './header-inputs';
import type { Webhook } from './webhook-lists';
import type { WebhookValues } from './webhook-values';

const TypePicker = lazy(async () => ({ default: (await import('./type-picker')).TypePicker }));

const formats: readonly Webhook['format'][] = ['standard_webhooks', 'caep'];

interface WebhookFieldsProps {
  /** Only a new webhook has a choice of formats. */
  readonly isNew?: boolean;
  readonly values: WebhookValues;
  readonly errors: Readonly<Record<string, string>>;
  readonly editable: boolean;
  /** Without it, only the name can be changed. */
  readonly canSend: boolean;
  readonly onChange: (change: Partial<WebhookValues>) => void;
}

/** The form of deliveries, and who they are for. */
function FormatFields({ isNew = false, values, errors, editable, canSend, onChange }: WebhookFieldsProps): ReactNode {
  const { t } = useTranslation();
  const isToken = values.format === 'caep';
  return (
    <>
      <NativeSelect
        label={t('webhooks.format')}
        description={t(isToken ? 'webhooks.format_caep_hint' : 'webhooks.format_hint')}
        value={values.format}
        disabled={!isNew}
        data={formats.map((value) => ({ value, label: t(`webhooks.format_${value}`) }))}
        onChange={(event) => {
          onChange({ format: event.currentTarget.value as Webhook['format'] });
        }}
      />
      {isToken && (
        <TextInput
          label={t('webhooks.audience')}
          name="audience"
          description={t('webhooks.audience_hint')}
          value={values.audience}
          error={errors['audience']}
          required
          disabled={!editable || !canSend}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            onChange({ audience: event.currentTarget.value });
          }}
        />
      )}
    </>
  );
}

export function WebhookFields(props: WebhookFieldsProps): ReactNode {
  const { values, errors, editable, canSend, onChange } = props;
  const { t } = useTranslation();
  return (
    <Stack>
      <TextInput
        label={t('clients.name')}
        name="name"
        description={t('clients.description_hint')}
        value={values.name}
        error={errors['name']}
        required
        disabled={!editable}
        autoComplete="off"
        onChange={(event) => {
          onChange({ name: event.currentTarget.value });
        }}
      />
      <TextInput
        label={t('webhooks.url')}
        name="url"
        description={t('webhooks.url_hint')}
        value={values.url}
        error={errors['url']}
        required
        disabled={!editable || !canSend}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          onChange({ url: event.currentTarget.value });
        }}
      />
      <FormatFields {...props} />
      <Suspense>
        <TypePicker
          value={values.types}
          error={lineError(errors, 'types')}
          disabled={!editable || !canSend}
          onChange={(types) => {
            onChange({ types });
          }}
        />
      </Suspense>
      <HeaderInputs
        value={values.headers}
        errors={errors}
        disabled={!editable || !canSend}
        onChange={(headers) => {
          onChange({ headers });
        }}
      />
    </Stack>
  );
}
