export type IdentifierKind = 'email' | 'phone' | 'username';

/**
 * How a login identifier is looked up: as e-mail when it contains `@`, as phone when it starts with `+` or `tel:`,
 * otherwise as username. Does not validate it.
 */
export function classifyIdentifier(text: string): IdentifierKind {
  if (text.includes('@')) return 'email';
  return /^(?:\+|tel:)/i.test(text) ? 'phone' : 'username';
}
