import { Injectable } from '@nestjs/common';
import { CounterStep, CounterStore } from '../../platform/cache';
import { sha256 } from '../../platform/crypto';
import { ErrorFactory, platformErrors } from '../../platform/errors';
import { KeyedMutex } from '../../platform/jobs';
import { SettingsReader } from '../../platform/settings';
import { pause } from '../../platform/util';
import {
  AttemptKey,
  CountedAttemptKey,
  KnownDeviceAttempts,
  PENDING_SECONDS,
  releaseCap,
  startEpoch,
} from './known-device-attempts';
import type { AttemptLimits } from './login-method';
import { loginErrors } from './login.errors';
import { addressFailureThreshold, lockoutSeconds, lockoutThreshold, lockoutWindow } from './lockout.settings';

/** Lockout key of a user's second factors. Separate, because a correct first factor must not reset their count. */
export const secondFactorOf = (subject: string): string => `${subject}|second_factor`;

/** An attempt that holds a place in its budgets. Exactly one of the three methods ends it. */
export interface LoginAttempt {
  /**
   * Returns whether this failure locked the account or the device. It counts for the account by default, otherwise for
   * the address only.
   */
  fail(limits?: AttemptLimits): Promise<boolean>;
  succeed(): Promise<void>;
  /** The secret was not verified, because of an overload or a database error. */
  cancel(): Promise<void>;
}

/** At most `threshold` failed and pending attempts together. */
interface Budget {
  readonly failures: string;
  readonly pending: string;
  readonly lock: string;
  readonly threshold: number;
  readonly windowSeconds: number;
  readonly lockSeconds: number;
  readonly createError: ErrorFactory;
  /** Counts cancelled attempts, when those are limited too. */
  readonly cancelled?: string;
}

/** As long as for a place in the queue of password hashes. */
const MAX_WAIT_MS = 3_000;
/** Attempts that may wait in this process for one account or address. */
const MAX_WAITING = 256;
const BUSY_SECONDS = 3;
const RETRY_MS = 20;
/** Short, so that clients which met an overload are not locked out when it is over. */
const CANCELLED_SECONDS = 60;

/**
 * Limits how often a secret can be guessed. An attempt takes its place before the work, so that parallel attempts
 * cannot exceed the limit. Counts outside database transactions, so that a rollback does not undo it. Attempts wait
 * while pending ones hold all places, so that many correct logins at once do not lock the account.
 */
@Injectable()
export class LockoutService {
  private readonly queues = new KeyedMutex();
  private readonly devices: KnownDeviceAttempts;

  constructor(
    private readonly counters: CounterStore,
    private readonly settings: SettingsReader,
  ) {
    this.devices = new KnownDeviceAttempts(counters, settings);
  }

  /** Throws `account_locked` or `rate_limited` (also for correct credentials), or `unavailable` when the wait or the queue is too long. */
  async begin(wanted: AttemptKey): Promise<LoginAttempt> {
    const at = await this.devices.withinCap(wanted);
    try {
      return await this.place(at);
    } catch (error) {
      await this.counters.count(...releaseCap(at));
      throw error;
    }
  }

  /** For a secret that is verified even while the account is locked. Counts for the address only. */
  async beginForAddress(from: string): Promise<LoginAttempt> {
    const { address } = await this.budgetsOf({ subject: '', address: from });
    await this.enter(address);
    return {
      fail: async () => {
        await this.countFailure(address);
        await this.leave(address);
        return false;
      },
      succeed: () => this.leave(address),
      cancel: async () => {
        await this.counters.count(leaving(address), ...cancelling(address));
      },
    };
  }

  private async place(at: CountedAttemptKey): Promise<LoginAttempt> {
    const { account, address } = await this.budgetsOf(at);
    await this.enter(address);
    try {
      await this.enter(account);
    } catch (error) {
      await this.leave(address);
      throw error;
    }
    return {
      fail: async (limits = 'account') => {
        if (limits !== 'account') {
          await this.countFailure(address);
          await this.counters.count(...[account, address].map(leaving), ...releaseCap(at));
          return false;
        }
        const [isLocked] = await Promise.all([this.countFailure(account, at), this.countFailure(address)]);
        await this.leave(account, address);
        return isLocked;
      },
      succeed: async () => {
        const reset = { drop: account.failures };
        await this.counters.count(reset, ...[account, address].map(leaving), ...releaseCap(at));
      },
      cancel: async () => {
        await this.counters.count(...[account, address].map(leaving), ...releaseCap(at), ...cancelling(address));
      },
    };
  }

  /** Seconds until the account is unlocked everywhere, or 0 without a lock. */
  async lockedFor(subject: string): Promise<number> {
    const [seconds = 0] = await this.lockedForEach([subject]);
    return seconds;
  }

  /** Same as `lockedFor`, for each subject in order. Needs two reads of the counters. */
  async lockedForEach(subjects: readonly string[]): Promise<number[]> {
    if (subjects.length === 0) return [];
    const recorded = await this.devices.lockRecordsOf(subjects.flatMap(factorsOf));
    const locks = recorded.flatMap(({ subject, record }) => [keysOf('account', subject).lock, record]);
    const left = await this.counters.count(...locks.map((lock) => ({ ttlOf: lock })));
    const each = left.length / subjects.length;
    return subjects.map((_, place) => Math.max(...left.slice(place * each, (place + 1) * each)));
  }

  /** Ends all locks of the account and clears its failures. */
  async unlock(subject: string): Promise<void> {
    for (const factor of factorsOf(subject)) await this.unlockFactor(factor);
  }

  /** Same as `unlock`, for this key only. Second factors have a separate key, see `secondFactorOf`. */
  async unlockFactor(subject: string): Promise<void> {
    const { failures, lock } = keysOf('account', subject);
    await this.counters.count({ drop: failures }, { drop: lock }, ...startEpoch(subject));
  }

  private async enter(budget: Budget): Promise<void> {
    const deadline = performance.now() + MAX_WAIT_MS;
    if (await this.tryToEnter(budget)) return;
    if (this.queues.lengthOf(budget.pending) >= MAX_WAITING) throw busy();
    // One attempt polls for all that wait in this process. The others keep their order.
    await this.queues.run(budget.pending, () => this.waitToEnter(budget, deadline));
  }

  private async waitToEnter(budget: Budget, deadline: number): Promise<void> {
    while (!(await this.tryToEnter(budget))) {
      if (performance.now() >= deadline) throw busy();
      await pause(RETRY_MS);
    }
  }

  /**
   * Reads in the reverse order of `fail`, so that a failing attempt is seen at least once, as pending, failure or lock.
   */
  private async tryToEnter(budget: Budget): Promise<boolean> {
    const { pending, failures, lock, cancelled, threshold } = budget;
    const [begun = 0, failed = 0, lockedFor = 0, cancelledCount = 0] = await this.counters.count(
      { add: 1, to: pending, ttlSeconds: PENDING_SECONDS },
      { read: failures },
      { ttlOf: lock },
      ...(cancelled === undefined ? [] : [{ read: cancelled }]),
    );
    if (lockedFor === 0 && begun + failed <= threshold && cancelledCount < threshold) return true;
    await this.leave(budget);
    await this.rejectIfExhausted(budget, { failed, lockedFor, cancelledCount });
    return false;
  }

  /** Throws when waiting for pending attempts would not help. */
  private async rejectIfExhausted(
    { failures, cancelled, threshold, createError }: Budget,
    { failed, lockedFor, cancelledCount }: { failed: number; lockedFor: number; cancelledCount: number },
  ): Promise<void> {
    // A cancelled attempt costs work too.
    if (cancelled !== undefined && cancelledCount >= threshold) {
      throw createError({ retryAfterSeconds: Math.max(1, await this.counters.ttl(cancelled)) });
    }
    if (lockedFor > 0) throw createError({ retryAfterSeconds: lockedFor });
    // The threshold may have been lowered below the number of failures.
    if (failed >= threshold) throw createError({ retryAfterSeconds: await this.counters.ttl(failures) });
  }

  private async leave(...budgets: Budget[]): Promise<void> {
    await this.counters.count(...budgets.map(leaving));
  }

  /** Returns whether this failure set the lock. */
  private async countFailure(budget: Budget, at: Partial<CountedAttemptKey> = {}): Promise<boolean> {
    const { failures, lock, threshold, windowSeconds, lockSeconds } = budget;
    if ((await this.counters.increment(failures, windowSeconds)) < threshold) return false;
    // A counter, because counters survive the loss of Redis.
    await this.counters.increment(lock, lockSeconds);
    await this.counters.delete(failures);
    await this.devices.recordLock(at, lockSeconds);
    return true;
  }

  private async budgetsOf({ subject, address, device }: AttemptKey): Promise<{ account: Budget; address: Budget }> {
    const [threshold, windowSeconds, lockSeconds, addressThreshold] = await Promise.all([
      this.settings.get(lockoutThreshold),
      this.settings.get(lockoutWindow),
      this.settings.get(lockoutSeconds),
      this.settings.get(addressFailureThreshold),
    ]);
    const common = { windowSeconds, lockSeconds };
    const { accountLocked } = loginErrors;
    const { rateLimited } = platformErrors;
    return {
      account: { ...keysOf('account', subject, device), ...common, threshold, createError: accountLocked },
      address: {
        ...keysOf('address', address),
        ...common,
        threshold: addressThreshold,
        createError: rateLimited,
        cancelled: `lockout:cancelled:${sha256(address)}`,
      },
    };
  }
}

const busy = (): Error => platformErrors.unavailable({ retryAfterSeconds: BUSY_SECONDS });

function keysOf(
  kind: 'account' | 'address',
  whose: string,
  device = '',
): Pick<Budget, 'failures' | 'pending' | 'lock'> {
  // Hashed, because an identifier may be anything, even a password typed into the wrong field.
  const digest = sha256(JSON.stringify([kind, whose, device]));
  return {
    failures: `lockout:failures:${digest}`,
    pending: `lockout:pending:${digest}`,
    lock: `lockout:lock:${digest}`,
  };
}

const leaving = ({ pending }: Budget): CounterStep => ({ add: -1, to: pending, ttlSeconds: PENDING_SECONDS });

const cancelling = ({ cancelled }: Budget): CounterStep[] =>
  cancelled === undefined ? [] : [{ add: 1, to: cancelled, ttlSeconds: CANCELLED_SECONDS }];

const factorsOf = (subject: string): string[] => [subject, secondFactorOf(subject)];
