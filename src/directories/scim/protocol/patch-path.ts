import { AttributePath, ExtensionPath, resolvePath } from './attribute-path';
import { Filter, MAX_FILTER_LENGTH, parseElementFilter } from './filter';
import { findSubAttribute, ResourceType } from './schema';
import { quoted } from './scim-error';
import { TextCursor } from './text-cursor';

/** What an operation changes: `name.givenName`, `emails[type eq "work"].value` (RFC 7644 §3.5.2). */
export interface PatchTarget extends AttributePath {
  /** Which elements of the list. null: all. */
  readonly filter: Filter | null;
}

export type PatchPath = PatchTarget | ExtensionPath;

/** Throws `invalidPath`, or `invalidFilter` for what is between brackets, with the position. */
export function parsePatchPath(text: string, type: ResourceType): PatchPath {
  const cursor = new TextCursor(text, 'path', MAX_FILTER_LENGTH, 'invalidPath');
  const back = cursor.mark();
  const name = cursor.takeName() ?? cursor.fail('the name of an attribute expected');
  const path = resolvePath(name, type);
  if (!path) {
    back();
    return cursor.fail(`unknown attribute ${quoted(name)}`);
  }
  const target = 'schema' in path || !cursor.isAt('[') ? path : bracketed(path, cursor);
  if (!cursor.isAtEnd) cursor.fail('the end expected');
  return 'schema' in target ? target : { filter: null, ...target };
}

function bracketed(path: AttributePath, cursor: TextCursor): PatchTarget {
  if (path.sub || !path.attribute.multiValued) cursor.fail('no brackets are possible');
  cursor.take('[');
  cursor.scimType = 'invalidFilter';
  const filter = parseElementFilter(cursor, path.attribute);
  cursor.scimType = 'invalidPath';
  if (!cursor.take('.')) return { ...path, filter };
  const name = cursor.takeName() ?? '';
  const sub = findSubAttribute(path.attribute, name) ?? cursor.fail(`unknown sub-attribute ${quoted(name)}`);
  return { ...path, sub, filter };
}
