/** A text or a whole number (RFC 8259 §6 and §7). */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/g;

const INTEGER = /^-?(?:0|[1-9]\d*)$/;

/** Parses JSON of another system. Integers beyond 2^53 become texts, because they are ids whose digits count. */
export const parseForeignJson = (text: string): unknown =>
  JSON.parse(text.replace(TEXT_OR_NUMBER, (found) => (isInexact(found) ? `"${found}"` : found)));

/** Whether the text is an integer of which a JavaScript number would lose digits. */
export const isInexact = (text: string): boolean => INTEGER.test(text) && !Number.isSafeInteger(Number(text));

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object (RFC 8259 §4): neither an array nor null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the members of a JSON object; none for any other value. */
export const membersOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
