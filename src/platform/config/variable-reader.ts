import { EnvironmentProblem } from './environment-error';
import { NearMiss, nearMisses } from './near-misses';
import { fileVariableOf, readSecretFile, secretVariables, TRACE_HEADERS } from './secret-files';

export type EnvironmentSource = Readonly<Record<string, string | undefined>>;

/** Returns the problem of a value, or undefined. */
export type Check = (value: string) => string | undefined;

const longestEcho = 80;

/** Variables of a feature, which declares them beside what uses them. */
export interface VariableGroup<T> {
  /** Those that hold secrets, or as many lines as a file. */
  readonly secrets: readonly string[];
  read(reader: VariableReader): T;
}

/** Quotes a value for a message; hides what may contain a password. */
export function quote(value: string): string {
  if (value.includes('@')) return '(value hidden)';
  return JSON.stringify(value.length > longestEcho ? `${value.slice(0, longestEcho)}…` : value);
}

/** Reads variables and collects all problems instead of stopping at the first. */
export class VariableReader {
  readonly problems: EnvironmentProblem[] = [];
  /** Names that were read. */
  private readonly known = new Set<string>();
  /** Contents of secret files, by the name of the secret variable. */
  private readonly fileContents = new Map<string, string | undefined>();

  private readonly secrets: ReadonlySet<string>;

  /** @param secrets variables of groups that hold secrets. */
  constructor(
    private readonly source: EnvironmentSource,
    secrets: readonly string[] = [],
  ) {
    this.secrets = new Set([...secretVariables, TRACE_HEADERS, ...secrets]);
  }

  report(variable: string, problem: string, allowed: string): void {
    this.problems.push({ variable, problem, allowed });
  }

  /** Returns the text unchanged; an empty text counts as unset. */
  raw(name: string): string | undefined {
    this.known.add(name);
    const value = this.source[name] === '' ? undefined : this.source[name];
    return this.secrets.has(name) ? this.secret(name, value) : value;
  }

  /** Variables whose values were read from files. */
  get readFromFiles(): string[] {
    return [...this.fileContents.keys()];
  }

  private secret(name: string, value: string | undefined): string | undefined {
    const variable = fileVariableOf(name);
    this.known.add(variable);
    const path = this.source[variable]?.trim();
    if (!path) return value;
    if (!this.fileContents.has(name)) this.fileContents.set(name, this.contentOf(name, path, value));
    return this.fileContents.get(name);
  }

  private contentOf(name: string, path: string, value: string | undefined): string | undefined {
    const variable = fileVariableOf(name);
    if (value !== undefined) this.report(variable, `is set beside ${name}`, 'one of the two');
    const { content, problem } = readSecretFile(path);
    if (problem !== undefined) {
      this.report(variable, `is ${JSON.stringify(path)}: ${problem}`, 'a file that holds the secret alone');
    }
    return content;
  }

  /** Finds set variables that were not read and look like misspelled ones. */
  nearMisses(): NearMiss[] {
    return nearMisses(Object.keys(this.source), this.known);
  }

  private quoted(name: string, value: string): string {
    return this.secrets.has(name) ? '(value hidden)' : quote(value);
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
    this.report(name, `is ${this.quoted(name, value)}: ${problem}`, allowed);
    return undefined;
  }

  matching(name: string, fallback: string, pattern: RegExp, allowed: string): string {
    return this.checked(name, allowed, (value) => (pattern.test(value) ? undefined : 'not of that form')) ?? fallback;
  }

  oneOf<T extends string>(name: string, fallback: T, values: readonly T[]): T {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) this.report(name, `is ${this.quoted(name, value)}: unknown`, values.join(', '));
    return found ?? fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    return this.oneOf(name, fallback ? 'true' : 'false', ['true', 'false']) === 'true';
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const inRange: Check = (value) => {
      if (!/^\d{1,9}$/.test(value)) return 'not a whole number';
      return Number(value) >= min && Number(value) <= max ? undefined : 'out of range';
    };
    return Number(this.checked(name, `a whole number from ${min} to ${max}`, inRange) ?? fallback);
  }

  /** A comma-separated list; the check validates one entry at a time. */
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
