import { TextInput, type TextInputProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';

interface WholeNumberInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'step' | 'name'> {
  /** The form reports errors under this name. */
  readonly name: string;
  readonly value: number | undefined;
  readonly onChange: (value: number) => void;
}

const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value));

/** Number input. An incomplete number stays visible, but does not change the value. */
export function WholeNumberInput({ value, onChange, ...rest }: WholeNumberInputProps): ReactNode {
  const [typed, setTyped] = useState({ text: textOf(value), value });
  return (
    <TextInput
      {...rest}
      required
      withAsterisk={false}
      type="number"
      step={1}
      // Use a value that changed elsewhere.
      value={typed.value === value ? typed.text : textOf(value)}
      onChange={({ currentTarget: { value: text, valueAsNumber: number } }) => {
        const isWhole = Number.isSafeInteger(number);
        setTyped({ text, value: isWhole ? number : value });
        if (isWhole) onChange(number);
      }}
      onBlur={() => {
        setTyped({ text: textOf(value), value });
      }}
    />
  );
}
