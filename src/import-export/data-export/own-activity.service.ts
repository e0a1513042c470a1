import { Injectable } from '@nestjs/common';
import { AuditEvent, AuditLogRepository } from '../../audit';
import { placeOf } from '../../platform/lists';

const BATCH = 500;
/** The newest events. More would make the answer too long for a browser. */
const MAX_EVENTS = 10_000;

/** An act of the user. It leaves out names and values, which may be those of other users. */
type OwnAct = Readonly<Record<string, string | null>>;

export interface OwnActs {
  readonly acts: readonly OwnAct[];
  /** Whether older acts are left out. */
  readonly isCutOff: boolean;
}

/** Reads what a user did, newest first. */
@Injectable()
export class OwnActivityService {
  constructor(private readonly log: AuditLogRepository) {}

  /** Batches hold no database connection in between. */
  async *read(userId: string): AsyncGenerator<OwnActs> {
    let after: ReturnType<typeof placeOf> | undefined;
    for (let read = 0; read < MAX_EVENTS; read += BATCH) {
      const events = await this.log.find({ actorId: userId }, after, BATCH + 1);
      const hasMore = events.length > BATCH;
      const batch = events.slice(0, BATCH);
      yield { acts: batch.map(actOf), isCutOff: hasMore && read + BATCH === MAX_EVENTS };
      const last = batch.at(-1);
      if (!last || !hasMore) return;
      after = placeOf(last);
    }
  }
}

const actOf = ({ at, action, outcome, targetType, targetId, onBehalfOfId, ip, userAgent }: AuditEvent): OwnAct => ({
  at: at.toISOString(),
  action,
  outcome,
  target_type: targetType,
  target_id: targetId,
  on_behalf_of_id: onBehalfOfId,
  ip,
  user_agent: userAgent,
});
