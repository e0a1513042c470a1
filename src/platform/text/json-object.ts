export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object (RFC 8259 §4): neither an array nor null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the members of a JSON object; none for any other value. */
export const membersOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
