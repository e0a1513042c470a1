import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState, type ReactNode } from 'react';

interface FilterInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Value in the address. */
  readonly value: string;
  readonly onSet: (value: string) => void;
}

const REST_MS = 250;

/**
 * Text filter. It keeps the typed text itself and copies it to the address after a pause: the address updates too late
 * to keep the cursor and the input method intact.
 */
export function FilterInput({ value, onSet, ...rest }: FilterInputProps): ReactNode {
  const [text, setText] = useState(value);
  /** Values set by this input that are not in the address yet. */
  const underWay = useRef<string[]>([]);
  const copy = useDebouncedCallback((typed: string) => {
    const wanted = typed.trim();
    if (wanted === (underWay.current.at(-1) ?? value)) return;
    underWay.current.push(wanted);
    onSet(wanted);
  }, REST_MS);
  useEffect(() => {
    const own = underWay.current.indexOf(value);
    underWay.current.splice(0, own + 1);
    if (own !== -1) return;
    copy.cancel();
    setText(value);
  }, [value]);
  return (
    <TextInput
      {...rest}
      value={text}
      onChange={({ currentTarget, nativeEvent }) => {
        setText(currentTarget.value);
        if ((nativeEvent as InputEvent).isComposing) copy.cancel();
        else copy(currentTarget.value);
      }}
      onCompositionEnd={({ currentTarget }) => {
        copy(currentTarget.value);
      }}
      onBlur={() => {
        copy.flush();
      }}
    />
  );
}
