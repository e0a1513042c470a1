import { KeyValueCache, MemoryCache, MemoryCacheOptions } from '../../src/platform/cache';
import { ProblemError } from '../../src/platform/errors';
import { Setting, SettingsReader } from '../../src/platform/settings';
import { Guess, GuessedAt, Lockout } from '../../src/session/lockout';
import { lockoutThreshold } from '../../src/session/lockout.settings';

class FixedSettings extends SettingsReader {
  readonly values = new Map<string, unknown>();

  async get<T>(setting: Setting<T>): Promise<T> {
    return (this.values.get(setting.key) as T | undefined) ?? setting.fallback;
  }
}

/** Guesses at the account `ann`, unless another is named, each from an address of its own; three wrong ones lock it. */
export class LockoutTrial {
  readonly settings = new FixedSettings();
  /** What the cache's clock shows. */
  seconds = 0;
  lockout: Lockout;
  private addresses = 0;

  /** @param cache one of the test's own, with its own clock. */
  constructor(cache?: KeyValueCache) {
    this.settings.values.set(lockoutThreshold.key, 3);
    this.lockout = cache ? new Lockout(cache, this.settings) : this.lockoutOn();
  }

  /** Begins anew, with an empty cache. */
  begin(options: MemoryCacheOptions): void {
    this.lockout = this.lockoutOn(options);
  }

  async take(more?: Partial<GuessedAt>): Promise<Guess | string> {
    try {
      return await this.lockout.take(this.at(more));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return `${error.code} ${error.retryAfterSeconds ?? ''}`;
    }
  }

  async fail(times: number, more?: Partial<GuessedAt>): Promise<void> {
    for (let count = 0; count < times; count++) await (await this.lockout.take(this.at(more))).failed();
  }

  /** `free`, or why not; takes no place. */
  async state(more?: Partial<GuessedAt>): Promise<string> {
    const guess = await this.take(more);
    if (typeof guess === 'string') return guess;
    await guess.abandoned();
    return 'free';
  }

  async settle(guesses: readonly (Guess | string)[], how: keyof Guess): Promise<void> {
    for (const guess of guesses) if (typeof guess !== 'string') await guess[how]();
  }

  private lockoutOn(options: MemoryCacheOptions = {}): Lockout {
    return new Lockout(new MemoryCache({ now: () => this.seconds * 1_000, ...options }), this.settings);
  }

  private at(more: Partial<GuessedAt> = {}): GuessedAt {
    return { subject: 'ann', address: `10.0.0.${this.addresses++}`, ...more };
  }
}
