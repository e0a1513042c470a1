interface Reader {
  readonly ownerId: string;
  readonly sessionId: string;
}

interface Stream {
  readonly reader: Reader;
}

/** By topic of the caches that a check reads: the key of a reader under which a change is announced. */
const KEYS: ReadonlyMap<string, (reader: Reader) => string> = new Map([
  ['session', ({ sessionId }: Reader) => sessionId],
  ['user', ({ ownerId }: Reader) => ownerId],
  ['grants', ({ ownerId }: Reader) => ownerId],
  ['second_factor', ({ ownerId }: Reader) => ownerId],
]);
/** A change of these may affect every reader. */
const FOR_ALL: ReadonlySet<string> = new Set(['catalogue', 'setting']);

/** The streams that a change may affect; without keys, anything of the topic may have changed. */
export function changedStreams<S extends Stream>(
  streams: Iterable<S>,
  topic: string,
  keys: readonly string[] | undefined,
): S[] {
  const keyOf = KEYS.get(topic);
  if (!keyOf) return FOR_ALL.has(topic) ? [...streams] : [];
  if (!keys) return [...streams];
  const changed = new Set(keys);
  return [...streams].filter(({ reader }) => changed.has(keyOf(reader)));
}
