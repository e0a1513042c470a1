import {
  AttributePath,
  Comparison,
  ComparisonOperator,
  Filter,
  kindOf,
  Operand,
  pathText,
  ScimAttribute,
  ScimError,
} from './protocol';

/**
 * Where attributes are in the database: SQL expressions by path in the spelling of the schema (`userName`,
 * `name.givenName`). Their types are `text`, `boolean`, `timestamptz`, or a type of numbers, as the attribute's.
 */
export type FilterColumns = ReadonlyMap<string, string | ElementColumns>;

/** A list (`emails`). */
export interface ElementColumns {
  /** Wraps a condition on one element into one on the row: `EXISTS (SELECT 1 FROM … WHERE condition)`. */
  readonly some: (condition: string) => string;
  /** Expressions for the members of an element by name; `value` where elements are not complex. */
  readonly columns: ReadonlyMap<string, string>;
}

export interface SqlCondition {
  readonly sql: string;
  /** For the names in `sql`, as `andWhere` takes them. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The condition of a filter, with the meaning of `matchesFilter`. Values are parameters, never text of the statement.
 * Throws `invalidFilter` for attributes without a column. Parameters have the prefix in their names.
 */
export function filterCondition(filter: Filter, columns: FilterColumns, prefix = 'filter'): SqlCondition {
  const writer = new ConditionWriter(prefix);
  const sql = writer.write(filter, { columns, list: null });
  return { sql, parameters: writer.parameters };
}

/** The expression by which a list is sorted: texts without case as the attribute says. Throws `invalidPath`. */
export function sortExpression(path: AttributePath, columns: FilterColumns): string {
  const column = columns.get(pathText(path));
  if (typeof column === 'string') return comparableIn(path, column);
  throw new ScimError(400, 'invalidPath', `sortBy: ${pathText(path)} cannot be sorted by`);
}

/** Where names are looked up: in the row, or in an element of the list. */
interface Scope {
  readonly columns: FilterColumns;
  readonly list: string | null;
}

const SYMBOLS: Partial<Record<ComparisonOperator, string>> = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' };

const CASTS = { text: 'text', number: 'numeric', boolean: 'boolean', dateTime: 'timestamptz' } as const;

class ConditionWriter {
  readonly parameters: Record<string, string | number | boolean> = {};
  private count = 0;

  constructor(private readonly prefix: string) {}

  write(filter: Filter, scope: Scope): string {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return `(${filter.filters.map((one) => this.write(one, scope)).join(` ${filter.kind.toUpperCase()} `)})`;
      case 'not':
        // A comparison with NULL does not hold, so its negation does.
        return `((${this.write(filter.filter, scope)}) IS NOT TRUE)`;
      case 'present':
        return this.present(filter.path, scope);
      case 'element':
        return this.element(filter.path, filter.filter, scope);
      case 'comparison':
        return this.comparison(filter, scope);
    }
  }

  private element(path: AttributePath, filter: Filter, scope: Scope): string {
    const name = pathText(path);
    const column = scope.columns.get(name);
    if (typeof column === 'object') return column.some(this.write(filter, { columns: column.columns, list: name }));
    const columns = membersBelow(scope.columns, name);
    if (columns.size === 0) throw noColumn(path, scope);
    const isAssigned = [...columns.values()].map((expression) => `${expression} IS NOT NULL`).join(' OR ');
    return `((${isAssigned}) AND ${this.write(filter, { columns, list: name })})`;
  }

  private present(path: AttributePath, scope: Scope): string {
    const column = scope.columns.get(pathText(path));
    if (typeof column === 'string') return presentIn(path.sub ?? path.attribute, column);
    const list = listAt(path, scope);
    return list ? presentInList(path, list) : this.anyPresent(path, scope);
  }

  /** A complex attribute has a value if one of its parts has. */
  private anyPresent(path: AttributePath, scope: Scope): string {
    const subs = path.sub ? [] : (path.attribute.subAttributes ?? []);
    const parts = subs.flatMap((sub) => {
      const column = scope.columns.get(pathText({ ...path, sub }));
      return typeof column === 'string' ? [presentIn(sub, column)] : [];
    });
    if (parts.length === 0) throw noColumn(path, scope);
    return `(${parts.join(' OR ')})`;
  }

  private comparison(comparison: Comparison, scope: Scope): string {
    const { path, operator } = comparison;
    const list = listAt(path, scope);
    if (!list) {
      const column = scope.columns.get(pathText(path));
      if (typeof column !== 'string') throw noColumn(path, scope);
      const condition = this.compared(comparison, column);
      return operator === 'ne' ? `(${column} IS NULL OR ${condition})` : condition;
    }
    const expression = expressionIn(list, path);
    const some = list.some(this.compared(comparison, expression));
    return operator === 'ne' ? `(NOT ${list.some(`${expression} IS NOT NULL`)} OR ${some})` : some;
  }

  /** NULL or false where the value is NULL. */
  private compared({ path, operator, operand }: Comparison, column: string): string {
    const kind = kindOf(path);
    const value = comparableIn(path, `CAST(:${this.parameter(operator, operand)} AS ${CASTS[kind]})`);
    const expression = comparableIn(path, column);
    if (operator === 'co' || operator === 'sw' || operator === 'ew') return `${expression} LIKE ${value}`;
    if (operator === 'ne') return `${expression} <> ${value}`;
    const isOrderOfTexts = kind === 'text' && operator !== 'eq';
    return `${expression}${isOrderOfTexts ? ' COLLATE "C"' : ''} ${SYMBOLS[operator]} ${value}`;
  }

  private parameter(operator: ComparisonOperator, operand: Operand): string {
    const name = `${this.prefix}_${this.count}`;
    this.count += 1;
    this.parameters[name] = operand instanceof Date ? operand.toISOString() : patternOf(operator, operand);
    return name;
  }
}

/** Texts that are compared without case are folded by the database, on both sides. */
const comparableIn = (path: AttributePath, expression: string): string =>
  kindOf(path) === 'text' && !(path.sub ?? path.attribute).caseExact ? `lower(${expression})` : expression;

function patternOf(operator: ComparisonOperator, operand: Exclude<Operand, Date>): string | number | boolean {
  if (typeof operand !== 'string') return operand;
  const escaped = operand.replace(/[\\%_]/g, '\\$&');
  if (operator === 'co') return `%${escaped}%`;
  if (operator === 'sw') return `${escaped}%`;
  return operator === 'ew' ? `%${escaped}` : operand;
}

const presentIn = ({ type }: ScimAttribute, expression: string): string =>
  type === 'string' || type === 'reference' || type === 'binary' ? `${expression} <> ''` : `${expression} IS NOT NULL`;

function presentInList(path: AttributePath, list: ElementColumns): string {
  if (path.sub === null && path.attribute.type === 'complex') return list.some('TRUE');
  return list.some(presentIn(path.sub ?? path.attribute, expressionIn(list, path)));
}

function listAt(path: AttributePath, { columns }: Scope): ElementColumns | undefined {
  const column = columns.get(pathText({ ...path, sub: null }));
  return typeof column === 'object' ? column : undefined;
}

function expressionIn(list: ElementColumns, path: AttributePath): string {
  const expression = list.columns.get(path.sub?.name ?? 'value');
  if (expression === undefined) throw noColumn(path, { columns: new Map(), list: null });
  return expression;
}

/** The columns of a complex attribute that is no list, by name: a filter in brackets can be on it, too. */
function membersBelow(columns: FilterColumns, name: string): ReadonlyMap<string, string> {
  const below = [...columns].flatMap(([path, column]): [string, string][] =>
    path.startsWith(`${name}.`) && typeof column === 'string' ? [[path.slice(name.length + 1), column]] : [],
  );
  return new Map(below);
}

const noColumn = (path: AttributePath, { list }: Scope): ScimError =>
  new ScimError(
    400,
    'invalidFilter',
    `filter: ${list === null ? '' : `${list}.`}${pathText(path)} cannot be filtered by`,
  );
