import { PasswordInput as MantinePasswordInput, type PasswordInputProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** Adds `aria-invalid`, which Mantine's input leaves out. */
export function PasswordInput(props: PasswordInputProps): ReactNode {
  return <MantinePasswordInput {...props} aria-invalid={props.error ? true : undefined} />;
}
