import { isJsonObject } from '../../platform/util';
import { JsonValue, valueParser, WHOLE } from '../json-values';
import { textOf, UnreadableFile } from '../file-text';
import { Json } from './fields';

/** What the beginning of a file shows. */
export interface FileShape {
  /** Whether the file begins as JSON: as a list or an object. */
  readonly isJson: boolean;
  /** Whether the file begins as HTML or XML. */
  readonly isMarkup: boolean;
  /** The members of the object that the file is, if it is one. Large ones that are cut off are missing. */
  readonly members: Json;
  /** The first users, if the file has a list of them or is one. */
  readonly users: readonly Json[];
}

/** In characters. Realms begin with their settings, and their users may come later. */
const MAX_HEAD = 1_048_576;
/** The lists with users in the files of any system. */
const LISTS = ['users', 'data', 'Users', 'result'];

/** Reads the beginning of a file. Errors: `UnreadableFile`. */
export async function shapeOf(path: string): Promise<FileShape> {
  const head = await headOf(path);
  if (head === '') throw new UnreadableFile(`${path} is empty`);
  const isList = head.startsWith('[');
  const found: JsonValue[] = [];
  const paths = isList ? ['$.*'] : [WHOLE, '$.*', ...LISTS.map((list) => `$.${list}.*`)];
  const isJson = isList || head.startsWith('{');
  if (isJson) valueParser(paths, found, () => undefined).write(head);
  return { isJson, isMarkup: head.startsWith('<'), ...(isList ? listed(found) : inObject(found)) };
}

async function headOf(path: string): Promise<string> {
  let head = '';
  for await (const text of textOf(path)) {
    head = `${head}${text}`.trimStart();
    if (head.length >= MAX_HEAD) break;
  }
  return head;
}

const objectsOf = (found: readonly JsonValue[]): Json[] => found.map(({ value }) => value).filter(isJsonObject);

const listed = (found: readonly JsonValue[]): Pick<FileShape, 'members' | 'users'> => ({
  members: {},
  users: objectsOf(found),
});

function inObject(found: readonly JsonValue[]): Pick<FileShape, 'members' | 'users'> {
  const ofLists = found.filter(({ list }) => list !== undefined && LISTS.includes(list));
  const members: Record<string, unknown> = {};
  for (const { list, key, value } of found) {
    // The members of the first object only: NDJSON has one a line.
    if (list !== undefined) members[list] ??= [];
    else if (typeof key === 'string') members[key] ??= value;
  }
  return { members, users: ofLists.length > 0 ? objectsOf(ofLists) : [members] };
}
