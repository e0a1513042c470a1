import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState, type ReactNode } from 'react';

interface FilterInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** As it stands in the address. */
  readonly value: string;
  readonly onSet: (value: string) => void;
}

const REST_MS = 250;

/**
 * A filter to type into. What is typed stands here, as the address answers too late for a cursor or an input method to
 * be left alone; it is copied there once the typing rests.
 */
export function FilterInput({ value, onSet, ...rest }: FilterInputProps): ReactNode {
  const [text, setText] = useState(value);
  /** Set by this box, and not in the address yet. */
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
