import { Switch, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Template } from './providers-page';

interface TrustSwitches {
  readonly trust_email: boolean;
  readonly auto_register: boolean;
}

interface ProviderTrustProps {
  readonly template: Pick<Template, 'vouches_for_email'>;
  readonly switches: TrustSwitches;
  readonly errors: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
  readonly onChange: (switches: TrustSwitches) => void;
}

/** Switches for how much the service trusts the provider's claims. */
export function ProviderTrust({
  template,
  switches,
  errors,
  disabled = false,
  onChange,
}: ProviderTrustProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      {template.vouches_for_email ? (
        <Switch
          label={t('providers.trust_email')}
          description={t('providers.trust_email_hint')}
          error={errors['trust_email']}
          disabled={disabled}
          checked={switches.trust_email}
          onChange={(event) => {
            onChange({ ...switches, trust_email: event.currentTarget.checked });
          }}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('providers.never_vouches')}
        </Text>
      )}
      <Switch
        label={t('providers.auto_register')}
        description={t('providers.auto_register_hint')}
        error={errors['auto_register']}
        disabled={disabled}
        checked={switches.auto_register}
        onChange={(event) => {
          onChange({ ...switches, auto_register: event.currentTarget.checked });
        }}
      />
    </>
  );
}
