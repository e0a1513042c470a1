import { Injectable } from '@nestjs/common';
import { RequestBatcher } from '../../platform/database';
import { Rotated, Rotation, RotationRepository } from './rotation.repository';
import { SessionSummary, SessionWithDbTime } from '../store/session.repository';

/** A rotated session with the columns that the cache keeps. */
export type RotatedSession = SessionSummary & Pick<SessionWithDbTime, 'authenticatedAt' | 'secondFactorAt'>;

/** Batches the rotations requested in one turn of the event loop into one statement and one commit. */
@Injectable()
export class RefreshBatcherService {
  private readonly turn = new RequestBatcher<Rotation, Rotated | undefined>({
    together: (asked) => this.rotateTogether(asked),
    alone: (rotation) => this.rotations.rotate(rotation),
  });

  constructor(private readonly rotations: RotationRepository) {}

  /** Returns the rotated session, or undefined when its counter differs or it has ended. */
  async rotate(rotation: Rotation): Promise<RotatedSession | undefined> {
    const rotated = await this.turn.ask(rotation);
    if (!rotated) return undefined;
    const { counter, ip, userAgent, device } = rotation;
    const at = rotated.rotatedAt;
    return { ...rotated, counter: counter + 1, ip, userAgent, device, lastSeenAt: at, now: at, revokedAt: null };
  }

  /** Only the first of several calls for the same session rotates it. */
  private async rotateTogether(asked: readonly Rotation[]): Promise<(Rotated | undefined)[]> {
    const firsts = new Map<string, Rotation>();
    for (const rotation of asked) if (!firsts.has(rotation.id)) firsts.set(rotation.id, rotation);
    const rotated = await this.rotations.rotateUnlocked([...firsts.values()]);
    const byRotation = new Map(rotated.map((each) => [firsts.get(each.id), each]));
    return asked.map((rotation) => byRotation.get(rotation));
  }
}
