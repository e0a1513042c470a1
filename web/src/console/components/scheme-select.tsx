import { NativeSelect, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const schemes = ['auto', 'light', 'dark'] as const satisfies MantineColorScheme[];

/** Chooses the colour scheme of the console in this browser. */
export function SchemeSelect(): ReactNode {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <NativeSelect
      label={t('scheme.title')}
      value={colorScheme}
      data={schemes.map((value) => ({ value, label: t(`scheme.${value}`) }))}
      onChange={(event) => {
        setColorScheme(event.currentTarget.value as MantineColorScheme);
      }}
    />
  );
}
