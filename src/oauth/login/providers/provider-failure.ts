const CODE = /^[\w.:-]{1,64}$/;

/**
 * A provider is down, or its response is invalid. The message may be logged: it has the step and the provider's error
 * code, but nothing that was sent or received.
 */
export class ProviderFailure extends Error {
  /** The provider's error code, if it can be shown. */
  readonly code: string | undefined;
  /** Whether the provider processed the request and rejected it. */
  readonly isRejection: boolean;
  /** The status of its response. Undefined if there is none or if another part of the response is invalid. */
  readonly status: number | undefined;

  constructor(
    step: string,
    { code, status, rejected, cause }: { code?: unknown; status?: number; rejected?: boolean; cause?: unknown } = {},
  ) {
    const text = typeof code === 'number' || typeof code === 'string' ? String(code) : '';
    const shown = CODE.test(text) ? text : undefined;
    super(`${step}${shown === undefined ? '' : ` (${shown})`}`, { cause });
    this.name = 'ProviderFailure';
    this.code = shown;
    this.status = status;
    this.isRejection = rejected ?? shown !== undefined;
  }
}

/** The reason of a failure that may be shown. Only messages of this service certainly contain no secrets. */
export function reasonOf(error: unknown): string {
  if (error instanceof ProviderFailure) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
