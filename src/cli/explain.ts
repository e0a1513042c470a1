import type { INestApplicationContext } from '@nestjs/common';
import { StartupError } from '../platform/config';
import { ProblemError } from '../platform/errors';
import { fallbackLanguage, TranslatorService } from '../platform/i18n';
import { exitCodes, UsageError } from './command';

/** The error message for the operator, and the exit code. */
export interface Explanation {
  readonly text: string;
  readonly code: number;
}

function problemText({ code, params, fields }: ProblemError, translator: TranslatorService): string {
  const text = (key: string, values: ProblemError['params'] = {}): string =>
    translator.text(fallbackLanguage, 'errors', key, values);
  const lines = fields.map((found) => `  ${found.field}: ${text(`fields.${found.code}`, found.params)}`);
  return [text(`codes.${code}`, params), ...lines].join('\n');
}

/** @param service translates problems. Undefined if it could not start. */
export function explain(error: unknown, service: INestApplicationContext | undefined): Explanation {
  if (error instanceof UsageError) return { text: error.message, code: exitCodes.usage };
  if (error instanceof StartupError) return { text: error.message, code: error.exitCode };
  if (error instanceof ProblemError && service) {
    return { text: problemText(error, service.get(TranslatorService)), code: exitCodes.failure };
  }
  return { text: error instanceof Error ? error.message : String(error), code: exitCodes.failure };
}
