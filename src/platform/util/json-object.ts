/** A text or a whole number (RFC 8259 §6 and §7). */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/g;

const INTEGER = /^-?(?:0|[1-9]\d*)$/;

/** Shorter integers are exact. */
const LONG_INTEGER = /\d{16}/;

/**
 * Parses JSON of another system. Integers beyond 2^53 become texts, because they are ids whose digits count. Throws a
 * `SyntaxError`, and before the search for numbers: it would take quadratic time for a text that is not closed.
 */
export function parseForeignJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!LONG_INTEGER.test(text)) return value;
  return JSON.parse(text.replace(TEXT_OR_NUMBER, (found) => (isInexact(found) ? `"${found}"` : found)));
}

/** Whether the text is an integer of which a JavaScript number would lose digits. */
export const isInexact = (text: string): boolean => INTEGER.test(text) && !Number.isSafeInteger(Number(text));

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object (RFC 8259 §4): neither an array nor null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the members of a JSON object; none for any other value. */
export const membersOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
