import { Injectable } from '@nestjs/common';
import { KeyValueCache } from '../cache';
import { platformErrors } from '../errors';
import { Setting, SettingsReader } from '../settings';
import { rateLimitsEnabled } from './http.settings';

export interface RateLimit {
  /** Names the limit; its setting says how many in the window. */
  readonly setting: Setting<number>;
  readonly windowSeconds: number;
}

/** Counts before the work: the call that would be one too many is refused with `rate_limited` and `Retry-After`. */
@Injectable()
export class RateLimiter {
  constructor(
    private readonly cache: KeyValueCache,
    private readonly settings: SettingsReader,
  ) {}

  /** @param subject whose budget it is: a user, a session, an address. */
  async count(limit: RateLimit, subject: string): Promise<void> {
    if (!(await this.settings.get(rateLimitsEnabled))) return;
    const most = await this.settings.get(limit.setting);
    if ((await this.increment(limit, subject)) > most) await this.refuse(limit, subject);
  }

  /** Counts what is done already and can no longer be refused. */
  async note(limit: RateLimit, subject: string): Promise<void> {
    if (await this.settings.get(rateLimitsEnabled)) await this.increment(limit, subject);
  }

  /** Whether the budget is used up, without counting: for work that only one of parallel callers gets to do. */
  async isSpent({ setting }: RateLimit, subject: string): Promise<boolean> {
    if (!(await this.settings.get(rateLimitsEnabled))) return false;
    const counted = (await this.cache.get<number>(`${setting.key}:${subject}`)) ?? 0;
    return counted >= (await this.settings.get(setting));
  }

  /** The refusal of a spent budget. */
  async refuse({ setting }: RateLimit, subject: string): Promise<never> {
    throw platformErrors.rateLimited({ retryAfterSeconds: await this.cache.ttl(`${setting.key}:${subject}`) });
  }

  private increment({ setting, windowSeconds }: RateLimit, subject: string): Promise<number> {
    return this.cache.increment(`${setting.key}:${subject}`, windowSeconds);
  }
}
