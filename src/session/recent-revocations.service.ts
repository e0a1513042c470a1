import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { CacheFactory, Snapshot } from '../platform/cache';
import { DatabaseClock } from '../platform/database';
import { MaybePromise } from '../platform/maybe-promise';
import { ENTRY_SECONDS } from './session-entry';
import { SessionRepository } from './session.repository';

/** The longest a transaction may be under way that ends a session: `revoked_at` is the time of its start. */
const TRANSACTION_SECONDS = 60;
const MAX_REVOCATIONS = 10_000;

export interface Revocations {
  readonly ids: ReadonlySet<string>;
  /** More were found than are looked at: which ones is not known. */
  readonly isIncomplete: boolean;
  /** Every end that was committed by then is known; by this process's monotonic clock. */
  readonly since: number;
  /** When this instance first asked; by the database's clock, in milliseconds. */
  readonly firstAskedAt: number;
}

/**
 * The sessions that ended lately, as the database knows them, at most a second old. An entry of the shared cache is used
 * only where no end has followed it, whatever became of the messages and writes that should have said so.
 */
@Injectable()
export class RecentRevocationsService {
  private readonly snapshot: Snapshot<Revocations>;
  private firstAskedAt: number | undefined;

  constructor(
    caches: CacheFactory,
    private readonly sessions: SessionRepository,
    private readonly clock: DatabaseClock,
  ) {
    this.snapshot = caches.createSnapshot('session_revocation', () => this.load());
  }

  get(): MaybePromise<Revocations> {
    return this.snapshot.get();
  }

  private async load(): Promise<Revocations> {
    const since = performance.now();
    const { ids, now } = await this.sessions.findRevoked(ENTRY_SECONDS + TRANSACTION_SECONDS, MAX_REVOCATIONS + 1);
    this.clock.observe(now);
    this.firstAskedAt ??= now.getTime();
    const isIncomplete = ids.length > MAX_REVOCATIONS;
    return { ids: new Set(ids), isIncomplete, since, firstAskedAt: this.firstAskedAt };
  }
}
