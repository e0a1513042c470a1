import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { isDatabaseUnavailable } from '../platform/database';
import { Rotated, Rotation, RotationRepository } from './rotation.repository';
import { SessionSummary } from './session.repository';

const MOST_TOGETHER = 64;

/** undefined: it is to be tried by itself. */
type Outcome = Rotated | undefined;

/**
 * Rotates together what is asked for in one turn of the event loop: one statement, one trip and one commit for all of it.
 * What comes to nothing that way is tried by itself, so that nobody waits for, or is told, what befalls another.
 */
@Injectable()
export class Rotations {
  private readonly together = new DataLoader<Rotation, Outcome>((asked) => this.rotateTogether(asked), {
    cache: false,
    maxBatchSize: MOST_TOGETHER,
    batchScheduleFn: (dispatch) => void setImmediate(dispatch),
  });

  constructor(private readonly rotations: RotationRepository) {}

  /** The session as it is now; undefined: its counter was another, or it has ended. */
  async rotate(rotation: Rotation): Promise<SessionSummary | undefined> {
    const rotated = (await this.together.load(rotation)) ?? (await this.rotations.rotate(rotation));
    if (!rotated) return undefined;
    const { counter, ip, userAgent, device } = rotation;
    const at = rotated.rotatedAt;
    return { ...rotated, counter: counter + 1, ip, userAgent, device, lastSeenAt: at, now: at, revokedAt: null };
  }

  /** Of those who ask for one session the first is heard. */
  private async rotateTogether(asked: readonly Rotation[]): Promise<Outcome[]> {
    const firsts = new Map<string, Rotation>();
    for (const rotation of asked) if (!firsts.has(rotation.id)) firsts.set(rotation.id, rotation);
    const rotated = firsts.size > 1 ? await this.rotateFree([...firsts.values()]) : [];
    const byAsker = new Map(rotated.map((each) => [firsts.get(each.id), each]));
    return asked.map((rotation) => byAsker.get(rotation));
  }

  /** What the database refuses may be the fault of one; whose it is will be seen as each is tried by itself. */
  private async rotateFree(rotations: readonly Rotation[]): Promise<Rotated[]> {
    try {
      return await this.rotations.rotateFree(rotations);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      return [];
    }
  }
}
