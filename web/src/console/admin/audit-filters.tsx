import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterInput } from '../parts/filter-input';
import { instantsOf, timeRangeNames, TimeRangeInputs } from '../parts/time-range';
import { given } from '../parts/use-filters';

const texts = ['action', 'actor_id', 'target_type', 'target_id'] as const;
export const auditFilterNames = [...texts, ...timeRangeNames] as const;

type Name = (typeof auditFilterNames)[number];
type Filters = Readonly<Record<Name, string>>;

/** The filters as the API takes them. */
export const auditQuery = (filters: Filters): Partial<Filters> => given({ ...filters, ...instantsOf(filters) });

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
