import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { CacheFactory, Snapshot } from '../../platform/cache';
import { DatabaseClock } from '../../platform/database';
import { MaybePromise } from '../../platform/util';
import { ENTRY_SECONDS } from './session-entry';
import { SessionRepository } from './session.repository';

/** The maximum duration of a transaction that revokes a session, because `revoked_at` is its start time. */
const TRANSACTION_SECONDS = 60;
const MAX_REVOCATIONS = 10_000;

export interface Revocations {
  readonly ids: ReadonlySet<string>;
  /** There were more revocations than the limit, so some ids are missing. */
  readonly isIncomplete: boolean;
  /** Every revocation committed before this time is included. Monotonic clock of this process. */
  readonly since: number;
  /** The time of this instance's first query, by the database's clock in milliseconds. */
  readonly firstAskedAt: number;
}

/**
 * Recently revoked sessions from the database, at most a second old. An entry of the shared cache counts only when no
 * revocation follows it, even if an invalidation message or a cache write was lost.
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
