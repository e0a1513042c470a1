import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components, paths } from '../../api/schema';
import { FilterInput } from '../components/filter-input';
import { FilterSelect } from '../components/filter-select';
import { instantsOf, timeRangeNames, TimeRangeInputs } from '../components/time-range';
import { given, oneOf } from '../hooks/use-filters';

type Delivery = components['schemas']['DeliveryDto'];
type Query = NonNullable<paths['/api/delivery']['get']['parameters']['query']>;

const options = {
  channel: ['email', 'sms'],
  purpose: [
    'register',
    'login',
    'reset_password',
    'bind',
    'password_changed',
    'email_changed',
    'phone_changed',
    'second_factor_changed',
    'identity_changed',
    'webhook_disabled',
    'acting_started',
    'membership_pending',
    'deletion_requested',
    'deletion_cancelled',
    'deletion_reminder',
    'account_deleted',
    'new_device',
    'invitation',
  ],
  outcome: ['accepted', 'rejected', 'throttled', 'unknown'],
} as const satisfies { readonly [Name in 'channel' | 'purpose' | 'outcome']: readonly Delivery[Name][] };
const choices = ['channel', 'purpose', 'outcome'] as const;
const texts = ['target', 'provider'] as const;
export const deliveryFilterNames = [...texts, ...choices, ...timeRangeNames] as const satisfies (keyof Query)[];

type Name = (typeof deliveryFilterNames)[number];
type Filters = Readonly<Record<Name, string>>;

/** Filters as query parameters of the API. */
export const deliveryQuery = (filters: Filters): Query =>
  given({
    ...filters,
    ...instantsOf(filters),
    channel: oneOf(options.channel, filters.channel),
    purpose: oneOf(options.purpose, filters.purpose),
    outcome: oneOf(options.outcome, filters.outcome),
  });

interface DeliveryFiltersProps {
  readonly filters: Filters;
  readonly onSet: (name: Name, value: string) => void;
}

export function DeliveryFilters({ filters, onSet }: DeliveryFiltersProps): ReactNode {
  const { t } = useTranslation();
  const labelOf = (name: (typeof choices)[number], value: string): string =>
    t(name === 'purpose' ? `templates.purpose_${value}` : `deliveries.${value}`);
  return (
    <>
      <FilterInput
        label={t('deliveries.target')}
        description={t('deliveries.target_hint')}
        value={filters.target}
        onSet={(target) => {
          onSet('target', target);
        }}
      />
      <Group align="flex-end">
        {choices.map((name) => (
          <FilterSelect
            key={name}
            flex={1}
            miw={130}
            label={t(`deliveries.${name}`)}
            value={filters[name]}
            choices={options[name].map((value) => ({ value, label: labelOf(name, value) }))}
            onSet={(value) => {
              onSet(name, value);
            }}
          />
        ))}
        <FilterInput
          flex={1}
          miw={130}
          label={t('deliveries.provider')}
          value={filters.provider}
          onSet={(provider) => {
            onSet('provider', provider);
          }}
        />
      </Group>
      <TimeRangeInputs range={filters} onSet={onSet} />
    </>
  );
}
