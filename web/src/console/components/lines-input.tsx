import { Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';

interface LinesInputProps {
  readonly name?: string;
  readonly label: string;
  readonly description?: string;
  readonly value: readonly string[];
  readonly error?: string | undefined;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly onChange: (lines: string[]) => void;
}

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** List of texts, one per line. The input keeps blank lines while the user types. */
export function LinesInput({ value, onChange, ...rest }: LinesInputProps): ReactNode {
  const [typed, setTyped] = useState(value.join('\n'));
  const stored = value.join('\n');
  return (
    <Textarea
      {...rest}
      autosize
      minRows={2}
      maxRows={12}
      className="mono"
      spellCheck={false}
      autoComplete="off"
      // Use a value that changed elsewhere.
      value={linesOf(typed).join('\n') === stored ? typed : stored}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(linesOf(event.currentTarget.value));
      }}
    />
  );
}

/** First error of a list or of one of its lines. */
export function lineError(fields: Readonly<Record<string, string>>, name: string): string | undefined {
  const [, detail] = Object.entries(fields).find(([field]) => field === name || field.startsWith(`${name}[`)) ?? [];
  return detail;
}
