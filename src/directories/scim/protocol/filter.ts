import { isStorable } from '../../../platform/util';
import { AttributePath, resolveInElement, resolvePath } from './attribute-path';
import { readDateTime } from './date-time';
import { findSubAttribute, ResourceType, ScimAttribute } from './schema';
import { quoted } from './scim-error';
import { TextCursor } from './text-cursor';

export const comparisonOperators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type ComparisonOperator = (typeof comparisonOperators)[number];

/** A Date for attributes of type `dateTime`. */
export type Operand = string | number | boolean | Date;

export interface Comparison {
  readonly kind: 'comparison';
  /** Ends at an attribute that is not complex. */
  readonly path: AttributePath;
  readonly operator: ComparisonOperator;
  /** Of the type of the attribute. */
  readonly operand: Operand;
}

/** A condition on a resource, or on one element of a value path (RFC 7644 §3.4.2.2). */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | Comparison
  /** `filter` holds for one element: its paths begin there. */
  | { readonly kind: 'element'; readonly path: AttributePath; readonly filter: Filter };

export const MAX_FILTER_LENGTH = 8_192;
const MAX_DEPTH = 20;
const MAX_CONDITIONS = 200;

/** Reads a filter. Throws `invalidFilter` with the position, also for attributes that the resource does not have. */
export function parseFilter(text: string, type: ResourceType): Filter {
  const cursor = new TextCursor(text, 'filter', MAX_FILTER_LENGTH, 'invalidFilter');
  const filter = new FilterParser(cursor, (name) => resolvePath(name, type)).parse();
  if (!cursor.isAtEnd) cursor.fail('"and", "or" or the end expected');
  return filter;
}

/** Reads what is between the brackets of a value path, and the second of them. */
export function parseElementFilter(cursor: TextCursor, attribute: ScimAttribute, count = { conditions: 0 }): Filter {
  const filter = new FilterParser(cursor, (name) => resolveInElement(name, attribute), true, count).parse();
  if (!cursor.take(']')) cursor.fail('"and", "or" or "]" expected');
  return filter;
}

type Resolver = (name: string) => ReturnType<typeof resolvePath>;

class FilterParser {
  constructor(
    private readonly cursor: TextCursor,
    private readonly resolve: Resolver,
    private readonly isElement = false,
    private readonly count = { conditions: 0 },
  ) {}

  parse(depth = 0): Filter {
    if (depth > MAX_DEPTH) this.fail(`more than ${MAX_DEPTH} levels of brackets`);
    return this.series('or', () => this.series('and', () => this.term(depth)));
  }

  private series(kind: 'and' | 'or', next: () => Filter): Filter {
    const first = next();
    const filters = [first];
    while (this.cursor.takeWord(kind)) filters.push(next());
    return filters.length === 1 ? first : { kind, filters };
  }

  /** Reads spaces around it, too. */
  private term(depth: number): Filter {
    this.cursor.skipSpaces();
    const filter = this.group(depth) ?? this.negation(depth) ?? this.condition(depth);
    this.cursor.skipSpaces();
    return filter;
  }

  private group(depth: number): Filter | undefined {
    if (!this.cursor.take('(')) return undefined;
    const filter = this.parse(depth + 1);
    if (!this.cursor.take(')')) this.fail('"and", "or" or ")" expected');
    return filter;
  }

  private negation(depth: number): Filter | undefined {
    const back = this.cursor.mark();
    if (this.cursor.takeWord('not')) {
      this.cursor.skipSpaces();
      const filter = this.group(depth);
      if (filter) return { kind: 'not', filter };
    }
    back();
    return undefined;
  }

  private condition(depth: number): Filter {
    this.count.conditions += 1;
    if (this.count.conditions > MAX_CONDITIONS) this.fail(`more than ${MAX_CONDITIONS} conditions`);
    const path = this.path();
    if (this.cursor.isAt('[')) return this.element(path, depth);
    this.cursor.skipSpaces();
    if (this.cursor.takeWord('pr')) return { kind: 'present', path };
    const operator = this.operator();
    this.cursor.skipSpaces();
    return this.comparison(path, operator);
  }

  private path(): AttributePath {
    const back = this.cursor.mark();
    const name = this.cursor.takeName() ?? this.fail('the name of an attribute expected');
    const path = this.resolve(name);
    if (path && !('schema' in path) && path.attribute.returned !== 'never') return path;
    back();
    return this.fail(`unknown attribute ${quoted(name)}`);
  }

  private element(path: AttributePath, depth: number): Filter {
    const isList = path.attribute.multiValued || path.attribute.type === 'complex';
    if (this.isElement || path.sub || !isList || depth >= MAX_DEPTH) this.fail('no brackets are possible');
    this.cursor.take('[');
    return { kind: 'element', path, filter: parseElementFilter(this.cursor, path.attribute, this.count) };
  }

  private operator(): ComparisonOperator {
    const operator = comparisonOperators.find((one) => this.cursor.takeWord(one));
    return operator ?? this.fail(`one of pr, ${comparisonOperators.join(', ')} expected`);
  }

  private comparison(path: AttributePath, operator: ComparisonOperator): Filter {
    const back = this.cursor.mark();
    const literal = this.literal();
    if (literal === null) {
      const present: Filter = { kind: 'present', path };
      if (operator === 'ne') return present;
      if (operator === 'eq') return { kind: 'not', filter: present };
    }
    const compared = comparedPath(path);
    const operand = compared && literal !== null ? OPERANDS[kindOf(compared)](literal) : undefined;
    if (compared && operand !== undefined && isPossible(operator, operand)) {
      return { kind: 'comparison', path: compared, operator, operand };
    }
    back();
    return this.fail(`${quoted(path.attribute.name)} cannot be compared by ${operator} with the value`);
  }

  private literal(): string | number | boolean | null {
    const value = this.cursor.takeText() ?? this.cursor.takeNumber();
    if (value !== undefined) return value;
    const literals = { true: true, false: false, null: null } as const;
    for (const [word, literal] of Object.entries(literals)) if (this.cursor.takeWord(word)) return literal;
    return this.fail('a text in quotes, a number, true, false or null expected');
  }

  private fail(what: string): never {
    return this.cursor.fail(what);
  }
}

/** A complex attribute is compared by its `value`. undefined where it has none. */
function comparedPath(path: AttributePath): AttributePath | undefined {
  if (path.sub !== null || path.attribute.type !== 'complex') return path;
  const sub = findSubAttribute(path.attribute, 'value');
  return sub && { ...path, sub };
}

/** How values of the attribute at the end of the path are compared. */
export type ComparedAs = 'text' | 'number' | 'boolean' | 'dateTime';

export function kindOf({ attribute, sub }: AttributePath): ComparedAs {
  const { type } = sub ?? attribute;
  if (type === 'boolean' || type === 'dateTime') return type;
  return type === 'decimal' || type === 'integer' ? 'number' : 'text';
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
]);

/** Some clients send booleans as texts. */
const OPERANDS: Readonly<Record<ComparedAs, (literal: string | number | boolean) => Operand | undefined>> = {
  text: (literal) => (typeof literal === 'string' && isStorable(literal) ? literal : undefined),
  number: (literal) => (typeof literal === 'number' && Number.isFinite(literal) ? literal : undefined),
  boolean: (literal) => BOOLEANS.get(typeof literal === 'string' ? literal.toLowerCase() : literal),
  dateTime: (literal) => (typeof literal === 'string' ? readDateTime(literal) : undefined),
};

const OF_TEXTS: readonly ComparisonOperator[] = ['co', 'sw', 'ew'];

/** Booleans have no order, and only texts have parts. */
function isPossible(operator: ComparisonOperator, operand: Operand): boolean {
  if (operator === 'eq' || operator === 'ne') return true;
  if (typeof operand === 'boolean') return false;
  return typeof operand === 'string' || !OF_TEXTS.includes(operator);
}
