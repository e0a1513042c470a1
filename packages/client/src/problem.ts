/** Why a field was refused. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly detail: string;
}

/** What the service answers in place of what was asked for (RFC 9457). `code` is stable; the sentences are for people. */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly code: string;
  readonly errors?: readonly FieldProblem[];
  /** What the sentence speaks of, by name. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Whether it is an answer of the service, and not, say, of a proxy before it. */
export function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'status' in body && 'title' in body;
}

/** The problem an answer tells of; its body may still be read afterwards. */
export async function problemOf(answer: Response): Promise<Problem | undefined> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return isProblem(body) ? body : undefined;
}
