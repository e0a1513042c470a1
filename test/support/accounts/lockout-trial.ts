import { KeyValueCache, MemoryCache, MemoryCacheOptions } from '../../../src/platform/cache';
import { ProblemError } from '../../../src/platform/errors';
import { Setting, SettingsReader } from '../../../src/platform/settings';
import { LoginAttempt, LockoutService } from '../../../src/auth/login/lockout.service';
import { AttemptKey } from '../../../src/auth/login/known-device-attempts';
import { lockoutThreshold } from '../../../src/auth/login/lockout.settings';

class FixedSettings extends SettingsReader {
  readonly values = new Map<string, unknown>();

  async get<T>(setting: Setting<T>): Promise<T> {
    return (this.values.get(setting.key) as T | undefined) ?? setting.defaultValue;
  }
}

/** Login attempts, by default on the account `ann`, each from another address. Three failures lock the account. */
export class LockoutTrial {
  readonly settings = new FixedSettings();
  /** Time of the cache's clock in seconds. */
  seconds = 0;
  lockout: LockoutService;
  private addresses = 0;

  /** @param cache a private cache with its own clock. By default a memory cache is used. */
  constructor(cache?: KeyValueCache) {
    this.settings.values.set(lockoutThreshold.key, 3);
    this.lockout = cache ? new LockoutService(cache, this.settings) : this.lockoutOn();
  }

  /** Starts again with an empty cache. */
  begin(options: MemoryCacheOptions): void {
    this.lockout = this.lockoutOn(options);
  }

  async take(more?: Partial<AttemptKey>): Promise<LoginAttempt | string> {
    try {
      return await this.lockout.begin(this.at(more));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return `${error.code} ${error.retryAfterSeconds ?? ''}`;
    }
  }

  async fail(times: number, more?: Partial<AttemptKey>): Promise<void> {
    for (let count = 0; count < times; count++) await (await this.lockout.begin(this.at(more))).fail();
  }

  /** Returns `free` or the error code, without counting an attempt. */
  async state(more?: Partial<AttemptKey>): Promise<string> {
    const attempt = await this.take(more);
    if (typeof attempt === 'string') return attempt;
    await attempt.cancel();
    return 'free';
  }

  async settle(attempts: readonly (LoginAttempt | string)[], how: keyof LoginAttempt): Promise<void> {
    for (const attempt of attempts) if (typeof attempt !== 'string') await attempt[how]();
  }

  private lockoutOn(options: MemoryCacheOptions = {}): LockoutService {
    return new LockoutService(new MemoryCache({ now: () => this.seconds * 1_000, ...options }), this.settings);
  }

  private at(more: Partial<AttemptKey> = {}): AttemptKey {
    return { subject: 'ann', address: `10.0.0.${this.addresses++}`, ...more };
  }
}
