import type { INestApplicationContext } from '@nestjs/common';
import { StartupError } from '../platform/config';
import { ProblemError } from '../platform/errors';
import { fallbackLanguage, TranslatorService } from '../platform/i18n';
import { Command, exitCodes, UsageError } from './command';
import { argumentsOf, optionsOf } from './usage';

/** The error message for the operator, and the exit code. */
export interface Explanation {
  readonly text: string;
  readonly code: number;
}

/** The option or argument that sets a field of the service's input, such as `--limit` for `page_size`. */
function typedName(command: Command, path: string): string | undefined {
  const [field = ''] = path.split('[');
  const option = Object.entries(optionsOf(command)).find(
    ([name, option]) => (option.field ?? name.replaceAll('-', '_')) === field,
  );
  return option ? `--${option[0]}` : argumentsOf(command).find((argument) => argument.field === field)?.name;
}

function problemText(
  { code, params, fields }: ProblemError,
  translator: TranslatorService,
  nameOf: (field: string) => string,
): string {
  const text = (key: string, values: ProblemError['params'] = {}): string =>
    translator.text(fallbackLanguage, 'errors', key, values);
  const lines = fields.map((found) => `  ${nameOf(found.field)}: ${text(`fields.${found.code}`, found.params)}`);
  return [text(`codes.${code}`, params), ...lines].join('\n');
}

/** A problem of fields that all come from the command line is wrong use. */
function explainProblem(
  problem: ProblemError,
  command: Command | undefined,
  service: INestApplicationContext,
): Explanation {
  const nameOf = (field: string): string | undefined => command && typedName(command, field);
  const isTyped = problem.fields.length > 0 && problem.fields.every(({ field }) => nameOf(field) !== undefined);
  return {
    text: problemText(problem, service.get(TranslatorService), (field) => nameOf(field) ?? field),
    code: isTyped ? exitCodes.usage : exitCodes.failure,
  };
}

/**
 * @param command is undefined if the command line names none
 * @param service translates problems. Undefined if it could not start.
 */
export function explain(
  error: unknown,
  command: Command | undefined,
  service: INestApplicationContext | undefined,
): Explanation {
  if (error instanceof UsageError) return { text: error.message, code: exitCodes.usage };
  if (error instanceof StartupError) return { text: error.message, code: error.exitCode };
  if (error instanceof ProblemError && service) return explainProblem(error, command, service);
  return { text: error instanceof Error ? error.message : String(error), code: exitCodes.failure };
}
