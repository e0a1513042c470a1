import { AttributePath } from './attribute-path';
import { readDateTime } from './date-time';
import { Comparison, ComparisonOperator, Filter, kindOf, Operand } from './filter';
import { ownMember } from './schema';

/** Whether the filter holds for a resource, or for an element of one. */
export function matchesFilter(filter: Filter, record: unknown): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((one) => matchesFilter(one, record));
    case 'or':
      return filter.filters.some((one) => matchesFilter(one, record));
    case 'not':
      return !matchesFilter(filter.filter, record);
    case 'present':
      return valuesAt(filter.path, record).some(isPresent);
    case 'element':
      return valuesAt(filter.path, record).some((element) => matchesFilter(filter.filter, element));
    case 'comparison':
      return compares(filter, record);
  }
}

/** The values at a path: all of a list, without those that are unassigned. */
export function valuesAt({ extension, attribute, sub }: AttributePath, record: unknown): readonly unknown[] {
  const values = listOf(memberOf(extension === null ? record : ownMember(record, extension), attribute.name));
  return sub ? values.flatMap((value) => listOf(memberOf(value, sub.name))) : values;
}

/** An element of a list that is not complex is its `value`. */
const memberOf = (record: unknown, name: string): unknown =>
  typeof record !== 'object' && name === 'value' ? record : ownMember(record, name);

const listOf = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter((one) => one !== undefined && one !== null);

/** Neither unassigned nor empty, and a complex value has such a member (RFC 7644 §3.4.2.2). */
function isPresent(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isPresent);
  return value !== undefined && value !== null && value !== '';
}

function compares({ path, operator, operand }: Comparison, record: unknown): boolean {
  const values = valuesAt(path, record);
  if (operator === 'ne' && values.length === 0) return true;
  const { caseExact } = path.sub ?? path.attribute;
  const kind = kindOf(path);
  return values.some((value) => {
    const comparable = kind === 'dateTime' && typeof value === 'string' ? readDateTime(value) : value;
    return holds(operator, comparable, operand, caseExact);
  });
}

function holds(operator: ComparisonOperator, value: unknown, operand: Operand, caseExact: boolean): boolean {
  if (typeof value === 'string' && typeof operand === 'string') {
    const fold = (text: string): string => (caseExact ? text : text.toLowerCase());
    return textHolds(operator, fold(value), fold(operand));
  }
  if (value instanceof Date && operand instanceof Date) {
    return orderHolds(operator, value.getTime() - operand.getTime());
  }
  if (typeof value === 'number' && typeof operand === 'number') return orderHolds(operator, value - operand);
  return operator === 'ne' ? value !== operand : operator === 'eq' && value === operand;
}

function textHolds(operator: ComparisonOperator, value: string, operand: string): boolean {
  if (operator === 'co') return value.includes(operand);
  if (operator === 'sw') return value.startsWith(operand);
  if (operator === 'ew') return value.endsWith(operand);
  // In the order of the database's "C" collation.
  return orderHolds(operator, value === operand ? 0 : Buffer.compare(Buffer.from(value), Buffer.from(operand)));
}

function orderHolds(operator: ComparisonOperator, difference: number): boolean {
  const holdsFor: Partial<Record<ComparisonOperator, boolean>> = {
    eq: difference === 0,
    ne: difference !== 0,
    gt: difference > 0,
    ge: difference >= 0,
    lt: difference < 0,
    le: difference <= 0,
  };
  return holdsFor[operator] ?? false;
}
