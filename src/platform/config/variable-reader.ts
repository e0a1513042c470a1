import { EnvironmentProblem } from './environment-error';

export type EnvironmentSource = Readonly<Record<string, string | undefined>>;

/** What is wrong with a value, or nothing. */
export type Check = (value: string) => string | undefined;

const secretVariables = new Set([
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'ADMIN_PASSWORD',
  'ENCRYPTION_KEYS',
]);

const longestEcho = 80;

/** Quotes a value for a message; secrets, and whatever may hold a password, stay unsaid. */
export function quote(name: string, value: string): string {
  if (secretVariables.has(name) || value.includes('@')) return '(value hidden)';
  return JSON.stringify(value.length > longestEcho ? `${value.slice(0, longestEcho)}…` : value);
}

/** Reads variables one by one and gathers what is wrong instead of stopping at the first. */
export class VariableReader {
  readonly problems: EnvironmentProblem[] = [];

  constructor(private readonly source: EnvironmentSource) {}

  report(variable: string, problem: string, allowed: string): void {
    this.problems.push({ variable, problem, allowed });
  }

  /** The text as it stands; an empty one counts as unset. */
  raw(name: string): string | undefined {
    return this.source[name] === '' ? undefined : this.source[name];
  }

  text(name: string): string | undefined {
    const trimmed = this.raw(name)?.trim();
    return trimmed === '' ? undefined : trimmed;
  }

  checked(name: string, allowed: string, check: Check): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const problem = check(value);
    if (problem === undefined) return value;
    this.report(name, `is ${quote(name, value)}: ${problem}`, allowed);
    return undefined;
  }

  matching(name: string, fallback: string, pattern: RegExp, allowed: string): string {
    return this.checked(name, allowed, (value) => (pattern.test(value) ? undefined : 'not of that form')) ?? fallback;
  }

  oneOf<T extends string>(name: string, fallback: T, values: readonly T[]): T {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) this.report(name, `is ${quote(name, value)}: unknown`, values.join(', '));
    return found ?? fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    return this.oneOf(name, fallback ? 'true' : 'false', ['true', 'false']) === 'true';
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const inRange: Check = (value) => {
      if (!/^\d{1,9}$/.test(value)) return 'not a whole number';
      return Number(value) >= least && Number(value) <= most ? undefined : 'out of range';
    };
    return Number(this.checked(name, `a whole number from ${least} to ${most}`, inRange) ?? fallback);
  }

  /** A comma-separated list; the check sees one entry at a time. */
  list(name: string, allowed: string, check: Check): string[] {
    const parts = (text: string): string[] => text.split(',').map((part) => part.trim());
    const firstProblem: Check = (text) =>
      parts(text)
        .map(check)
        .find((problem) => problem !== undefined);
    const text = this.checked(name, `a comma-separated list of ${allowed}`, firstProblem);
    return text === undefined ? [] : parts(text);
  }
}
