import { Injectable, OnModuleInit } from '@nestjs/common';
import { KeyReport, SigningKeysService } from './keys/signing-keys.service';
import { FIRST_ID } from '../platform/crypto';
import { DatabaseClock, StartupTasks } from '../platform/database';
import { Scheduler } from '../platform/jobs';
import { Log } from '../platform/logging';
import { KeyRotationService } from './key-rotation.service';
import { SessionRepository } from './store/session.repository';

const HOUR_MS = 3_600_000;
/** Another instance may sign with the previous key until its cache expires. */
const SWITCH_MS = 60_000;
const EVERY_SECONDS = 3_600;
/** Longer than the lifetime of any access token and than the distribution of a new key. */
const MIN_KEPT_MS = 2 * HOUR_MS;
/** Bounds the sessions that one statement reads. */
const MAX_LOOKED_AT = 10_000;

/** The keys of session tokens: created at start, retired when no session uses them any more. */
@Injectable()
export class SessionKeysService implements OnModuleInit {
  /**
   * For each successor key, the first session that may still hold tokens of the previous key. Tokens and sessions only
   * get newer, so a session that was passed once never needs another look.
   */
  private readonly lookFrom = new Map<string, string>();

  constructor(
    private readonly keys: SigningKeysService,
    private readonly sessions: SessionRepository,
    private readonly rotation: KeyRotationService,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
    private readonly startup: StartupTasks,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.startup.add({ name: 'signing keys', stage: 'secrets', run: () => this.prepare() });
    this.jobs.every(EVERY_SECONDS, { name: 'superseded signing keys', run: () => this.retireSuperseded() });
  }

  list(): Promise<KeyReport[]> {
    return this.keys.list();
  }

  /** Retires a superseded key when every live session has tokens of a newer one. */
  async retireSuperseded(): Promise<void> {
    const keys = (await this.keys.list()).filter(({ usage, state }) => usage === 'session' && state !== 'pending');
    const now = this.clock.now();
    for (const [position, key] of keys.entries()) {
      const successor = keys[position - 1];
      if (!successor || now - successor.signsFrom.getTime() < MIN_KEPT_MS) continue;
      if (await this.isNeededBeside(successor)) continue;
      await this.rotation.retire(key.kid);
    }
  }

  private async isNeededBeside({ kid, signsFrom }: KeyReport): Promise<boolean> {
    const everywhere = new Date(signsFrom.getTime() + SWITCH_MS);
    for (;;) {
      const from = this.lookFrom.get(kid) ?? FIRST_ID;
      const { holder, last } = await this.sessions.findTokensFromBefore(everywhere, from, MAX_LOOKED_AT);
      const next = holder ?? last;
      if (next === null) return false;
      this.lookFrom.set(kid, next);
      if (holder !== null) return true;
    }
  }

  private async prepare(): Promise<void> {
    await this.keys.ensure('session');
    const resealed = await this.keys.reseal();
    if (resealed > 0) this.log.info('Resealed signing keys with the first of ENCRYPTION_KEYS', { keys: resealed });
  }
}
