import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { LogoutNotice, LogoutNoticeRepository, LogoutTarget } from './storage/logout-notice.repository';

/** Notices leased by this instance. An attempt starts before `until` (of `performance.now()`) or not at all. */
export interface LeasedNotices {
  readonly notices: readonly LogoutNotice[];
  readonly until: number;
}

/** The lease. Longer than the first attempts and their pauses take without a queue. */
const HELD_SECONDS = 120;
/** Leaves time for the last attempt of five seconds and its deletion before the lease ends. */
const MARGIN_MS = 10_000;
/** The lease doubles with each attempt, so the last one is about seventeen hours after the logout. */
const MAX_ATTEMPTS = 10;
/** As many as can be tried within the lease even if all of them hang: twenty at once, four per client. */
const CLAIM = { limit: 400, limitOfClient: 40, seconds: HELD_SECONDS, maxDoublings: MAX_ATTEMPTS };

/** Stores logout notices in the database until they are delivered, so that a crash loses none. */
@Injectable()
export class BackchannelLogoutOutboxService {
  private readonly settled: string[] = [];
  private striking: Promise<void> | undefined;

  constructor(
    private readonly rows: LogoutNoticeRepository,
    private readonly transactions: Transactions,
    private readonly log: Log,
  ) {}

  /** Adds notices for the applications that want them. Call it in the transaction that ends the sessions. */
  add(logouts: readonly LogoutTarget[]): Promise<LeasedNotices> {
    return held(() => this.rows.add(logouts, HELD_SECONDS));
  }

  /**
   * Leases notices whose lease has expired.
   * @param except clients that are at their limit.
   */
  claim(except: readonly string[]): Promise<LeasedNotices> {
    return held(() => this.rows.claim({ ...CLAIM, except }));
  }

  /**
   * Returns leased notices that were not attempted, so that no attempt is counted. Never fails: a remaining one is
   * retried later.
   */
  async giveBack(notices: readonly LogoutNotice[]): Promise<void> {
    if (notices.length === 0) return;
    const giving = this.transactions.run(() => this.rows.giveBack(notices, HELD_SECONDS));
    await giving.catch((error: unknown) => {
      this.log.warn('Releasing unsent logout notices failed', { err: error });
    });
  }

  isLastTry({ attempts }: LogoutNotice): boolean {
    return attempts >= MAX_ATTEMPTS;
  }

  /**
   * Deletes everything settled in the meantime with one statement. Never fails: a notice that remains is sent twice.
   */
  strikeOff({ id }: LogoutNotice): Promise<void> {
    this.settled.push(id);
    this.striking ??= this.strikeAllOff();
    return this.striking;
  }

  private async strikeAllOff(): Promise<void> {
    while (this.settled.length > 0) {
      const ids = this.settled.splice(0);
      // Transactions are retried after a deadlock, and deleting a client locks the same rows in another order.
      await this.transactions
        .run(() => this.rows.delete(ids))
        .catch((error: unknown) => {
          this.log.warn('Deleting delivered logout notices failed', { err: error });
        });
    }
    this.striking = undefined;
  }
}

/** The lease starts before the query, so that it ends here before it ends in the database. */
async function held(take: () => Promise<LogoutNotice[]>): Promise<LeasedNotices> {
  const until = performance.now() + HELD_SECONDS * 1_000 - MARGIN_MS;
  return { notices: await take(), until };
}
