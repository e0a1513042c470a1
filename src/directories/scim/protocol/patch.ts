import { isJsonObject } from '../../../platform/util';
import { resolvePath } from './attribute-path';
import { AssigningOp, PatchDraft } from './patch-draft';
import { parsePatchPath, PatchPath, PatchTarget } from './patch-path';
import { membersByName, ResourceType, ScimResource, ScimSchema } from './schema';
import { badRequest, ScimError } from './scim-error';
import { invalidValue } from './values';

const MAX_OPERATIONS = 1_000;

export interface PatchOperation {
  readonly op: AssigningOp | 'remove';
  /** null: `value` is an object of what changes. */
  readonly path: string | null;
  /** undefined: none is given. */
  readonly value: unknown;
}

/** Reads the body of a PATCH (RFC 7644 §3.5.2). Throws ScimError. */
export function readPatch(body: unknown): readonly PatchOperation[] {
  const operations = isJsonObject(body) ? membersByName(body).get('operations') : undefined;
  if (!Array.isArray(operations) || operations.length === 0) {
    throw badRequest('invalidSyntax', 'Operations: a list of at least one operation expected');
  }
  if (operations.length > MAX_OPERATIONS) {
    throw new ScimError(413, undefined, `Operations: at most ${MAX_OPERATIONS} are possible at once`);
  }
  return operations.map((operation, index) => readOperation(operation, labelOf(index)));
}

const labelOf = (index: number): string => `Operations[${index}]`;

function readOperation(input: unknown, label: string): PatchOperation {
  if (!isJsonObject(input)) throw badRequest('invalidSyntax', `${label}: an object expected`);
  const members = membersByName(input);
  const op = readOp(members.get('op'), label);
  const path = members.get('path') ?? null;
  if (path !== null && typeof path !== 'string') throw badRequest('invalidPath', `${label}: path: a text expected`);
  const value = members.get('value');
  if (op !== 'remove' && value === undefined) throw badRequest('invalidSyntax', `${label}: a value is required`);
  return { op, path: path === '' ? null : path, value };
}

/** In any case: Entra ID writes `Add`. */
function readOp(input: unknown, label: string): PatchOperation['op'] {
  const op = typeof input === 'string' ? input.toLowerCase() : undefined;
  if (op === 'add' || op === 'replace' || op === 'remove') return op;
  throw badRequest('invalidSyntax', `${label}: op: add, replace or remove expected`);
}

/**
 * The resource after all operations, in order; the given one stays as it is. Members that no operation can change, such
 * as `id`, stay. Operations that change nothing return an equal resource. Throws ScimError.
 */
export function applyPatch(
  resource: ScimResource,
  operations: readonly PatchOperation[],
  type: ResourceType,
): ScimResource {
  const draft = new PatchDraft(resource, type);
  for (const [index, operation] of operations.entries()) {
    try {
      applyOperation(draft, operation, type);
    } catch (error) {
      if (!(error instanceof ScimError)) throw error;
      throw new ScimError(error.status, error.scimType, `${labelOf(index)}: ${error.detail}`);
    }
  }
  return draft.result();
}

function applyOperation(draft: PatchDraft, { op, path: text, value }: PatchOperation, type: ResourceType): void {
  if (text === null) {
    if (op === 'remove') throw badRequest('noTarget', 'a path is required');
    assignMembers(draft, op, value, type);
    return;
  }
  const path = parsePatchPath(text, type);
  if ('schema' in path) {
    if (op === 'remove') draft.removeExtension(path.schema);
    else assignExtension(draft, op, path.schema, value, type);
    return;
  }
  if (isReadOnly(path)) throw badRequest('mutability', `${text.slice(0, 100)} cannot be changed`);
  if (isDiscarded(path)) return;
  if (op === 'remove') draft.remove(path, value);
  else draft.assign(op, path, value);
}

const isReadOnly = ({ attribute, sub }: PatchTarget): boolean =>
  attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly';

const isDiscarded = ({ attribute }: PatchTarget): boolean => attribute.mutability === 'writeOnly';

/**
 * Assigns what an operation without a path has: objects, dotted names, URNs, paths with filters. As in a POST, unknown
 * and read-only names are ignored. Okta sends the `id`, too.
 */
function assignMembers(draft: PatchDraft, op: AssigningOp, value: unknown, type: ResourceType): void {
  if (!isJsonObject(value)) throw badRequest('invalidValue', 'an object expected, or a path');
  for (const [name, member] of Object.entries(value)) {
    const path = pathOfMember(name, type);
    if (!path) continue;
    if ('schema' in path) assignExtension(draft, op, path.schema, member, type);
    else if (!isReadOnly(path) && !isDiscarded(path)) draft.assign(op, path, member);
  }
}

function pathOfMember(name: string, type: ResourceType): PatchPath | null {
  if (name.includes('[')) return parsePatchPath(name, type);
  const path = resolvePath(name, type);
  return path && !('schema' in path) ? { ...path, filter: null } : path;
}

function assignExtension(
  draft: PatchDraft,
  op: AssigningOp,
  schema: ScimSchema,
  value: unknown,
  type: ResourceType,
): void {
  if (value === null) {
    if (op === 'replace') draft.removeExtension(schema);
    return;
  }
  if (!isJsonObject(value)) throw invalidValue(schema.id, 'an object expected');
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [`${schema.id}:${name}`, member]);
  for (const [name, member] of members) {
    const path = pathOfMember(name, type);
    if (path && !('schema' in path) && !isReadOnly(path)) draft.assign(op, path, member);
  }
}
