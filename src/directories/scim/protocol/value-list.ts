import { Filter } from './filter';
import { matchesFilter } from './filter-matching';
import { findSubAttribute, ScimAttribute } from './schema';
import { ScimError } from './scim-error';
import { assertNotTooMany, invalidValue, isPrimary, isRecord, isReferenceList, ScimElement } from './values';

/** How many comparisons with elements one request may need. */
export class ComparisonBudget {
  private left = 10_000_000;

  take(count: number): void {
    this.left -= count;
    if (this.left < 0) throw new ScimError(413, undefined, 'too much to compare: send fewer operations at once');
  }
}

/** Members that describe a value. */
const DESCRIPTIONS: readonly string[] = ['type', 'primary', 'display', '$ref'];

/** A list of a resource while a PATCH changes it. An element with the identity of another one takes its place. */
export class ValueList {
  private elements = new Map<string, ScimElement>();
  private readonly isReferences: boolean;

  constructor(
    private readonly attribute: ScimAttribute,
    elements: readonly ScimElement[],
    private readonly budget: ComparisonBudget,
  ) {
    this.isReferences = isReferenceList(attribute);
    for (const element of elements) this.elements.set(this.keyOf(element), element);
  }

  get values(): readonly ScimElement[] {
    return [...this.elements.values()];
  }

  /** Adds elements, and members to those that are there (RFC 7644 §3.5.2.1). */
  add(added: readonly ScimElement[]): void {
    for (const element of added) {
      const key = this.keyOf(element);
      const present = this.elements.get(key);
      const isMerged = present !== undefined && isRecord(present) && isRecord(element);
      this.elements.set(key, isMerged ? { ...present, ...element } : element);
    }
    const primary = added.find(isPrimary);
    if (primary !== undefined) this.keepOnePrimary(this.keyOf(primary));
    assertNotTooMany(this.attribute, this.elements.size, this.attribute.name);
  }

  clear(): void {
    this.elements.clear();
  }

  /** Removes the elements that equal one of the given ones in what those have of value and type. */
  removeNamed(named: readonly ScimElement[]): void {
    for (const element of named) {
      if (this.isReferences) this.elements.delete(this.keyOf(element));
      else this.removeLike(element);
    }
  }

  remove(keys: readonly string[]): void {
    for (const key of keys) this.elements.delete(key);
  }

  /** The keys of the elements for which the filter holds; null: of all. */
  find(filter: Filter | null): readonly string[] {
    if (filter === null) return [...this.elements.keys()];
    const key = this.keyNamedBy(filter);
    if (key !== undefined) return this.elements.has(key) ? [key] : [];
    this.budget.take(this.elements.size * sizeOf(filter));
    return [...this.elements].filter(([, element]) => matchesFilter(filter, element)).map(([found]) => found);
  }

  /** Replaces elements by what `change` makes of them. Those that lose all but their descriptions are removed. */
  update(keys: readonly string[], change: (element: ScimElement) => ScimElement): void {
    this.budget.take(this.elements.size);
    const wanted = new Set(keys);
    const changed = new Map<string, ScimElement>();
    const primaries: string[] = [];
    for (const [key, element] of this.elements) {
      const next = wanted.has(key) ? change(element) : element;
      if (isEmpty(next) && (!isEmpty(element) || Object.keys(next).length === 0)) continue;
      const nextKey = this.keyOf(next);
      changed.set(nextKey, next);
      if (wanted.has(key) && isPrimary(next)) primaries.push(nextKey);
    }
    this.elements = changed;
    const [primary, ...others] = primaries;
    if (others.length > 0) throw invalidValue(this.attribute.name, 'only one can be primary');
    if (primary !== undefined) this.keepOnePrimary(primary);
  }

  private keepOnePrimary(kept: string): void {
    for (const [key, element] of this.elements) {
      if (key !== kept && isPrimary(element) && isRecord(element)) {
        this.elements.set(key, { ...element, primary: false });
      }
    }
  }

  private removeLike(named: ScimElement): void {
    this.budget.take(this.elements.size);
    for (const [key, element] of this.elements) if (this.isLike(element, named)) this.elements.delete(key);
  }

  private isLike(element: ScimElement, named: ScimElement): boolean {
    if (!isRecord(element) || !isRecord(named)) return this.keyOf(element) === this.keyOf(named);
    const compared = Object.keys(named).filter((name) => name === 'type' || !DESCRIPTIONS.includes(name));
    if (compared.length === 0) throw invalidValue(this.attribute.name, 'the values to remove are not named');
    return compared.every((name) => this.foldOf(element, name) === this.foldOf(named, name));
  }

  /** The value of a filter `value eq "…"` on a long list, which is found without comparing all. */
  private keyNamedBy(filter: Filter): string | undefined {
    if (!this.isReferences || filter.kind !== 'comparison' || filter.operator !== 'eq') return undefined;
    const { path, operand } = filter;
    return path.attribute.name === 'value' && typeof operand === 'string' ? this.keyOf({ value: operand }) : undefined;
  }

  /** By value and type, by the id alone in a list of references, and by all where there is no value. */
  private keyOf(element: ScimElement): string {
    if (!isRecord(element)) return JSON.stringify(this.attribute.caseExact ? element : folded(element));
    if (this.isReferences) return String(this.foldOf(element, 'value'));
    const names = Object.hasOwn(element, 'value')
      ? ['value', 'type']
      : Object.keys(element).filter((name) => name !== 'primary');
    return JSON.stringify(names.sort().map((name) => [name, this.foldOf(element, name) ?? null]));
  }

  private foldOf(element: ScimElement, name: string): unknown {
    const value = isRecord(element) && Object.hasOwn(element, name) ? element[name] : undefined;
    return findSubAttribute(this.attribute, name)?.caseExact ? value : folded(value);
  }
}

/** The number of conditions. */
function sizeOf(filter: Filter): number {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.reduce((sum, one) => sum + sizeOf(one), 1);
  return filter.kind === 'not' || filter.kind === 'element' ? 1 + sizeOf(filter.filter) : 1;
}

const folded = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

const isEmpty = (element: ScimElement): boolean =>
  isRecord(element) && Object.keys(element).every((name) => DESCRIPTIONS.includes(name));
