import { Injectable } from '@nestjs/common';
import { KeyValueCache } from '../platform/cache';
import { sha256 } from '../platform/crypto';
import { defineErrors, platformErrors } from '../platform/errors';
import { SettingsReader } from '../platform/settings';
import { addressFailureThreshold, lockoutSeconds, lockoutThreshold, lockoutWindow } from './lockout.settings';

export const lockoutErrors = defineErrors({ accountLocked: 429 });

export interface GuessedAt {
  /** The account, by id where it is known, else by the name that was tried. */
  readonly subject: string;
  /** The client's address as limits count it. */
  readonly address: string;
  /** The browser, where it proved to have logged in to the account before: its guesses count apart. */
  readonly device?: string;
}

/** A place taken among the guesses that are left; exactly one of the three ends it. */
export interface Guess {
  failed(): Promise<void>;
  succeeded(): Promise<void>;
  /** It never came to a judgement. */
  abandoned(): Promise<void>;
}

interface Limits {
  readonly threshold: number;
  readonly window: number;
  readonly lock: number;
  readonly addressThreshold: number;
}

/**
 * Bounds how often a secret can be guessed at. The counter moves before the work, so parallel guesses cannot slip past
 * it, and lives outside any database transaction, so no roll-back takes it back.
 */
@Injectable()
export class Lockout {
  constructor(
    private readonly cache: KeyValueCache,
    private readonly settings: SettingsReader,
  ) {}

  /** Errors: `account_locked`, `rate_limited`; both also for right credentials. */
  async take(at: GuessedAt): Promise<Guess> {
    const limits = await this.limits();
    const { failures, lock, address } = keysOf(at);
    await this.takeAddress(address, limits);
    const count = await this.cache.increment(failures, limits.window);
    // Asked after counting: whoever sets the lock removes the counter, so a late guess meets one of the two.
    const lockedFor = await this.cache.ttl(lock);
    if (lockedFor > 0 || count > limits.threshold) {
      await this.giveBack([failures, address], limits);
      throw lockoutErrors.accountLocked({ retryAfterSeconds: lockedFor || limits.lock });
    }
    return {
      failed: () => this.failed(lock, failures, count, limits),
      succeeded: async () => {
        await this.cache.delete(failures);
        await this.giveBack([address], limits);
      },
      abandoned: () => this.giveBack([failures, address], limits),
    };
  }

  /** Seconds until the account may be tried again by a browser it does not know; 0 when it is not locked. */
  lockedFor(subject: string): Promise<number> {
    return this.cache.ttl(keysOf({ subject, address: '' }).lock);
  }

  private async takeAddress(address: string, { window, addressThreshold }: Limits): Promise<void> {
    if ((await this.cache.increment(address, window)) <= addressThreshold) return;
    throw platformErrors.rateLimited({ retryAfterSeconds: await this.cache.ttl(address) });
  }

  private async failed(lock: string, failures: string, count: number, limits: Limits): Promise<void> {
    if (count < limits.threshold) return;
    await this.cache.set(lock, true, limits.lock);
    await this.cache.delete(failures);
  }

  private async giveBack(counters: readonly string[], { window }: Limits): Promise<void> {
    await Promise.all(counters.map((counter) => this.cache.increment(counter, window, -1)));
  }

  private async limits(): Promise<Limits> {
    const [threshold, window, lock, addressThreshold] = await Promise.all([
      this.settings.get(lockoutThreshold),
      this.settings.get(lockoutWindow),
      this.settings.get(lockoutSeconds),
      this.settings.get(addressFailureThreshold),
    ]);
    return { threshold, window, lock, addressThreshold };
  }
}

function keysOf({ subject, address, device }: GuessedAt): { failures: string; lock: string; address: string } {
  // Names that were tried may be anything, passwords typed into the wrong field among them.
  const whose = sha256(device === undefined ? subject : `${subject}|${device}`);
  return {
    failures: `lockout:failures:${whose}`,
    lock: `lockout:lock:${whose}`,
    address: `lockout:address:${address}`,
  };
}
