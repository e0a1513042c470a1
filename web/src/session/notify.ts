import { sentenceOf, type Problem } from '../api/problem';

/** How long an error stays in sight. */
export const READING_MS = 8_000;

export interface Notify {
  success(message: string): void;
  error(message: string): void;
  /** @param problem of the response. Any other value means that the service could not be reached. */
  requestError(problem: unknown): void;
  /** Hides the errors of earlier attempts, which a success would contradict. */
  clearErrors(): void;
}

/** Names each field, because the page does not show them. */
export function sentenceWithFields(problem: Problem): string {
  const fields = (problem.errors ?? []).map(({ field, detail }) => `${field}: ${detail}`);
  return fields.length === 0 ? sentenceOf(problem) : fields.join('\n');
}
