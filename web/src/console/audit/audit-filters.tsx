import { Group, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterInput } from '../parts/filter-input';
import { instantsOf, timeRangeNames, TimeRangeInputs } from '../parts/time-range';
import { given, oneOf } from '../parts/use-filters';
import { findByName } from '../users/find-users';

const texts = ['action', 'actor_id', 'target_type', 'target_id'] as const;
const outcomes = ['success', 'failure'] as const;
export const auditFilterNames = [...texts, 'outcome', ...timeRangeNames] as const;

type Name = (typeof auditFilterNames)[number];
type Filters = Readonly<Record<Name, string>>;
type Query = Partial<Record<Exclude<Name, 'outcome'>, string>> & { readonly outcome?: (typeof outcomes)[number] };

/** Filters that are set, with times converted to UTC. */
export const auditQuery = (filters: Filters): Query =>
  given({ ...filters, outcome: oneOf(outcomes, filters.outcome), ...instantsOf(filters) });

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether the actor is given by name. Only active users can be found by name. */
export const isByName = ({ actor_id: actor }: Query): boolean => actor !== undefined && !ID.test(actor);

/**
 * Replaces the actor's name by the id that the API expects. Returns undefined if no user has the name. Throws the
 * problem if the lookup fails.
 */
export async function knownQuery(query: Query): Promise<Query | undefined> {
  const { actor_id: actor } = query;
  if (actor === undefined || !isByName(query)) return query;
  const id = await findByName(actor);
  return id === undefined ? undefined : { ...query, actor_id: id };
}

interface AuditFiltersProps {
  readonly filters: Filters;
  readonly onSet: (name: Name, value: string) => void;
}

export function AuditFilters({ filters, onSet }: AuditFiltersProps): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Group>
        {texts.map((name) => (
          <FilterInput
            key={name}
            flex={1}
            miw={150}
            label={t(`audit.filter_${name}`)}
            value={filters[name]}
            onSet={(value) => {
              onSet(name, value);
            }}
          />
        ))}
        <NativeSelect
          label={t('audit.outcome')}
          value={oneOf(outcomes, filters.outcome)}
          data={[
            { value: '', label: t('audit.any_outcome') },
            ...outcomes.map((value) => ({ value, label: t(`audit.${value}`) })),
          ]}
          onChange={(event) => {
            onSet('outcome', event.currentTarget.value);
          }}
        />
      </Group>
      <TimeRangeInputs range={filters} onSet={onSet} />
    </>
  );
}
