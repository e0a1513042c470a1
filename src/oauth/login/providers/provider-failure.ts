const CODE = /^[\w.:-]{1,64}$/;

/**
 * A provider that is down, lies, or speaks another protocol. Its message may be logged: it names the step and the
 * provider's own error code, never what was sent or answered.
 */
export class ProviderFailure extends Error {
  /** The provider's own error code, where it gave one that can be shown. */
  readonly code: string | undefined;
  /** It understood, and said no. */
  readonly isRefusal: boolean;

  constructor(step: string, { code, refused, cause }: { code?: unknown; refused?: boolean; cause?: unknown } = {}) {
    const text = typeof code === 'number' || typeof code === 'string' ? String(code) : '';
    const shown = CODE.test(text) ? text : undefined;
    super(`${step}${shown === undefined ? '' : ` (${shown})`}`, { cause });
    this.name = 'ProviderFailure';
    this.code = shown;
    this.isRefusal = refused ?? shown !== undefined;
  }
}

/** The part of a failure that may be shown: only our own messages are known to hold no secret. */
export function reasonOf(error: unknown): string {
  if (error instanceof ProviderFailure) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
