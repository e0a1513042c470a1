import { PasswordInput as MantinePasswordInput, type PasswordInputProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** Mantine's, which shows that what was typed is wrong, but does not say so. */
export function PasswordInput(props: PasswordInputProps): ReactNode {
  return <MantinePasswordInput {...props} aria-invalid={props.error ? true : undefined} />;
}
