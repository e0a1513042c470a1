import { Button, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TemplateValues } from './template-values';
import type { MessageTemplate } from './templates-page';

interface TemplateEditorProps {
  readonly template: MessageTemplate;
  readonly values: TemplateValues;
  readonly errors: Readonly<Record<string, string>>;
  readonly editable: boolean;
  /** Generated HTML that a custom version starts from. */
  readonly laidOut: string;
  readonly onChange: (change: Partial<TemplateValues>) => void;
}

interface PlaceholdersProps {
  readonly names: readonly string[];
  readonly disabled: boolean;
  readonly onPick: (placeholder: string) => void;
}

function Placeholders({ names, disabled, onPick }: PlaceholdersProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm" fw={500}>
        {t('templates.placeholders')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('templates.placeholders_hint')}
      </Text>
      <Group gap="xs" mt={6} role="group" aria-label={t('templates.placeholders')}>
        {names.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            variant="default"
            disabled={disabled}
            title={t(`templates.placeholder_${name}`)}
            onClick={() => {
              onPick(`{${name}}`);
            }}
          >
            {`{${name}}`}
          </Button>
        ))}
      </Group>
    </div>
  );
}

function OwnHtml({ values, errors, editable, laidOut, onChange }: TemplateEditorProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Switch
        label={t('templates.own_html')}
        description={t('templates.own_html_hint')}
        checked={values.html !== ''}
        disabled={!editable}
        onChange={(event) => {
          onChange({ html: event.currentTarget.checked ? laidOut : '' });
        }}
      />
      {values.html !== '' && (
        <Textarea
          label={t('templates.html')}
          description={t('templates.html_hint')}
          value={values.html}
          error={errors['html']}
          disabled={!editable}
          autosize
          minRows={6}
          maxRows={24}
          className="mono"
          spellCheck={false}
          onChange={(event) => {
            onChange({ html: event.currentTarget.value });
          }}
        />
      )}
    </>
  );
}

export function TemplateEditor(props: TemplateEditorProps): ReactNode {
  const { template, values, errors, editable, onChange } = props;
  const { t } = useTranslation();
  const area = useRef<HTMLTextAreaElement>(null);
  const isMail = template.channel === 'email';
  const pick = (placeholder: string): void => {
    const { selectionStart, selectionEnd } = area.current ?? { selectionStart: 0, selectionEnd: 0 };
    onChange({ text: values.text.slice(0, selectionStart) + placeholder + values.text.slice(selectionEnd) });
    area.current?.focus();
  };
  return (
    <Stack>
      {isMail && (
        <TextInput
          label={t('templates.subject')}
          description={t('templates.subject_hint')}
          value={values.subject}
          error={errors['subject']}
          disabled={!editable}
          maxLength={200}
          onChange={(event) => {
            onChange({ subject: event.currentTarget.value });
          }}
        />
      )}
      <Textarea
        ref={area}
        label={t('templates.text')}
        description={isMail ? t('templates.text_hint', { placeholder: '{code}' }) : t('templates.text_hint_sms')}
        value={values.text}
        error={errors['text']}
        disabled={!editable}
        autosize
        minRows={4}
        maxRows={20}
        onChange={(event) => {
          onChange({ text: event.currentTarget.value });
        }}
      />
      {editable && <Placeholders names={template.placeholders} disabled={!editable} onPick={pick} />}
      {isMail && <OwnHtml {...props} />}
      {!isMail && (
        <TextInput
          label={t('templates.provider_template')}
          description={t('templates.provider_template_hint')}
          value={values.provider_template}
          error={errors['provider_template']}
          disabled={!editable}
          className="mono"
          autoComplete="off"
          onChange={(event) => {
            onChange({ provider_template: event.currentTarget.value });
          }}
        />
      )}
    </Stack>
  );
}
