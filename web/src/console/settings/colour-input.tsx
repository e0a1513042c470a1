import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export interface OneLineProps extends Omit<TextInputProps, 'value' | 'onChange' | 'name'> {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const COLOUR = /^#[0-9a-f]{6}$/i;

/** A colour, typed or chosen in the browser's picker. */
export function ColourInput({ value, onChange, ...rest }: OneLineProps): ReactNode {
  const { t } = useTranslation();
  return (
    <TextInput
      {...rest}
      value={value}
      rightSection={
        <input
          type="color"
          className="swatch"
          aria-label={t('settings.pick_colour')}
          disabled={rest.disabled}
          value={COLOUR.test(value) ? value : '#000000'}
          onChange={(event) => {
            onChange(event.currentTarget.value);
          }}
        />
      }
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}
