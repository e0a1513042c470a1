export type ProblemParams = Readonly<Record<string, string | number>>;

/**
 * A field that violates a rule. `field` is a path such as `updates[2].value`; `code` is the stable name of the rule.
 */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly params?: ProblemParams;
}

/** What a problem of a host says. `en` also serves where `zh` is missing. */
export interface ProblemTexts {
  readonly en: string;
  readonly zh?: string;
}

export interface ProblemDefinition {
  readonly code: string;
  readonly status: number;
  /** Default: those of the code in `i18n`. */
  readonly texts?: ProblemTexts | undefined;
}

export interface ProblemOptions {
  readonly params?: ProblemParams;
  readonly fields?: readonly FieldProblem[];
  /** Whole seconds for the `Retry-After` header, which every 429 and 503 has. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The error type of the service. The problem filter sends it as `application/problem+json` (RFC 9457). */
export class ProblemError extends Error {
  readonly code: string;
  readonly status: number;
  readonly texts: ProblemTexts | undefined;
  readonly params: ProblemParams;
  readonly fields: readonly FieldProblem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(definition: ProblemDefinition, options: ProblemOptions = {}) {
    super(definition.code, { cause: options.cause });
    this.name = 'ProblemError';
    this.code = definition.code;
    this.status = definition.status;
    this.texts = definition.texts;
    this.params = options.params ?? {};
    this.fields = options.fields ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
