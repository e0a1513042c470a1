import { Injectable } from '@nestjs/common';
import { platformErrors, ProblemError } from '../platform/errors';
import { RateLimit, RateLimiterService } from '../platform/http';
import { Log } from '../platform/logging';
import { SettingsReader } from '../platform/settings';
import { PhonePrefixAllowlistService } from '../messaging';
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
/** Numbers bought in a row to earn by every message to them differ in so many last digits. */
const DIGITS_IN_A_ROW = 4;

/** One budget and whose it is. */
type Share = readonly [limit: RateLimit, subject: string];

/**
 * How many codes may be sent: to one contact, for one client, to numbers in a row, and in all. A contact's own limits are
 * kept by the database, for all instances alike; the others guard against floods and are counted in the cache.
 */
@Injectable()
export class CodeRateLimitsService {
  constructor(
    private readonly targets: CodeTargetRepository,
    private readonly phonePrefixes: PhonePrefixAllowlistService,
    private readonly limiter: RateLimiterService,
    private readonly settings: SettingsReader,
    private readonly log: Log,
  ) {}

  /**
   * Takes a send from all of them, whoever the contact belongs to and whether anything is sent in the end: else what is
   * left of a budget that others share would tell whose contacts are known.
   * Errors: `validation_failed` on `target`, `rate_limited`, `code_daily_limit_reached`, `code_resend_too_soon`.
   * @param client the client's address as limits count it.
   */
  reserve(target: CodeTarget, client: string): Promise<void> {
    return this.reserveShared(target, client, () => this.reserveOfTarget(target));
  }

  /**
   * As `reserve`, for a sample: the contact's own limits are for codes. Errors: `validation_failed` on `target`,
   * `rate_limited`.
   */
  reserveSample(target: CodeTarget, client: string): Promise<void> {
    return this.reserveShared(target, client, () => Promise.resolve());
  }

  private async reserveShared(target: CodeTarget, client: string, reserveOwn: () => Promise<void>): Promise<void> {
    await this.refuseForeign(target);
    await this.refuseSpent([PER_ADDRESS, client]);
    await this.tellingOfFloods(target, () => this.refuseSpent(...sharesOf(target)));
    await reserveOwn();
    await this.limiter.count(PER_ADDRESS, client);
    await this.tellingOfFloods(target, async () => {
      for (const [limit, subject] of sharesOf(target)) await this.limiter.count(limit, subject);
    });
  }

  /** What holds everybody back is an operator's to know of. */
  private async tellingOfFloods({ channel }: CodeTarget, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof ProblemError && error.code === platformErrors.rateLimited.code) {
        this.log.warn('Codes are held back: more than usual are asked for', { channel });
      }
      throw error;
    }
  }

  private async reserveOfTarget(target: CodeTarget): Promise<void> {
    const limits = {
      daily: await this.settings.get(maxDailyCodes),
      resendSeconds: await this.settings.get(codeResend),
    };
    if (await this.targets.reserve(target, limits)) return;
    const { reason, retryAfterSeconds } = await this.targets.explain(target, limits);
    const refusal = reason === 'daily_limit' ? codeErrors.codeDailyLimitReached : codeErrors.codeResendTooSoon;
    throw refusal({ retryAfterSeconds });
  }

  private async refuseForeign({ channel, key }: CodeTarget): Promise<void> {
    if (await this.phonePrefixes.allows(channel, key)) return;
    throw platformErrors.validationFailed({ fields: [{ field: 'target', code: 'phone_not_served' }] });
  }

  private async refuseSpent(...shares: Share[]): Promise<void> {
    for (const [limit, subject] of shares) {
      if (await this.limiter.isLimitReached(limit, subject)) await this.limiter.reject(limit, subject);
    }
  }
}

function sharesOf({ channel, key }: CodeTarget): Share[] {
  const whole: Share = [PER_CHANNEL, channel];
  return channel === 'sms' ? [whole, [PER_PREFIX, key.slice(0, -DIGITS_IN_A_ROW)]] : [whole];
}
