import { NativeSelect, Switch, Text, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languageNames, type Language } from '../../shared/language';
import { LinesInput } from '../components/lines-input';
import { PasswordInput } from '../components/password-input';
import { WholeNumberInput } from '../components/whole-number-input';
import { ColourInput, type OneLineProps } from './colour-input';
import { durationOf } from './duration';
import { LogoInput } from './logo-input';
import { SourceInput } from './source-input';
import type { Setting, SettingValue } from './setting';

interface InputProps {
  readonly setting: Setting;
  readonly label: string;
  readonly value: SettingValue;
  readonly disabled: boolean;
  readonly error?: string | undefined;
  readonly onChange: (value: SettingValue) => void;
}

const named: readonly string[] = ['off', 'optional', 'required', 'lax', 'strict', 'username', 'email', 'phone'];

/** What the option `none` omits, by setting key. */
const leftOut: Readonly<Record<string, string>> = {
  'jwt.cookie_same_site': 'same_site',
  'sms.fallback_provider': 'fallback',
};

/** Label of an option. Names of products and languages are not translated. */
function choiceName(t: TFunction, key: string, option: string): string {
  if (named.includes(option)) return t(`settings.choice_${option}`);
  const what = option === 'none' ? leftOut[key] : undefined;
  if (what !== undefined) return t(`settings.choice_none_${what}`);
  return option in languageNames ? languageNames[option as Language] : option;
}

interface DurationMarkProps {
  readonly settingKey: string;
  readonly value: SettingValue;
}

/** A number of seconds or days, in words. */
function DurationMark({ settingKey, value }: DurationMarkProps): ReactNode {
  const duration = typeof value === 'number' ? durationOf(settingKey, value) : undefined;
  return (
    duration !== undefined && (
      <Text size="sm" c="dimmed" w="100%" ta="end" pe="sm" truncate>
        {duration}
      </Text>
    )
  );
}

/** Inputs of their own for what can be shown. */
const pictured: Readonly<Record<string, typeof ColourInput>> = {
  'app.primary_color': ColourInput,
  'app.background_color': ColourInput,
  'app.logo': LogoInput,
  'app.logo_dark': LogoInput,
  'app.favicon': LogoInput,
  'app.background_image': LogoInput,
  'app.custom_css': SourceInput,
};

function OneLine({ value, onChange, ...rest }: OneLineProps): ReactNode {
  const Pictured = pictured[rest.name];
  if (Pictured) return <Pictured {...rest} value={value} onChange={onChange} />;
  return (
    <TextInput
      {...rest}
      value={value}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}

/** Input for the type of the setting. */
export function SettingInput({ setting, label, value, disabled, error, onChange }: InputProps): ReactNode {
  const { t } = useTranslation();
  const common = { name: setting.key, label, description: setting.description, disabled, error };
  if (setting.is_secret) {
    return (
      <PasswordInput
        {...common}
        placeholder={setting.is_set ? t('settings.secret_set') : t('settings.secret_unset')}
        value={typeof value === 'string' ? value : ''}
        autoComplete="new-password"
        onChange={(event) => {
          onChange(event.currentTarget.value);
        }}
      />
    );
  }
  switch (setting.type) {
    case 'boolean':
      return (
        <Switch
          {...common}
          checked={value === true}
          onChange={(event) => {
            onChange(event.currentTarget.checked);
          }}
        />
      );
    case 'integer':
      return (
        <WholeNumberInput
          {...common}
          rightSection={<DurationMark settingKey={setting.key} value={value} />}
          rightSectionWidth={160}
          rightSectionPointerEvents="none"
          value={typeof value === 'number' ? value : undefined}
          {...(setting.minimum !== undefined && { min: setting.minimum })}
          {...(setting.maximum !== undefined && { max: setting.maximum })}
          onChange={onChange}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          value={String(value)}
          data={(setting.options ?? []).map((option) => ({ value: option, label: choiceName(t, setting.key, option) }))}
          onChange={(event) => {
            onChange(event.currentTarget.value);
          }}
        />
      );
    case 'text_list':
      return <LinesInput {...common} value={Array.isArray(value) ? value : []} onChange={onChange} />;
    case 'text':
      return <OneLine {...common} value={typeof value === 'string' ? value : ''} onChange={onChange} />;
  }
}
