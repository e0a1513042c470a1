import { Injectable } from '@nestjs/common';
import { RequestBatcher } from '../platform/database';
import { Rotated, Rotation, RotationRepository } from './rotation.repository';
import { SessionSummary, SessionWithDbTime } from './session.repository';

/** With what the cache keeps of it besides. */
export type RotatedSession = SessionSummary & Pick<SessionWithDbTime, 'authenticatedAt' | 'secondFactorAt'>;

/** Rotates together what is asked for in one turn of the event loop: one statement, one trip and one commit for all of it. */
@Injectable()
export class RefreshBatcherService {
  private readonly turn = new RequestBatcher<Rotation, Rotated | undefined>({
    together: (asked) => this.rotateTogether(asked),
    alone: (rotation) => this.rotations.rotate(rotation),
  });

  constructor(private readonly rotations: RotationRepository) {}

  /** The session as it is now; undefined: its counter was another, or it has ended. */
  async rotate(rotation: Rotation): Promise<RotatedSession | undefined> {
    const rotated = await this.turn.ask(rotation);
    if (!rotated) return undefined;
    const { counter, ip, userAgent, device } = rotation;
    const at = rotated.rotatedAt;
    return { ...rotated, counter: counter + 1, ip, userAgent, device, lastSeenAt: at, now: at, revokedAt: null };
  }

  /** Of those who ask for one session the first is heard. */
  private async rotateTogether(asked: readonly Rotation[]): Promise<(Rotated | undefined)[]> {
    const firsts = new Map<string, Rotation>();
    for (const rotation of asked) if (!firsts.has(rotation.id)) firsts.set(rotation.id, rotation);
    const rotated = await this.rotations.rotateFree([...firsts.values()]);
    const byAsker = new Map(rotated.map((each) => [firsts.get(each.id), each]));
    return asked.map((rotation) => byAsker.get(rotation));
  }
}
