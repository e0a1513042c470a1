import pg from 'pg';

/** Turns one text value of the wire into what `pg` would give. */
export type ValueParser = (text: string) => unknown;

/** `pg` exports this at run time, its types leave it out. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => string | Buffer | null } })
  .utils;

/** `pg` types the id as an enumeration of the ids it knows. */
const typeParsers = pg.types as unknown as { getTypeParser: (typeId: number, format: 'text') => ValueParser };

/** No built-in type of PostgreSQL that `pg` knows has an object id above this. */
const HIGHEST_KNOWN_TYPE = 5_000;

/** Writes a parameter as `pg` writes it on the wire; bytes become the hex text of `bytea`. */
export function toParameter(value: unknown): string | null {
  const prepared = prepareValue(value);
  return Buffer.isBuffer(prepared) ? `\\x${prepared.toString('hex')}` : prepared;
}

/** The parsers of `pg`, by object id: types it leaves as text (uuid, numeric, enums) are missing. */
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
