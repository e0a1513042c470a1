export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Texts and numbers, as providers mix them. */
export const codeOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : textOf(value);
