import type { AuditPosition, TimedAuditPosition } from '../../audit';
import { FIRST_ID } from '../../platform/crypto';

/** A place in the feed: within the act, the events before `ordinal` have been read. */
export interface FeedPosition extends AuditPosition {
  readonly ordinal: number;
  /** The time of the act; null at the beginning of the feed. */
  readonly at: Date | null;
}

export const FEED_START: FeedPosition = { position: '0', id: FIRST_ID, ordinal: 0, at: null };

/** After every act. */
export const FEED_END: FeedPosition = { position: '9223372036854775807', id: FIRST_ID, ordinal: 0, at: null };

/** More events than an act has. */
const ALL = 1_000_000;

/** The place after all events of the act. */
export const afterAct = ({ position, id, at }: TimedAuditPosition): FeedPosition => ({
  position,
  id,
  at,
  ordinal: ALL,
});
