import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { KeyReport, SigningKeys } from '../platform/crypto';
import { StartupTasks, Transactions } from '../platform/database';
import { Jobs } from '../platform/jobs';
import { Log } from '../platform/logging';
import { SessionRepository } from './session.repository';

const HOUR_MS = 3_600_000;
/** An instance may still sign with the key before for as long as it believes its memory. */
const SWITCH_MS = 60_000;
const EVERY_SECONDS = 3_600;
/** Longer than any access token lives, and than a new key takes to be everywhere. */
const KEPT_AT_LEAST_MS = 2 * HOUR_MS;

/** The keys of session tokens: made at the start, rotated on demand, retired when nothing they signed is about. */
@Injectable()
export class SessionKeys {
  constructor(
    private readonly keys: SigningKeys,
    private readonly sessions: SessionRepository,
    private readonly transactions: Transactions,
    private readonly audit: Audit,
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

  /** Publishes the next key; it signs a minute later, and nobody is logged out. Answers its `kid`. */
  rotate(): Promise<string> {
    return this.transactions.run(async () => {
      const kid = await this.keys.rotate('session');
      await this.audit.record({ action: 'signing_key.rotate', target: { type: 'signing_key', id: kid } });
      return kid;
    });
  }

  /** A superseded key goes once every live session has tokens of a newer one. */
  async retireSuperseded(now = Date.now()): Promise<void> {
    const keys = (await this.keys.list()).filter(({ usage, state }) => usage === 'session' && state !== 'pending');
    for (const [position, key] of keys.entries()) {
      const successor = keys[position - 1];
      if (!successor || now - successor.signsFrom.getTime() < KEPT_AT_LEAST_MS) continue;
      const everywhere = new Date(successor.signsFrom.getTime() + SWITCH_MS);
      if (await this.sessions.hasTokensFromBefore(everywhere)) continue;
      await this.retire(key.kid);
    }
  }

  private async prepare(): Promise<void> {
    await this.keys.ensure('session');
    const resealed = await this.keys.reseal();
    if (resealed > 0) this.log.info('Sealed signing keys with the first of ENCRYPTION_KEYS', { keys: resealed });
  }

  private retire(kid: string): Promise<void> {
    return this.transactions.run(async () => {
      // Every instance comes to it; the first retires it.
      if (!(await this.keys.retire(kid))) return;
      await this.audit.record({ action: 'signing_key.retire', target: { type: 'signing_key', id: kid } });
    });
  }
}
