import type { ErrorCode } from './schema';

/** Validation error of one field. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly detail: string;
}

/** Error response (RFC 9457). `code` is stable and for programs. `title` and `detail` are for people. */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly code: ErrorCode | (string & Record<never, never>);
  readonly errors?: readonly FieldProblem[];
  /** Values used in `detail`, by name. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Returns whether the body is a problem of the service, and not, for example, the error of a reverse proxy. */
export function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'status' in body && 'title' in body;
}

/** Reads the problem of a response, if it has one. The body can still be read afterwards. */
export async function problemOf(answer: Response): Promise<Problem | undefined> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return isProblem(body) ? body : undefined;
}
