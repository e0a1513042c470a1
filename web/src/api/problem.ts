import type { Problem } from 'castellan-client';

export { isProblem, type Problem } from 'castellan-client';

export const sentenceOf = (problem: Problem): string => problem.detail ?? problem.title;

/** Error text per field, keyed by the field's name in the request body. */
export function fieldErrors(problem: Problem): Readonly<Record<string, string>> {
  return Object.fromEntries((problem.errors ?? []).map(({ field, detail }) => [field, detail]));
}
