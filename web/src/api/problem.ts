export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly detail: string;
}

/** RFC 9457, as the service speaks it. */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly code: string;
  readonly errors?: readonly FieldProblem[];
}

export function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'status' in body && 'title' in body;
}

export const sentenceOf = (problem: Problem): string => problem.detail ?? problem.title;

/** The error of each field, by the field's name in the body. */
export function fieldErrors(problem: Problem): Readonly<Record<string, string>> {
  return Object.fromEntries((problem.errors ?? []).map(({ field, detail }) => [field, detail]));
}
