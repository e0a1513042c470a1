import { InputBase } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OneLineProps } from './colour-input';

/** Source text of several lines. Lighter than Mantine's Textarea, which measures its content. */
export function SourceInput({ name, label, description, disabled, error, value, onChange }: OneLineProps): ReactNode {
  return (
    <InputBase
      component="textarea"
      multiline
      {...{ name, label, description, disabled, error, value }}
      rows={10}
      spellCheck={false}
      className="mono"
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}
