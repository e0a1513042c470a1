import { DeliveryOutcome } from '../../message/message';

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A provider's code, which may be a text or a number. */
export const codeOf = (value: unknown): string | undefined =>
  typeof value === 'number' ? String(value) : textOf(value);

/** Codes of a provider that are not permanent failures. */
export interface OpenCodes {
  readonly throttled: RegExp;
  /** The provider itself failed, and may have sent the message. */
  readonly unsure: RegExp;
}

/** The outcome for a provider's code. With a 5xx status the outcome is unknown whatever the code. */
export function outcomeOfCode(code: string, status: number, { throttled, unsure }: OpenCodes): DeliveryOutcome {
  if (throttled.test(code)) return 'throttled';
  return status >= 500 || unsure.test(code) ? 'unknown' : 'rejected';
}
