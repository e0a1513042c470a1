import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';

interface AcceptedLoginsProps {
  readonly offered: components['schemas']['OrganizationSettingsDto']['service']['login_methods'];
  /** Null: all. */
  readonly value: readonly string[] | null;
  readonly error?: string | undefined;
  readonly onChange: (value: readonly string[] | null) => void;
}

/** Which login methods of the service the organization accepts. */
export function AcceptedLogins({ offered, value, error, onChange }: AcceptedLoginsProps): ReactNode {
  const { t, i18n } = useTranslation();
  const known = offered.map(({ method }) => method);
  // Also those that the service no longer offers, so that they can be removed.
  const shown = [...known, ...(value ?? []).filter((method) => !known.includes(method))];
  const nameOf = (method: string): string => {
    const label = offered.find((one) => one.method === method)?.label;
    return label ?? (i18n.exists(`login_methods.${method}`) ? t(`login_methods.${method}`) : method);
  };
  return (
    <Stack gap="xs">
      <Checkbox
        label={t('organizations.all_logins')}
        description={t('organizations.all_logins_hint')}
        checked={value === null}
        onChange={(event) => {
          onChange(event.currentTarget.checked ? null : known);
        }}
      />
      {value !== null && (
        <Checkbox.Group
          label={t('nav.login_methods')}
          value={[...value]}
          error={error}
          onChange={(methods) => {
            onChange(methods);
          }}
        >
          <Stack gap="xs" mt="xs">
            {shown.map((method) => (
              <Checkbox key={method} value={method} label={nameOf(method)} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Stack>
  );
}
