import { Injectable } from '@nestjs/common';
import { platformErrors, ProblemError } from '../platform/errors';
import { RateLimit, RateLimiterService } from '../platform/http';
import { Log } from '../platform/logging';
import { SettingsReader } from '../platform/settings';
import { PhonePrefixAllowlistService } from '../messaging';
import { CodeDayService } from './code-day.service';
import { CodeTarget } from './code-targets.service';
import { CodeTargetRepository } from './code-target.repository';
import {
  codeResend,
  codesPerHourPerAddress,
  codesPerHourPerChannel,
  codesPerHourPerPrefix,
  maxDailyCodes,
} from './code.settings';
import { codeErrors } from './codes.errors';

const HOUR = 3_600;
const PER_ADDRESS: RateLimit = { setting: codesPerHourPerAddress, windowSeconds: HOUR };
const PER_CHANNEL: RateLimit = { setting: codesPerHourPerChannel, windowSeconds: HOUR };
const PER_PREFIX: RateLimit = { setting: codesPerHourPerPrefix, windowSeconds: HOUR };
/** Premium-rate numbers bought in blocks differ only in this many last digits. */
const DIGITS_IN_A_ROW = 4;

/** A limit and its subject. */
type Share = readonly [limit: RateLimit, subject: string];

/**
 * Limits how many codes are sent: to one contact, for one client, to similar phone numbers, and in total. The database
 * enforces the limits per contact across all instances. The other limits protect against floods and are counted in the
 * cache.
 */
@Injectable()
export class CodeRateLimitsService {
  constructor(
    private readonly targets: CodeTargetRepository,
    private readonly phonePrefixes: PhonePrefixAllowlistService,
    private readonly limiter: RateLimiterService,
    private readonly settings: SettingsReader,
    private readonly days: CodeDayService,
    private readonly log: Log,
  ) {}

  /**
   * Counts a send against all limits, whether or not the contact has an account and a message is sent. Otherwise, the
   * rest of a shared limit would reveal which contacts have an account.
   * Errors: `validation_failed` on `target`, `rate_limited`, `code_daily_limit_reached`, `code_resend_too_soon`.
   * @param client the client's address as limits count it.
   */
  reserve(target: CodeTarget, client: string): Promise<void> {
    return this.reserveShared(target, client, () => this.reserveOfTarget(target));
  }

  /**
   * Like `reserve`, for a sample message, without the limits per contact, which apply to codes only. Errors:
   * `validation_failed` on `target`, `rate_limited`.
   */
  reserveSample(target: CodeTarget, client: string): Promise<void> {
    return this.reserveShared(target, client, () => Promise.resolve());
  }

  private async reserveShared(target: CodeTarget, client: string, reserveOwn: () => Promise<void>): Promise<void> {
    await this.requireAllowedPrefix(target);
    await this.requireRemaining([PER_ADDRESS, client]);
    await this.warningOfFloods(target, () => this.requireRemaining(...sharesOf(target)));
    await reserveOwn();
    await this.limiter.count(PER_ADDRESS, client);
    await this.warningOfFloods(target, async () => {
      for (const [limit, subject] of sharesOf(target)) await this.limiter.count(limit, subject);
    });
  }

  /** Logs when a shared limit is reached, because it blocks all users. */
  private async warningOfFloods({ channel }: CodeTarget, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof ProblemError && error.code === platformErrors.rateLimited.code) {
        this.log.warn('Codes are not sent: the limit for all recipients is reached', { channel });
      }
      throw error;
    }
  }

  private async reserveOfTarget(target: CodeTarget): Promise<void> {
    const limits = {
      day: await this.days.current(),
      daily: await this.settings.get(maxDailyCodes),
      resendSeconds: await this.settings.get(codeResend),
    };
    if (await this.targets.reserve(target, limits)) return;
    const { reason, retryAfterSeconds } = await this.targets.explain(target, limits);
    const error = reason === 'daily_limit' ? codeErrors.codeDailyLimitReached : codeErrors.codeResendTooSoon;
    throw error({ retryAfterSeconds });
  }

  private async requireAllowedPrefix({ channel, key }: CodeTarget): Promise<void> {
    if (await this.phonePrefixes.allows(channel, key)) return;
    throw platformErrors.validationFailed({ fields: [{ field: 'target', code: 'phone_not_served' }] });
  }

  private async requireRemaining(...shares: Share[]): Promise<void> {
    for (const [limit, subject] of shares) {
      if (await this.limiter.isLimitReached(limit, subject)) await this.limiter.reject(limit, subject);
    }
  }
}

function sharesOf({ channel, key }: CodeTarget): Share[] {
  const whole: Share = [PER_CHANNEL, channel];
  return channel === 'sms' ? [whole, [PER_PREFIX, key.slice(0, -DIGITS_IN_A_ROW)]] : [whole];
}
