import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterInput } from '../parts/filter-input';
import { instantsOf, timeRangeNames, TimeRangeInputs } from '../parts/time-range';
import { given } from '../parts/use-filters';
import { findByName } from './find-users';

const texts = ['action', 'actor_id', 'target_type', 'target_id'] as const;
export const auditFilterNames = [...texts, ...timeRangeNames] as const;

type Name = (typeof auditFilterNames)[number];
type Filters = Readonly<Record<Name, string>>;

/** Filters that are set, with times converted to UTC. */
export const auditQuery = (filters: Filters): Partial<Filters> => given({ ...filters, ...instantsOf(filters) });

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether the actor is given by name. Only active users can be found by name. */
export const isByName = ({ actor_id: actor }: Partial<Filters>): boolean => actor !== undefined && !ID.test(actor);

/**
 * Replaces the actor's name by the id that the API expects. Returns undefined if no user has the name. Throws the
 * problem if the lookup fails.
 */
export async function knownQuery(query: Partial<Filters>): Promise<Partial<Filters> | undefined> {
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
      </Group>
      <TimeRangeInputs range={filters} onSet={onSet} />
    </>
  );
}
