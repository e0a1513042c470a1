import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { PasswordInput } from '../components/password-input';

/** Templates whose secret is a private key with several lines. A single-line input would join them. */
const KEYS: ReadonlySet<string> = new Set(['apple', 'alipay']);

interface ProviderSecretProps {
  readonly template: string;
  readonly name?: string;
  readonly label: string;
  readonly description: string;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly value: string;
  readonly error?: string | undefined;
  readonly disabled?: boolean;
  readonly onChange: (value: string) => void;
}

export function ProviderSecret({ template, onChange, ...rest }: ProviderSecretProps): ReactNode {
  const change = (event: { currentTarget: { value: string } }): void => {
    onChange(event.currentTarget.value);
  };
  return KEYS.has(template) ? (
    <Textarea {...rest} autosize minRows={3} maxRows={10} className="mono" spellCheck={false} onChange={change} />
  ) : (
    <PasswordInput {...rest} autoComplete="new-password" onChange={change} />
  );
}
