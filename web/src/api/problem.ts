import type { Problem } from 'castellan-client';

export { isProblem, type Problem } from 'castellan-client';

export const sentenceOf = (problem: Problem): string => problem.detail ?? problem.title;

/** The error of each field, by the field's name in the body. */
export function fieldErrors(problem: Problem): Readonly<Record<string, string>> {
  return Object.fromEntries((problem.errors ?? []).map(({ field, detail }) => [field, detail]));
}
