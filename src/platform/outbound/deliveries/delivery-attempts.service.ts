import { Injectable } from '@nestjs/common';
import { KeyedConcurrencyLimiter } from '../../jobs';

/** Together fewer than the calls that `OutboundClient` makes, so that ten remain for logins with third parties. */
const MAX_RUNNING = { webhook: 40, logout: 20 };
const MAX_RUNNING_PER_RECEIVER = 4;
const MAX_WAITING_PER_RECEIVER = 1_000;

export type DeliveryKind = keyof typeof MAX_RUNNING;

/**
 * Lets attempts of deliveries wait for their turn: few run per receiver, so that one that hangs delays no other, and
 * each kind has a share, so that receivers of events that hang delay no logout.
 */
@Injectable()
export class DeliveryAttemptsService {
  private readonly limiters = {
    webhook: limiterOf('webhook'),
    logout: limiterOf('logout'),
  };

  /** Returns the result of `attempt`. Errors: `ConcurrencyLimitError` if too many wait for the receiver. */
  run<T>(kind: DeliveryKind, receiver: string, attempt: () => Promise<T>): Promise<T> {
    return this.limiters[kind].run(receiver, attempt);
  }
}

const limiterOf = (kind: DeliveryKind): KeyedConcurrencyLimiter =>
  new KeyedConcurrencyLimiter({
    maxRunning: MAX_RUNNING[kind],
    maxRunningPerKey: MAX_RUNNING_PER_RECEIVER,
    maxWaitingPerKey: MAX_WAITING_PER_RECEIVER,
  });
