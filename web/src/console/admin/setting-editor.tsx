import { Button, Group, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languageNames, type Language } from '../../shared/language';
import { LinesInput } from '../parts/lines-input';
import { WholeNumberInput } from '../parts/whole-number-input';
import { SettingHistory } from './setting-history';
import type { Setting, SettingValue } from './settings-page';
import { PasswordInput } from '../parts/password-input';

interface EditorProps {
  readonly setting: Setting;
  /** Undefined if the stored value is unchanged. */
  readonly edited: SettingValue | undefined;
  readonly error: string | undefined;
  readonly editable: boolean;
  readonly onEdit: (value: SettingValue | undefined) => void;
}

interface InputProps {
  readonly setting: Setting;
  readonly label: string;
  readonly value: SettingValue;
  readonly disabled: boolean;
  readonly error?: string | undefined;
  readonly onChange: (value: SettingValue) => void;
}

const named: readonly string[] = ['off', 'optional', 'required', 'lax', 'strict'];

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

/** Input for the type of the setting. */
export function SettingInput({ setting, label, value, disabled, error, onChange }: InputProps): ReactNode {
  const { t } = useTranslation();
  const common = { label, description: setting.description, disabled, error };
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
          name={setting.key}
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
      return (
        <TextInput
          {...common}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => {
            onChange(event.currentTarget.value);
          }}
        />
      );
  }
}

export function SettingEditor({ setting, edited, error, editable, onEdit }: EditorProps): ReactNode {
  const { t } = useTranslation();
  const [showsHistory, setShowsHistory] = useState(false);
  const isToBeDefault = edited === null;
  return (
    <Stack gap={4}>
      <SettingInput
        label={setting.key}
        setting={isToBeDefault ? { ...setting, is_set: false } : setting}
        value={isToBeDefault ? setting.default_value : (edited ?? setting.value)}
        disabled={!editable}
        error={error}
        onChange={onEdit}
      />
      <Group gap="xs">
        {setting.version > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={showsHistory}
            onClick={() => {
              setShowsHistory(!showsHistory);
            }}
          >
            {t('settings.history')}
          </Button>
        )}
        {editable && setting.is_set && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              onEdit(null);
            }}
          >
            {t('settings.to_default')}
          </Button>
        )}
        {isToBeDefault && (
          <Text size="sm" c="dimmed">
            {t('settings.will_be_default')}
          </Text>
        )}
      </Group>
      {showsHistory && <SettingHistory setting={setting} editable={editable} />}
    </Stack>
  );
}
