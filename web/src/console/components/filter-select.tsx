import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface FilterSelectProps extends Omit<NativeSelectProps, 'value' | 'data' | 'onChange'> {
  /** '' for no filter. */
  readonly value: string;
  readonly choices: NonNullable<NativeSelectProps['data']>;
  readonly onSet: (value: string) => void;
}

/** A filter that selects one of the choices, or all. */
export function FilterSelect({ choices, onSet, ...rest }: FilterSelectProps): ReactNode {
  const { t } = useTranslation();
  return (
    <NativeSelect
      {...rest}
      data={[{ value: '', label: t('list.all') }, ...choices]}
      onChange={(event) => {
        onSet(event.currentTarget.value);
      }}
    />
  );
}
