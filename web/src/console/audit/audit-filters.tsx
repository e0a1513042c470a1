import { Group, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterInput } from '../components/filter-input';
import { instantsOf, timeRangeNames, TimeRangeInputs } from '../components/time-range';
import { given, oneOf } from '../hooks/use-filters';
import { findPeople, type Person } from '../hooks/find-users';

const texts = ['action', 'actor_id', 'on_behalf_of_id', 'target_type', 'target_id'] as const;
/** Users, by name or id. */
const users = ['actor_id', 'on_behalf_of_id'] as const;
const outcomes = ['success', 'failure'] as const;
export const auditFilterNames = [...texts, 'outcome', ...timeRangeNames] as const;

type Name = (typeof auditFilterNames)[number];
type Filters = Readonly<Record<Name, string>>;
export type Query = Partial<Record<Exclude<Name, 'outcome'>, string>> & {
  readonly outcome?: (typeof outcomes)[number];
};

/** Filters that are set, with times converted to UTC. */
export const auditQuery = (filters: Filters): Query =>
  given({ ...filters, outcome: oneOf(outcomes, filters.outcome), ...instantsOf(filters) });

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const isName = (text: string | undefined): text is string => text !== undefined && !ID.test(text);

/** Whether a user is given by name. */
export const isByName = (query: Query): boolean => users.some((name) => isName(query[name]));

/** A query that the API takes, or the users that a filter may mean: none, or several. */
export type ReadQuery =
  { readonly known: Query } | { readonly known?: undefined; readonly filter: Name; readonly people: readonly Person[] };

/** Replaces names of users by the ids that the API expects. Throws the problem if the lookup fails. */
export async function knownQuery(query: Query, everyStatus: boolean): Promise<ReadQuery> {
  const known: { -readonly [Name in keyof Query]: Query[Name] } = { ...query };
  for (const name of users) {
    const text = query[name];
    if (!isName(text)) continue;
    const people = await findPeople(text, everyStatus);
    const [first, second] = people;
    if (!first || second) return { filter: name, people };
    known[name] = first.id;
  }
  return { known };
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
