import pg from 'pg';

/** Parses a text value of the wire protocol as `pg` does. */
export type ValueParser = (text: string) => unknown;

/** Exported by `pg` at run time, but missing in its types. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => string | Buffer | null } })
  .utils;

/** `pg` types the id as an enum of known ids. */
const typeParsers = pg.types as unknown as { getTypeParser: (typeId: number, format: 'text') => ValueParser };

/** Above every object id that `pg` knows. */
const HIGHEST_KNOWN_TYPE = 5_000;

/** Encodes a parameter as `pg` does; bytes become the hex text of `bytea`. */
export function toParameter(value: unknown): string | null {
  const prepared = prepareValue(value);
  return Buffer.isBuffer(prepared) ? `\\x${prepared.toString('hex')}` : prepared;
}

/** Returns the parsers of `pg` by object id, without types that stay text (uuid, numeric, enums). */
export function pgParsers(): Record<number, ValueParser> {
  const plainText = parserOf(0);
  const parsers: Record<number, ValueParser> = {};
  for (let typeId = 1; typeId <= HIGHEST_KNOWN_TYPE; typeId += 1) {
    const parser = parserOf(typeId);
    if (parser !== plainText) parsers[typeId] = (text) => parser(text);
  }
  return parsers;
}

function parserOf(typeId: number): ValueParser {
  return typeParsers.getTypeParser(typeId, 'text');
}
