import { Injectable } from '@nestjs/common';
import { KeyedConcurrencyLimiter } from '../../jobs';

const MAX_RUNNING_PER_RECEIVER = 4;
const MAX_WAITING_PER_RECEIVER = 1_000;

/**
 * A kind of delivery, declared by its feature. All kinds together run fewer attempts than the calls that
 * `OutboundClient` makes, so that ten remain for logins with third parties.
 */
export interface DeliveryKind {
  readonly name: string;
  /** Attempts of this kind that run at the same time. */
  readonly maxRunning: number;
}

/**
 * Lets attempts of deliveries wait for their turn: few run per receiver, so that one that hangs delays no other, and
 * each kind has a share, so that receivers of one kind that hang delay no other kind.
 */
@Injectable()
export class DeliveryAttemptsService {
  private readonly limiters = new Map<string, KeyedConcurrencyLimiter>();

  /** Returns the result of `attempt`. Errors: `ConcurrencyLimitError` if too many wait for the receiver. */
  run<T>(kind: DeliveryKind, receiver: string, attempt: () => Promise<T>): Promise<T> {
    const limiter = this.limiters.get(kind.name) ?? limiterOf(kind);
    this.limiters.set(kind.name, limiter);
    return limiter.run(receiver, attempt);
  }
}

const limiterOf = ({ maxRunning }: DeliveryKind): KeyedConcurrencyLimiter =>
  new KeyedConcurrencyLimiter({
    maxRunning,
    maxRunningPerKey: MAX_RUNNING_PER_RECEIVER,
    maxWaitingPerKey: MAX_WAITING_PER_RECEIVER,
  });
