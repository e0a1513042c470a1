export type OutboundFailure =
  'address_refused' | 'unreachable' | 'timed_out' | 'too_large' | 'redirected' | 'encoded' | 'busy';

/** A call without a usable response. Contains neither address nor content, which may hold secrets. */
export class OutboundError extends Error {
  constructor(
    readonly reason: OutboundFailure,
    cause?: unknown,
  ) {
    super(`The outgoing call failed: ${reason}`, { cause });
    this.name = 'OutboundError';
  }
}
