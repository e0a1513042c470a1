import { FieldProblem } from '../../errors';

/** Maximum nesting of a body, itself included; deeper input could exhaust the stack of the validators. */
const MAX_DEPTH = 10;
/** Names of Object.prototype: they reach the prototype instead of a field, and validators treat them as known. */
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

/** Finds what later checks must not touch: names of Object.prototype, and too deep nesting. */
export function findMalformedKeys(input: object): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const open: Branch[] = [{ value: input, path: '', depth: 1 }];
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    for (const [name, value] of Object.entries(branch.value) as [string, unknown][]) {
      const isForbidden = isInherited(name);
      if (!isForbidden && !isBranch(value)) continue;
      const path = childPath(branch, name);
      if (isForbidden) problems.push({ field: path, code: 'unknown_field' });
      else if (branch.depth === MAX_DEPTH) problems.push({ field: path, code: 'depth' });
      else if (isBranch(value)) open.push({ value, path, depth: branch.depth + 1 });
    }
  }
  return problems;
}
