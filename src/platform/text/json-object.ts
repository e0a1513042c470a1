export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON text is an object (RFC 8259 §4): neither a list nor null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a JSON object; none where it is something else. */
export const membersOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
