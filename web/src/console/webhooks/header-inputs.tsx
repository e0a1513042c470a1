import { Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordInput } from '../components/password-input';
import { isStored, type HeaderRow } from './webhook-values';

interface HeaderInputsProps {
  readonly value: readonly HeaderRow[];
  readonly errors: Readonly<Record<string, string>>;
  readonly disabled: boolean;
  readonly onChange: (rows: HeaderRow[]) => void;
}

/** Additional headers of each request. Stored values stay unless they are typed again. */
export function HeaderInputs({ value, errors, disabled, onChange }: HeaderInputsProps): ReactNode {
  const { t } = useTranslation();
  const replace = (at: number, row: HeaderRow): void => {
    onChange(value.with(at, row));
  };
  return (
    <Fieldset legend={t('webhooks.headers')} disabled={disabled}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('webhooks.headers_hint')}
        </Text>
        {value.map((row, at) => (
          <Group key={at} align="flex-start" role="group" aria-label={row.name}>
            <TextInput
              flex={1}
              miw={150}
              label={t('webhooks.header_name')}
              value={row.name}
              error={errors[`headers.${row.name.trim()}`]}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                replace(at, { ...row, name: event.currentTarget.value });
              }}
            />
            <PasswordInput
              flex={1}
              miw={150}
              label={t('webhooks.header_value')}
              value={row.value}
              placeholder={isStored(row) ? t('webhooks.header_kept') : ''}
              autoComplete="new-password"
              onChange={(event) => {
                replace(at, { ...row, value: event.currentTarget.value });
              }}
            />
            <Button
              mt={25}
              variant="default"
              aria-label={t('webhooks.remove_header', { name: row.name })}
              onClick={() => {
                onChange(value.toSpliced(at, 1));
              }}
            >
              {t('act.remove')}
            </Button>
          </Group>
        ))}
        <div>
          <Button
            variant="default"
            onClick={() => {
              onChange([...value, { name: '', value: '', stored: null }]);
            }}
          >
            {t('webhooks.add_header')}
          </Button>
        </div>
        {errors['headers'] !== undefined && (
          <Text size="sm" className="danger" role="alert">
            {errors['headers']}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}
