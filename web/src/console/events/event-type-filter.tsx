import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterSelect } from '../components/filter-select';
import { familyNames, typesIn, wholeFamily } from './event-types';
import { useEventTitle } from './use-event-title';

/** All filters that the list offers. */
export const eventFilters = familyNames.flatMap((family) => [wholeFamily(family), ...typesIn(family)]);

interface EventTypeFilterProps {
  readonly value: string;
  readonly onSet: (filter: string) => void;
}

/** Selects one type, or a whole family. */
export function EventTypeFilter({ value, onSet }: EventTypeFilterProps): ReactNode {
  const { t } = useTranslation();
  const titleOf = useEventTitle();
  return (
    <FilterSelect
      maw={400}
      label={t('events.type')}
      value={value}
      choices={familyNames.map((family) => ({
        group: t(`events.family_${family}`),
        items: [wholeFamily(family), ...typesIn(family)].map((filter) => ({ value: filter, label: titleOf(filter) })),
      }))}
      onSet={onSet}
    />
  );
}
