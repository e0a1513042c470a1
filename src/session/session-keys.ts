import { Injectable } from '@nestjs/common';
import { KeyReport, SigningKeys } from '../platform/crypto';
import { StartupTasks } from '../platform/database';
import { Jobs } from '../platform/jobs';
import { Log } from '../platform/logging';
import { KeyRotation } from './key-rotation';
import { SessionRepository } from './session.repository';

const HOUR_MS = 3_600_000;
/** An instance may still sign with the key before for as long as it believes its memory. */
const SWITCH_MS = 60_000;
const EVERY_SECONDS = 3_600;
/** Longer than any access token lives, and than a new key takes to be everywhere. */
const KEPT_AT_LEAST_MS = 2 * HOUR_MS;

/** The keys of session tokens: made at the start, retired when nothing they signed is about. */
@Injectable()
export class SessionKeys {
  constructor(
    private readonly keys: SigningKeys,
    private readonly sessions: SessionRepository,
    private readonly rotation: KeyRotation,
    private readonly log: Log,
    startup: StartupTasks,
    jobs: Jobs,
  ) {
    startup.add({ name: 'signing keys', run: () => this.prepare() });
    jobs.every(EVERY_SECONDS, { name: 'superseded signing keys', run: () => this.retireSuperseded() });
  }

  list(): Promise<KeyReport[]> {
    return this.keys.list();
  }

  /** A superseded key goes once every live session has tokens of a newer one. */
  async retireSuperseded(now = Date.now()): Promise<void> {
    const keys = (await this.keys.list()).filter(({ usage, state }) => usage === 'session' && state !== 'pending');
    for (const [position, key] of keys.entries()) {
      const successor = keys[position - 1];
      if (!successor || now - successor.signsFrom.getTime() < KEPT_AT_LEAST_MS) continue;
      const everywhere = new Date(successor.signsFrom.getTime() + SWITCH_MS);
      if (await this.sessions.hasTokensFromBefore(everywhere)) continue;
      await this.rotation.retire(key.kid);
    }
  }

  private async prepare(): Promise<void> {
    await this.keys.ensure('session');
    const resealed = await this.keys.reseal();
    if (resealed > 0) this.log.info('Sealed signing keys with the first of ENCRYPTION_KEYS', { keys: resealed });
  }
}
