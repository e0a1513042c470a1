import { isJsonObject, membersOf } from '../../../platform/util';
import { AttributePath, pathText } from './attribute-path';
import { Filter } from './filter';
import { PatchTarget } from './patch-path';
import { ownMember, ResourceType, ScimAttribute, ScimResource } from './schema';
import { badRequest } from './scim-error';
import { ComparisonBudget, ValueList } from './value-list';
import {
  invalidValue,
  readElements,
  readRecordChanges,
  readSimple,
  RecordChanges,
  ScimElement,
  ScimRecord,
  ScimSimpleValue,
} from './values';

export type AssigningOp = 'add' | 'replace';

/** A copy of a resource that operations change. */
export class PatchDraft {
  /** The members of the resource, by the URN of their extension; null: those at the top. */
  private readonly members = new Map<string | null, Map<string, unknown>>();
  private readonly lists = new Map<string, { readonly path: AttributePath; readonly list: ValueList }>();
  private readonly budget = new ComparisonBudget();

  constructor(
    resource: ScimResource,
    private readonly type: ResourceType,
  ) {
    this.members.set(null, new Map(Object.entries(resource)));
    for (const { id } of type.extensions) {
      this.members.set(id, new Map(Object.entries(membersOf(ownMember(resource, id)))));
    }
  }

  /** The resource without lists and extensions that are empty. */
  result(): ScimResource {
    for (const { path, list } of this.lists.values()) {
      const { values } = list;
      this.store(path, values.length > 0 ? values : null);
    }
    const top = new Map(this.membersAt(null));
    for (const { id } of this.type.extensions) {
      const extension = this.membersAt(id);
      if (extension.size > 0) top.set(id, Object.fromEntries(extension));
      else top.delete(id);
    }
    return Object.fromEntries(top);
  }

  /** Adds or replaces the value (RFC 7644 §3.5.2.1 and §3.5.2.3). Null removes it when it is replaced. */
  assign(op: AssigningOp, target: PatchTarget, input: unknown): void {
    if (input === null) {
      if (op === 'replace') this.unassign(target);
      return;
    }
    if (target.attribute.multiValued) this.assignInList(op, target, input);
    else if (target.attribute.type === 'complex') this.assignInRecord(op, target, input);
    else this.assignSimple(op, target, input);
  }

  /** Removes the value (RFC 7644 §3.5.2.2). With values, a list loses these alone, as Entra ID means it. */
  remove(target: PatchTarget, input: unknown): void {
    const { attribute, sub, filter } = target;
    const isWhole = !attribute.multiValued || sub !== null;
    if (isWhole && (sub ?? attribute).required) throw badRequest('mutability', `${pathText(target)} is required`);
    if (isWhole || filter !== null || input === undefined || input === null) {
      this.unassign(target);
      return;
    }
    this.listAt(target).removeNamed(readElements(attribute, input, pathText(target)));
  }

  /** Removes an extension from the resource. */
  removeExtension({ id, attributes }: ResourceType['schema']): void {
    for (const attribute of attributes) {
      this.unassign({ extension: id, attribute, sub: null, filter: null });
    }
  }

  private unassign(target: PatchTarget): void {
    const { attribute, sub, filter } = target;
    if (!attribute.multiValued) {
      this.store(target, sub && this.recordAt(target) ? this.changed(target, new Map([[sub, null]])) : null);
      return;
    }
    const list = this.listAt(target);
    const keys = list.find(filter);
    if (sub === null) list.remove(keys);
    else list.update(keys, (element) => changedElement(target, element, new Map([[sub, null]])));
  }

  private assignSimple(op: AssigningOp, target: PatchTarget, input: unknown): void {
    const value = readSimple(target.attribute, input, pathText(target));
    if (value !== null || op === 'replace') this.store(target, value);
  }

  private assignInRecord(op: AssigningOp, target: PatchTarget, input: unknown): void {
    this.store(target, this.changed(target, changesOf(op, target, input)));
  }

  private changed(target: PatchTarget, changes: RecordChanges): ScimRecord | null {
    return changedRecord(target, this.recordAt(target) ?? {}, changes);
  }

  private assignInList(op: AssigningOp, target: PatchTarget, input: unknown): void {
    const list = this.listAt(target);
    const { attribute, sub, filter } = target;
    if (filter === null && sub === null) {
      const elements = readElements(attribute, input, pathText(target));
      if (op === 'replace') list.clear();
      list.add(elements);
      return;
    }
    const keys = list.find(filter);
    if (attribute.type !== 'complex') this.assignTexts(list, keys, target, input);
    else if (keys.length > 0) {
      const changes = changesOf(op, target, input);
      list.update(keys, (element) => changedElement(target, element, changes));
    } else {
      const changes = changesOf('add', target, input);
      const element = changes.size > 0 ? changedRecord(target, elementNamedBy(target), changes) : null;
      if (element) list.add([element]);
    }
  }

  private assignTexts(list: ValueList, keys: readonly string[], target: PatchTarget, input: unknown): void {
    list.remove(keys);
    list.add(readElements(target.attribute, input, pathText(target)));
  }

  private recordAt(target: AttributePath): ScimRecord | undefined {
    const record = this.membersAt(target.extension).get(target.attribute.name);
    return isJsonObject(record) ? (record as ScimRecord) : undefined;
  }

  private listAt({ extension, attribute }: AttributePath): ValueList {
    const path = { extension, attribute, sub: null };
    const key = pathText(path);
    const known = this.lists.get(key);
    if (known) return known.list;
    const values = this.membersAt(extension).get(attribute.name);
    const list = new ValueList(attribute, Array.isArray(values) ? (values as ScimElement[]) : [], this.budget);
    this.lists.set(key, { path, list });
    return list;
  }

  private store(path: AttributePath, value: unknown): void {
    const { name, required } = path.attribute;
    const members = this.membersAt(path.extension);
    if (value !== null) members.set(name, value);
    else if (required) throw invalidValue(pathText(path), 'a value is required');
    else members.delete(name);
  }

  private membersAt(extension: string | null): Map<string, unknown> {
    const members = this.members.get(extension) ?? new Map<string, unknown>();
    this.members.set(extension, members);
    return members;
  }
}

/** What a value changes in a complex one. What is added has no empty members. */
function changesOf(op: AssigningOp, target: PatchTarget, input: unknown): RecordChanges {
  const { attribute, sub } = target;
  const changes: RecordChanges = sub
    ? new Map([[sub, readSimple(sub, input, pathText(target))]])
    : readRecordChanges(attribute, input, pathText(target));
  return op === 'replace' ? changes : new Map([...changes].filter(([, value]) => value !== null));
}

const changedElement = (target: PatchTarget, element: ScimElement, changes: RecordChanges): ScimElement =>
  changedRecord(target, typeof element === 'object' ? element : {}, changes) ?? {};

/** The record after the changes. null: nothing is left of it. Throws `mutability` and `invalidValue`. */
function changedRecord(target: AttributePath, record: ScimRecord, changes: RecordChanges): ScimRecord | null {
  const next = new Map<string, ScimSimpleValue>(Object.entries(record));
  for (const [sub, value] of changes) {
    assertMutable(target, sub, next.get(sub.name), value);
    if (value === null) next.delete(sub.name);
    else next.set(sub.name, value);
  }
  dropStaleReference(record, next);
  const missing = target.attribute.subAttributes?.find(({ required, name }) => required && !next.has(name));
  if (missing) throw invalidValue(`${target.attribute.name}.${missing.name}`, 'a value is required');
  return next.size > 0 ? Object.fromEntries(next) : null;
}

function assertMutable(
  { attribute }: AttributePath,
  sub: ScimAttribute,
  present: ScimSimpleValue | undefined,
  value: ScimSimpleValue | null,
): void {
  if (sub.mutability === 'immutable' && present !== undefined && present !== value) {
    throw badRequest('mutability', `${attribute.name}.${sub.name} cannot be changed`);
  }
}

/** A reference to the resource of another id is wrong. */
function dropStaleReference(before: ScimRecord, after: Map<string, ScimSimpleValue>): void {
  const isOther = Object.hasOwn(before, 'value') && before['value'] !== after.get('value');
  if (isOther && before['$ref'] === after.get('$ref')) after.delete('$ref');
}

/** The element that a value path means where the list has none such. Throws `noTarget` if it cannot be told. */
function elementNamedBy({ filter, attribute }: PatchTarget): ScimRecord {
  const element = filter === null ? {} : equalitiesOf(filter);
  if (!element) throw badRequest('noTarget', `${attribute.name}: no value matches the filter`);
  return element;
}

function equalitiesOf(filter: Filter): ScimRecord | null {
  if (filter.kind === 'and') {
    const parts = filter.filters.map(equalitiesOf);
    return parts.includes(null) ? null : (Object.assign({}, ...parts) as ScimRecord);
  }
  if (filter.kind !== 'comparison' || filter.operator !== 'eq') return null;
  const { attribute } = filter.path;
  if (attribute.mutability === 'readOnly' || filter.operand instanceof Date) return null;
  return { [attribute.name]: filter.operand };
}
