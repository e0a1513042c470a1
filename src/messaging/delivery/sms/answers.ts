import { DeliveryOutcome } from '../../message';

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Texts and numbers, as providers mix them. */
export const codeOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : textOf(value);

/** The codes of a provider that do not say no for good. */
export interface OpenCodes {
  readonly throttled: RegExp;
  /** The provider itself stumbled: it may have sent the text before. */
  readonly unsure: RegExp;
}

/** What a provider's own code means. With a status of 5xx it stumbled, whatever it calls that. */
export function outcomeOfCode(code: string, status: number, { throttled, unsure }: OpenCodes): DeliveryOutcome {
  if (throttled.test(code)) return 'throttled';
  return status >= 500 || unsure.test(code) ? 'unknown' : 'rejected';
}
