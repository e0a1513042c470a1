import { FieldProblem } from '../errors';

/** Levels of lists and objects in a body, itself included; what goes deeper could exhaust the stack of those who look. */
const DEEPEST = 10;
/** Names that every object answers to: they reach a prototype instead of a field, and validators take them for known. */
const isInherited = (name: string): boolean => name in Object.prototype;

interface Branch {
  readonly value: object;
  readonly path: string;
  readonly depth: number;
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

const childPath = ({ value, path }: Branch, name: string): string => {
  if (Array.isArray(value)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
};

/** What no further check may even look into: names that reach a prototype, and nesting without end. */
export function findMalformedKeys(input: object): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const open: Branch[] = [{ value: input, path: '', depth: 1 }];
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    for (const [name, value] of Object.entries(branch.value) as [string, unknown][]) {
      const isReaching = isInherited(name);
      if (!isReaching && !isBranch(value)) continue;
      const path = childPath(branch, name);
      if (isReaching) problems.push({ field: path, code: 'unknown_field' });
      else if (branch.depth === DEEPEST) problems.push({ field: path, code: 'depth' });
      else if (isBranch(value)) open.push({ value, path, depth: branch.depth + 1 });
    }
  }
  return problems;
}
