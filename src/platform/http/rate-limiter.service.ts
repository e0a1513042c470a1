import { Injectable } from '@nestjs/common';
import { CounterStore } from '../cache';
import { platformErrors } from '../errors';
import { Setting, SettingsReader } from '../settings';
import { rateLimitsEnabled } from './http.settings';

export interface RateLimit {
  /** The setting with the maximum per window; its key names the counter. */
  readonly setting: Setting<number>;
  readonly windowSeconds: number;
}

/** Counts before the work: rejects the call that exceeds the limit with `rate_limited` and `Retry-After`. */
@Injectable()
export class RateLimiterService {
  constructor(
    private readonly counters: CounterStore,
    private readonly settings: SettingsReader,
  ) {}

  /** @param subject what the limit applies to: a user, a session, an address. */
  async count(limit: RateLimit, subject: string): Promise<void> {
    if (!(await this.settings.get(rateLimitsEnabled))) return;
    const max = await this.settings.get(limit.setting);
    if ((await this.increment(limit, subject)) > max) await this.reject(limit, subject);
  }

  /** Counts work that is already done, without rejecting it. */
  async note(limit: RateLimit, subject: string): Promise<void> {
    if (await this.settings.get(rateLimitsEnabled)) await this.increment(limit, subject);
  }

  /** Whether the limit is reached, without counting: for work that only one of parallel callers does. */
  async isLimitReached({ setting }: RateLimit, subject: string): Promise<boolean> {
    if (!(await this.settings.get(rateLimitsEnabled))) return false;
    const [counted = 0] = await this.counters.count({ read: `${setting.key}:${subject}` });
    return counted >= (await this.settings.get(setting));
  }

  /** Throws the error of a reached limit, which names its setting. */
  async reject({ setting: { key } }: RateLimit, subject: string): Promise<never> {
    const retryAfterSeconds = await this.counters.ttl(`${key}:${subject}`);
    throw platformErrors.rateLimited({ retryAfterSeconds, params: { limit: key } });
  }

  private increment({ setting, windowSeconds }: RateLimit, subject: string): Promise<number> {
    return this.counters.increment(`${setting.key}:${subject}`, windowSeconds);
  }
}
