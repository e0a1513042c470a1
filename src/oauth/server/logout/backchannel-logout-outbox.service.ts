import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database';
import { AttemptResult } from '../../../platform/outbound/deliveries';
import { Log } from '../../../platform/logging';
import { LogoutNotice, LogoutNoticeRepository, LogoutTarget } from '../storage/logout-notice.repository';

/** Notices leased by this instance. An attempt starts before `until` (of `performance.now()`) or not at all. */
export interface LeasedNotices {
  readonly notices: readonly LogoutNotice[];
  readonly until: number;
}

/** The lease. Longer than many notices of a hanging application take. */
const HELD_SECONDS = 120;
/** Leaves time for the last attempt of five seconds and its result before the lease ends. */
const MARGIN_MS = 10_000;
/** As many as can be tried within the lease even if all of them hang: twenty at once, four per client. */
const CLAIM = { limit: 400, limitOfClient: 40, seconds: HELD_SECONDS };

/** Stores logout notices in the database until they are delivered, so that a crash loses none. */
@Injectable()
export class BackchannelLogoutOutboxService {
  private readonly results: AttemptResult[] = [];
  private settling: Promise<void> | undefined;

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
   * Leases notices that are due: for the next attempt, or because the lease of an instance has ended.
   * @param except clients whose notices are skipped.
   */
  claim(except: readonly string[]): Promise<LeasedNotices> {
    return held(() => this.rows.claim({ ...CLAIM, except }));
  }

  /** Lets other instances take leased notices at once. Never fails: the lease ends anyway. */
  async release(notices: readonly LogoutNotice[]): Promise<void> {
    if (notices.length === 0) return;
    const releasing = this.transactions.run(() => this.rows.release(notices.map(({ id }) => id)));
    await releasing.catch((error: unknown) => {
      this.log.warn('Releasing unsent logout notices failed', { err: error });
    });
  }

  /**
   * Stores the results of all attempts that ended in the meantime with one statement. Never fails: a notice whose result
   * is lost is sent again.
   */
  settle(result: AttemptResult): Promise<void> {
    this.results.push(result);
    this.settling ??= this.settleAll();
    return this.settling;
  }

  private async settleAll(): Promise<void> {
    while (this.results.length > 0) {
      const results = this.results.splice(0);
      // Transactions are retried after a deadlock, and deleting a client locks the same rows in another order.
      await this.transactions
        .run(() => this.rows.settle(results))
        .catch((error: unknown) => {
          this.log.warn('Storing the results of logout notices failed', { err: error });
        });
    }
    this.settling = undefined;
  }
}

/** The lease starts before the query, so that it ends here before it ends in the database. */
async function held(take: () => Promise<LogoutNotice[]>): Promise<LeasedNotices> {
  const until = performance.now() + HELD_SECONDS * 1_000 - MARGIN_MS;
  return { notices: await take(), until };
}
