import { UnreadableFile } from '../file-text';
import { ForeignEntry, ForeignSource, isSkipped } from '../foreign-user';
import { FileShape, shapeOf } from './file-shape';
import { Format, formats, isFileOf } from './formats';

/** After so many entries without one id, the file is another system's. */
const MAX_WITHOUT_ID = 100;

const formatOf = (source: string): Format | undefined => formats.find((known) => known.source === source);

/** The same source, which rejects files of other systems and files without users before it yields a user. */
export const checked = (source: ForeignSource): ForeignSource => ({
  name: source.name,

  async *read(path, onBytes) {
    requireFormat(path, await shapeOf(path), source.name);
    let first: ForeignEntry[] | undefined = [];
    for await (const entry of source.read(path, onBytes)) {
      if (first && isWithoutId(entry) && first.push(entry) < MAX_WITHOUT_ID) continue;
      if (first) yield* checkedFirst(path, source.name, first, entry);
      first = undefined;
      yield entry;
    }
    if (first) rejectEnd(path, source.name, first.length);
  },
});

const isWithoutId = (entry: ForeignEntry): boolean =>
  isSkipped(entry) && (entry.why === 'no_id' || entry.why === 'not_json');

/** The entries before the first one with an id. */
function checkedFirst(
  path: string,
  source: string,
  first: readonly ForeignEntry[],
  next: ForeignEntry,
): readonly ForeignEntry[] {
  if (isWithoutId(next)) rejectEnd(path, source, first.length);
  return first;
}

/** Throws `UnreadableFile` for a file of which no entry has an id. */
function rejectEnd(path: string, source: string, count: number): never {
  if (count === 0) throw new UnreadableFile(`${path} has no users. ${remedyOf(source)}`);
  throw new UnreadableFile(
    `${path} is no export of ${formatOf(source)?.system ?? source}: none of its first ${count} entries has an id of it`,
  );
}

function requireFormat(path: string, shape: FileShape, source: string): void {
  const format = formatOf(source);
  const misfit = misfitOf(shape);
  if (misfit !== undefined) throw new UnreadableFile(`${path} ${misfit}`);
  const other = format && !isFileOf(format, shape) ? formats.find((known) => isFileOf(known, shape)) : undefined;
  if (other) {
    throw new UnreadableFile(
      `${path} looks like an export of ${other.system}, not of ${format?.system ?? source}. ${remedyFor(other)}`,
    );
  }
  // The other systems have one user a line.
  if (source === 'keycloak' && 'username' in shape.members) {
    throw new UnreadableFile(
      `${path} is one user, or one user a line. Make a list of it first: jq -s . ${path} > users.json`,
    );
  }
}

const remedyFor = ({ source }: Format): string =>
  source === undefined
    ? "It cannot be imported as it is: write its users in the file format of Auth0's bulk import (docs/guides/import-any-system.md)"
    : `Use --from ${source}`;

/** What is no file of users at all. Undefined: nothing is known. */
function misfitOf({ isMarkup, isJson, members }: FileShape): string | undefined {
  if (isMarkup) return 'is HTML or XML, such as an error page. Download the export again';
  if (!isJson) return 'is not JSON. Export the users as JSON, or see docs/guides/import-any-system.md for a CSV file';
  if (('error' in members || 'statusCode' in members) && !('users' in members)) {
    return 'is the error message of a server. Export again';
  }
  return undefined;
}

/** How to get a file with users. */
const remedyOf = (source: string): string =>
  source === 'keycloak'
    ? 'The partial export of the console has none: use kc.sh export --realm NAME --users realm_file --file realm.json'
    : 'Check what was exported';
