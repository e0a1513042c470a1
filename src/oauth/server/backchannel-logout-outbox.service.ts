import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { Log } from '../../platform/logging';
import { LogoutNotice, LogoutNoticeRepository, LogoutToTell } from './storage/logout-notice.repository';

/** Notices that are this instance's for a while: a try begins before `until` (of `performance.now()`) or not at all. */
export interface LeasedNotices {
  readonly notices: readonly LogoutNotice[];
  readonly until: number;
}

/** Longer than the first attempts and their pauses take without a queue. */
const HELD_SECONDS = 120;
/** The last try, of five seconds, and striking it off come to an end while it is held. */
const MARGIN_MS = 10_000;
/** Doubled each time: the last try is made some seventeen hours after the logout. */
const MAX_ATTEMPTS = 10;
/** As many as can be tried while they are held, though all of them hang: twenty at once, four of a client. */
const CLAIM = { limit: 400, limitOfClient: 40, seconds: HELD_SECONDS, mostDoublings: MAX_ATTEMPTS };

/** Logout notices that wait for delivery, kept in the database until delivered, so that no crash loses one. */
@Injectable()
export class BackchannelLogoutOutboxService {
  private readonly settled: string[] = [];
  private striking: Promise<void> | undefined;

  constructor(
    private readonly rows: LogoutNoticeRepository,
    private readonly transactions: Transactions,
    private readonly log: Log,
  ) {}

  /** Call it in the transaction that ends the sessions; adds notices for the applications that want them. */
  add(logouts: readonly LogoutToTell[]): Promise<LeasedNotices> {
    return held(() => this.rows.add(logouts, HELD_SECONDS));
  }

  /** Some whose lease has expired. @param except clients that are at their limit. */
  claim(except: readonly string[]): Promise<LeasedNotices> {
    return held(() => this.rows.claim({ ...CLAIM, except }));
  }

  /** What was taken up and not tried: a try is counted that was made. Never fails: one that stays is tried later. */
  async giveBack(notices: readonly LogoutNotice[]): Promise<void> {
    if (notices.length === 0) return;
    const giving = this.transactions.run(() => this.rows.giveBack(notices, HELD_SECONDS));
    await giving.catch((error: unknown) => {
      this.log.warn('Logouts that were not told could not be given back', { err: error });
    });
  }

  isLastTry({ attempts }: LogoutNotice): boolean {
    return attempts >= MAX_ATTEMPTS;
  }

  /** One statement at a time, for everything settled meanwhile. Never fails: a notice that stays is sent twice. */
  strikeOff({ id }: LogoutNotice): Promise<void> {
    this.settled.push(id);
    this.striking ??= this.strikeAllOff();
    return this.striking;
  }

  private async strikeAllOff(): Promise<void> {
    while (this.settled.length > 0) {
      const ids = this.settled.splice(0);
      // In a transaction, which is repeated after a deadlock: a client's deletion takes the same rows in another order.
      await this.transactions
        .run(() => this.rows.delete(ids))
        .catch((error: unknown) => {
          this.log.warn('Logouts that applications were told of could not be struck off', { err: error });
        });
    }
    this.striking = undefined;
  }
}

/** Counted from before the database does: the instance lets go first. */
async function held(take: () => Promise<LogoutNotice[]>): Promise<LeasedNotices> {
  const until = performance.now() + HELD_SECONDS * 1_000 - MARGIN_MS;
  return { notices: await take(), until };
}
