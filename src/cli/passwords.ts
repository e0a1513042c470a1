import { randomPassword } from '../platform/crypto';
import { Invocation } from './command';
import { isGiven } from './option';

interface Password {
  readonly text: string;
  readonly isGenerated: boolean;
}

/** Generates a password with `--generate-password`, otherwise reads it from the terminal or standard input. */
export async function readPassword(invocation: Invocation, username: string): Promise<Password> {
  if (isGiven(invocation, 'generate-password')) return { text: randomPassword(), isGenerated: true };
  return { text: await invocation.terminal.readSecret(`Password of ${username}`), isGenerated: false };
}

/** The output of a password: only a generated one is printed, this once. */
export const passwordPart = (password: Password | undefined): { readonly password?: string } =>
  password?.isGenerated ? { password: password.text } : {};

export const passwordLines = (password: Password | undefined): string[] =>
  password?.isGenerated ? [`Password, shown only now: ${password.text}`] : [];
