import { Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languageNames, languages } from '../../shared/language';
import { lineError, LinesInput } from '../components/lines-input';
import { Section } from '../components/section';
import { hasLength, hasRange, owners, requiredAt, sources, types, type AttributeForm } from './attribute';

interface AttributeFieldsProps {
  readonly values: AttributeForm;
  readonly errors: Readonly<Record<string, string>>;
  readonly disabled: boolean;
  readonly onChange: (change: Partial<AttributeForm>) => void;
}

/** The label and the help, in each language. */
function TextFields({ values, errors, disabled, onChange }: AttributeFieldsProps): ReactNode {
  const { t } = useTranslation();
  return (['label', 'description'] as const).map((name) => (
    <Group key={name} grow preventGrowOverflow={false} align="flex-start">
      {languages.map((language) => (
        <TextInput
          key={language}
          miw={200}
          label={t(`attributes.${name}`, { language: languageNames[language] })}
          description={name === 'description' ? t('attributes.description_hint') : undefined}
          name={`${name}.${language}`}
          value={values[name][language]}
          error={errors[`${name}.${language}`]}
          required={name === 'label'}
          disabled={disabled}
          autoComplete="off"
          onChange={(event) => {
            onChange({ [name]: { ...values[name], [language]: event.currentTarget.value } });
          }}
        />
      ))}
    </Group>
  ));
}

/** What values may be, by the type. */
function LimitFields({ values, errors, disabled, onChange }: AttributeFieldsProps): ReactNode {
  const { t } = useTranslation();
  const input = (name: 'min' | 'max' | 'max_length' | 'pattern', hint?: string): ReactNode => (
    <TextInput
      key={name}
      label={t(`attributes.${name}`)}
      description={hint}
      name={name}
      type={values.type === 'date' ? 'date' : 'text'}
      value={values[name]}
      error={errors[name]}
      disabled={disabled}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => {
        onChange({ [name]: event.currentTarget.value });
      }}
    />
  );
  if (values.type === 'choice') {
    return (
      <LinesInput
        name="choices"
        label={t('attributes.choices')}
        description={t('attributes.choices_hint')}
        value={values.choices}
        error={lineError(errors, 'choices')}
        disabled={disabled}
        onChange={(choices) => {
          onChange({ choices });
        }}
      />
    );
  }
  if (hasRange(values)) return <Group align="flex-start">{[input('min'), input('max')]}</Group>;
  if (!hasLength(values)) return null;
  return (
    <>
      {input('max_length', t('attributes.max_length_hint'))}
      {input('pattern', t('attributes.pattern_hint'))}
    </>
  );
}

/** Who reads and writes values, and when they must be given. */
function AccessFields({ values, errors, disabled, onChange }: AttributeFieldsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack>
      <NativeSelect
        label={t('attributes.source')}
        description={t(`attributes.source_${values.source}_hint`)}
        value={values.source}
        error={errors['source']}
        disabled={disabled}
        data={sources.map((value) => ({ value, label: t(`attributes.source_${value}`) }))}
        onChange={(event) => {
          onChange({ source: event.currentTarget.value as AttributeForm['source'] });
        }}
      />
      <NativeSelect
        label={t('attributes.owner')}
        description={t('attributes.owner_hint')}
        value={values.owner}
        error={errors['owner']}
        disabled={disabled}
        data={owners.map((value) => ({ value, label: t(`attributes.owner_${value}`) }))}
        onChange={(event) => {
          const owner = event.currentTarget.value as AttributeForm['owner'];
          onChange(owner === 'write' ? { owner } : { owner, required: 'no' });
        }}
      />
      <NativeSelect
        label={t('attributes.required')}
        description={t(
          values.owner === 'write' ? `attributes.required_${values.required}_hint` : 'attributes.required_hint',
        )}
        value={values.required}
        error={errors['required']}
        disabled={disabled || values.owner !== 'write'}
        data={requiredAt.map((value) => ({ value, label: t(`attributes.required_${value}`) }))}
        onChange={(event) => {
          onChange({ required: event.currentTarget.value as AttributeForm['required'] });
        }}
      />
    </Stack>
  );
}

/** All of an attribute but its name. */
export function AttributeFields(props: AttributeFieldsProps & { readonly children?: ReactNode }): ReactNode {
  const { values, errors, disabled, onChange, children } = props;
  const { t } = useTranslation();
  return (
    <Stack gap="lg">
      <Section title={t('attributes.about')}>
        {children}
        <TextFields {...props} />
      </Section>
      <Section title={t('attributes.values')}>
        <NativeSelect
          label={t('attributes.type')}
          description={t('attributes.type_hint')}
          value={values.type}
          error={errors['type']}
          disabled={disabled}
          data={types.map((value) => ({ value, label: t(`attributes.type_${value}`) }))}
          onChange={(event) => {
            onChange({ type: event.currentTarget.value as AttributeForm['type'] });
          }}
        />
        <LimitFields {...props} />
        {(['unique', 'searchable'] as const).map((name) => (
          <Checkbox
            key={name}
            label={t(`attributes.${name}`)}
            description={t(`attributes.${name}_hint`)}
            checked={values[name]}
            error={errors[name]}
            disabled={disabled}
            onChange={(event) => {
              onChange({ [name]: event.currentTarget.checked });
            }}
          />
        ))}
      </Section>
      <Section title={t('attributes.access')}>
        <AccessFields {...props} />
      </Section>
    </Stack>
  );
}
