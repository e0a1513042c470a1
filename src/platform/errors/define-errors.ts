import { snakeCase } from '../util';
import { ProblemDefinition, ProblemError, ProblemOptions } from './problem.error';

/** Creates the error. */
export interface ErrorFactory {
  (options?: ProblemOptions): ProblemError;
  readonly code: string;
  readonly status: number;
}

const declared = new Map<string, ProblemDefinition>();

function defineError(name: string, status: number): ErrorFactory {
  const definition: ProblemDefinition = { code: snakeCase(name), status };
  const known = declared.get(definition.code);
  if (known && known.status !== status) {
    throw new Error(`Error code ${definition.code} is declared with status ${known.status} and ${status}`);
  }
  declared.set(definition.code, definition);
  return Object.assign((options?: ProblemOptions) => new ProblemError(definition, options), definition);
}

/**
 * Declares errors by name and status: `defineErrors({ lastAdmin: 409 }).lastAdmin()` creates the problem `last_admin`.
 * The code is part of the API and the key of the text in `i18n/<language>/errors.json`.
 */
export function defineErrors<const T extends Record<string, number>>(
  statuses: T,
): { readonly [K in keyof T]: ErrorFactory } {
  const factories = Object.entries(statuses).map(([name, status]) => [name, defineError(name, status)] as const);
  return Object.fromEntries(factories) as { readonly [K in keyof T]: ErrorFactory };
}

/** Every error declared by the modules loaded so far. */
export function declaredErrors(): readonly ProblemDefinition[] {
  return [...declared.values()];
}
