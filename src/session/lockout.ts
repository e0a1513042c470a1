import { Injectable } from '@nestjs/common';
import { CounterStep, KeyValueCache } from '../platform/cache';
import { sha256 } from '../platform/crypto';
import { defineErrors, ErrorFactory, platformErrors } from '../platform/errors';
import { NameQueue } from '../platform/jobs';
import { SettingsReader } from '../platform/settings';
import { pause } from '../platform/time';
import { CountedAt, DeviceGuesses, forgetting, GuessedAt, PENDING_SECONDS, underCeiling } from './device-guesses';
import { addressFailureThreshold, lockoutSeconds, lockoutThreshold, lockoutWindow } from './lockout.settings';

export type { GuessedAt } from './device-guesses';

export const lockoutErrors = defineErrors({ accountLocked: 429 });

/** As whom the guesses at a user's second factors are counted: a right first factor must not forgive them. */
export const secondFactorOf = (subject: string): string => `${subject}|second_factor`;

/** A place taken among the guesses that are left; exactly one of the three ends it. */
export interface Guess {
  /** Answers whether this was the failure that locked the account, or the browser, out. */
  failed(): Promise<boolean>;
  succeeded(): Promise<void>;
  /** It never came to a judgement. */
  abandoned(): Promise<void>;
}

/** How many guesses somebody has: those that failed and those being judged are together at most `threshold`. */
interface Budget {
  readonly failures: string;
  readonly pending: string;
  readonly lock: string;
  readonly threshold: number;
  readonly windowSeconds: number;
  readonly lockSeconds: number;
  readonly refusal: ErrorFactory;
  /** Counts the guesses that came to nothing, where those are bounded, too. */
  readonly abandoned?: string;
}

const PATIENCE_MS = 10_000;
const BUSY_SECONDS = 3;
const RETRY_MS = 20;
/** Short, for those who met an overload must not be locked out when it is over. */
const ABANDONED_SECONDS = 60;

/**
 * Bounds how often a secret can be guessed at. A guess takes its place before the work, so parallel guesses cannot slip
 * past, and is counted outside any database transaction, so no roll-back takes it back. Those for whom there is no place
 * as long as others are being judged wait: many right logins at one time lock nobody out.
 */
@Injectable()
export class Lockout {
  private readonly lines = new NameQueue();
  private readonly devices: DeviceGuesses;

  constructor(
    private readonly cache: KeyValueCache,
    private readonly settings: SettingsReader,
  ) {
    this.devices = new DeviceGuesses(cache, settings);
  }

  /** Errors: `account_locked`, `rate_limited`, both also for right credentials; `unavailable` after a long wait. */
  async take(wanted: GuessedAt): Promise<Guess> {
    const at = await this.devices.withinCeiling(wanted);
    try {
      return await this.place(at);
    } catch (error) {
      await this.cache.count(...underCeiling(at));
      throw error;
    }
  }

  /** Of an account that is locked, where a lock does not keep a guess from being judged: it counts for the address alone. */
  async takeUnderLock(from: string): Promise<Guess> {
    const { address } = await this.budgetsOf({ subject: '', address: from });
    await this.enter(address);
    return {
      failed: async () => {
        await this.countFailure(address);
        await this.leave(address);
        return false;
      },
      succeeded: () => this.leave(address),
      abandoned: async () => {
        await this.cache.count(leaving(address), ...abandoning(address));
      },
    };
  }

  private async place(at: CountedAt): Promise<Guess> {
    const { account, address } = await this.budgetsOf(at);
    await this.enter(address);
    try {
      await this.enter(account);
    } catch (error) {
      await this.leave(address);
      throw error;
    }
    return {
      failed: async () => {
        const [isLocked] = await Promise.all([this.countFailure(account, at), this.countFailure(address)]);
        await this.leave(account, address);
        return isLocked;
      },
      succeeded: async () => {
        const forgiven = { drop: account.failures };
        await this.cache.count(forgiven, ...[account, address].map(leaving), ...underCeiling(at));
      },
      abandoned: async () => {
        await this.cache.count(...[account, address].map(leaving), ...underCeiling(at), ...abandoning(address));
      },
    };
  }

  /** Seconds until the account may be tried again from everywhere; 0 when nobody is locked out. */
  async lockedFor(subject: string): Promise<number> {
    const [seconds = 0] = await this.lockedForEach([subject]);
    return seconds;
  }

  /** As `lockedFor`, of each in their order; the cache is asked twice. */
  async lockedForEach(subjects: readonly string[]): Promise<number[]> {
    if (subjects.length === 0) return [];
    const noted = await this.devices.notesOf(subjects.flatMap(factorsOf));
    const locks = noted.flatMap(({ subject, note }) => [keysOf('account', subject).lock, note]);
    const left = await this.cache.count(...locks.map((lock) => ({ ttlOf: lock })));
    const each = left.length / subjects.length;
    return subjects.map((_, place) => Math.max(...left.slice(place * each, (place + 1) * each)));
  }

  /** Lets everybody try the account again, with all guesses. */
  async unlock(subject: string): Promise<void> {
    for (const factor of factorsOf(subject)) await this.unlockFactor(factor);
  }

  /** As `unlock`, of this alone: guesses at the second factors of an account are another subject, see `secondFactorOf`. */
  async unlockFactor(subject: string): Promise<void> {
    const { failures, lock } = keysOf('account', subject);
    await this.cache.count({ drop: failures }, { drop: lock }, ...forgetting(subject));
  }

  private async enter(budget: Budget): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    if (await this.tryToEnter(budget)) return;
    // One of this process asks for all who wait in it; the others keep their turn.
    await this.lines.run(budget.pending, () => this.waitToEnter(budget, deadline));
  }

  private async waitToEnter(budget: Budget, deadline: number): Promise<void> {
    while (!(await this.tryToEnter(budget))) {
      if (performance.now() >= deadline) throw platformErrors.unavailable({ retryAfterSeconds: BUSY_SECONDS });
      await pause(RETRY_MS);
    }
  }

  /** Asks in the order opposite to `failed`: a guess that is just failing is met at least once, as pending, failure or lock. */
  private async tryToEnter(budget: Budget): Promise<boolean> {
    const { pending, failures, lock, abandoned, threshold } = budget;
    const [judged = 0, failed = 0, lockedFor = 0, vain = 0] = await this.cache.count(
      { add: 1, to: pending, ttlSeconds: PENDING_SECONDS },
      { read: failures },
      { ttlOf: lock },
      ...(abandoned === undefined ? [] : [{ read: abandoned }]),
    );
    if (lockedFor === 0 && judged + failed <= threshold && vain < threshold) return true;
    await this.leave(budget);
    await this.refuse(budget, { failed, lockedFor, vain });
    return false;
  }

  /** Those who need not wait for the guesses that are being judged: it would not help them. */
  private async refuse(
    { failures, abandoned, threshold, refusal }: Budget,
    { failed, lockedFor, vain }: { failed: number; lockedFor: number; vain: number },
  ): Promise<void> {
    // A guess that nobody judges costs work all the same.
    if (abandoned !== undefined && vain >= threshold) {
      throw refusal({ retryAfterSeconds: Math.max(1, await this.cache.ttl(abandoned)) });
    }
    if (lockedFor > 0) throw refusal({ retryAfterSeconds: lockedFor });
    // More failures than a threshold that was lowered since.
    if (failed >= threshold) throw refusal({ retryAfterSeconds: await this.cache.ttl(failures) });
  }

  private async leave(...budgets: Budget[]): Promise<void> {
    await this.cache.count(...budgets.map(leaving));
  }

  /** Answers whether this failure set the lock. */
  private async countFailure(budget: Budget, at: Partial<CountedAt> = {}): Promise<boolean> {
    const { failures, lock, threshold, windowSeconds, lockSeconds } = budget;
    if ((await this.cache.increment(failures, windowSeconds)) < threshold) return false;
    // A counter, for counters outlive the loss of Redis.
    await this.cache.increment(lock, lockSeconds);
    await this.cache.delete(failures);
    await this.devices.noteLock(at, lockSeconds);
    return true;
  }

  private async budgetsOf({ subject, address, device }: GuessedAt): Promise<{ account: Budget; address: Budget }> {
    const [threshold, windowSeconds, lockSeconds, addressThreshold] = await Promise.all([
      this.settings.get(lockoutThreshold),
      this.settings.get(lockoutWindow),
      this.settings.get(lockoutSeconds),
      this.settings.get(addressFailureThreshold),
    ]);
    const common = { windowSeconds, lockSeconds };
    const { accountLocked } = lockoutErrors;
    const { rateLimited } = platformErrors;
    return {
      account: { ...keysOf('account', subject, device), ...common, threshold, refusal: accountLocked },
      address: {
        ...keysOf('address', address),
        ...common,
        threshold: addressThreshold,
        refusal: rateLimited,
        abandoned: `lockout:abandoned:${sha256(address)}`,
      },
    };
  }
}

function keysOf(
  kind: 'account' | 'address',
  whose: string,
  device = '',
): Pick<Budget, 'failures' | 'pending' | 'lock'> {
  // Names that were tried may be anything, passwords typed into the wrong field among them.
  const digest = sha256(JSON.stringify([kind, whose, device]));
  return {
    failures: `lockout:failures:${digest}`,
    pending: `lockout:pending:${digest}`,
    lock: `lockout:lock:${digest}`,
  };
}

const leaving = ({ pending }: Budget): CounterStep => ({ add: -1, to: pending, ttlSeconds: PENDING_SECONDS });

const abandoning = ({ abandoned }: Budget): CounterStep[] =>
  abandoned === undefined ? [] : [{ add: 1, to: abandoned, ttlSeconds: ABANDONED_SECONDS }];

const factorsOf = (subject: string): string[] => [subject, secondFactorOf(subject)];
