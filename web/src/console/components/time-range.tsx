import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterInput } from './filter-input';

export const timeRangeNames = ['from', 'to'] as const;

type Name = (typeof timeRangeNames)[number];
type TimeRange = Readonly<Record<Name, string>>;

/** Converts the browser's local time to UTC. Returns '' for an incomplete time. */
const instantOf = (local: string): string => (Number.isNaN(Date.parse(local)) ? '' : new Date(local).toISOString());

/** Converts the range to the API's format. */
export const instantsOf = ({ from, to }: TimeRange): TimeRange => ({ from: instantOf(from), to: instantOf(to) });

interface TimeRangeProps {
  readonly range: TimeRange;
  readonly onSet: (name: Name, value: string) => void;
}

export function TimeRangeInputs({ range, onSet }: TimeRangeProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Group>
      {timeRangeNames.map((name) => (
        <FilterInput
          key={name}
          flex={1}
          miw={200}
          type="datetime-local"
          label={t(`list.${name}`)}
          value={range[name]}
          onSet={(value) => {
            onSet(name, value);
          }}
        />
      ))}
    </Group>
  );
}
