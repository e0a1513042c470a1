import { Group, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { given } from '../parts/use-filters';

const texts = ['action', 'actor_id', 'target_type', 'target_id'] as const;
const times = ['from', 'to'] as const;
export const auditFilterNames = [...texts, ...times] as const;

type Name = (typeof auditFilterNames)[number];
const isTime = (name: Name): boolean => times.some((time) => time === name);
type Filters = Readonly<Record<Name, string>>;

/** A time of the person's own clock, as browsers write it; '' where it is not whole yet. */
const instantOf = (local: string): string => (Number.isNaN(Date.parse(local)) ? '' : new Date(local).toISOString());

/** The filters as the API takes them. */
export const auditQuery = (filters: Filters): Partial<Filters> =>
  given({ ...filters, from: instantOf(filters.from), to: instantOf(filters.to) });

interface AuditFiltersProps {
  readonly filters: Filters;
  readonly onSet: (name: Name, value: string) => void;
}

export function AuditFilters({ filters, onSet }: AuditFiltersProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Group>
      {auditFilterNames.map((name) => (
        <TextInput
          key={name}
          flex={1}
          {...(isTime(name) ? { type: 'datetime-local', miw: 200 } : { miw: 150 })}
          label={t(`audit.filter_${name}`)}
          value={filters[name]}
          onChange={(event) => {
            onSet(name, event.currentTarget.value.trim());
          }}
        />
      ))}
    </Group>
  );
}
