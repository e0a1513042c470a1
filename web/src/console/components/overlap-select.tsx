import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Seconds that the previous secret stays valid. */
export const OVERLAPS = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
export type Overlap = keyof typeof OVERLAPS;

interface OverlapSelectProps {
  readonly value: Overlap;
  readonly onChange: (overlap: Overlap) => void;
}

/** Selects how long a replaced secret stays valid. */
export function OverlapSelect({ value, onChange }: OverlapSelectProps): ReactNode {
  const { t } = useTranslation();
  return (
    <NativeSelect
      label={t('clients.overlap')}
      value={value}
      data={Object.keys(OVERLAPS).map((each) => ({ value: each, label: t(`clients.overlap_${each}`) }))}
      onChange={(event) => {
        onChange(event.currentTarget.value as Overlap);
      }}
    />
  );
}
