type Members = Readonly<Record<string, unknown>>;

/** The members of a JSON object; none where it is something else. */
export const members = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Texts and numbers, as providers mix them. */
export const codeOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : textOf(value);
