export type IdentifierKind = 'email' | 'phone' | 'username';

/** How a login's `username` is looked up: with an `@` as e-mail, with a leading `+` as phone, else as username. Says nothing about validity. */
export function classifyIdentifier(text: string): IdentifierKind {
  if (text.includes('@')) return 'email';
  return text.startsWith('+') ? 'phone' : 'username';
}
