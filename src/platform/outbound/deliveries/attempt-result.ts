import { randomFraction } from '../../crypto';
import { retryDelay } from './retry-delay';

/** What came of an attempt. */
export interface SentDelivery {
  /** null: not attempted, because too many calls are running or the database is unavailable. */
  readonly isDelivered: boolean | null;
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
}

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Until a delivery is due again that was not attempted. */
const NOT_ATTEMPTED_SECONDS = 5;

/** What an attempt changes in the row of the delivery. */
export interface AttemptResult {
  readonly id: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Until the next attempt. */
  readonly delaySeconds: number;
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
}

/** All kinds of deliveries are attempted again at the same intervals. One that was not attempted keeps its attempts. */
export function resultOf(
  { id, attempts: before }: Pick<AttemptResult, 'id' | 'attempts'>,
  { isDelivered, ...answer }: SentDelivery,
): AttemptResult {
  if (isDelivered === null) {
    return { id, state: 'pending', attempts: before, delaySeconds: NOT_ATTEMPTED_SECONDS, ...answer };
  }
  const attempts = before + 1;
  if (isDelivered) return { id, state: 'delivered', attempts, delaySeconds: 0, ...answer };
  const delaySeconds = retryDelay(attempts, randomFraction());
  const state = delaySeconds === undefined ? 'failed' : 'pending';
  return { id, state, attempts, delaySeconds: delaySeconds ?? 0, ...answer };
}
