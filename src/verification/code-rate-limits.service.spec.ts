import { platformErrors } from '../platform/errors';
import type { RateLimit } from '../platform/http';
import { CodeRateLimitsService } from './code-rate-limits.service';
import type { CodeTarget } from './code-targets.service';
import { fakeArguments } from '../../test/support/service/fake';

type Parts = ConstructorParameters<typeof CodeRateLimitsService>;

const CLIENT = '10.0.0.1';
const EMAIL: CodeTarget = { channel: 'email', key: 'ann@example.com', address: 'Ann@example.com' };
const SMS: CodeTarget = { channel: 'sms', key: '+491701234567', address: '+491701234567' };

describe('CodeRateLimitsService', () => {
  let counted: string[];
  let warned: unknown[];
  let reached: string | undefined;
  let isAllowed: boolean;
  let reason: string | undefined;
  let limits: CodeRateLimitsService;

  beforeEach(() => {
    counted = [];
    warned = [];
    reached = undefined;
    isAllowed = true;
    reason = undefined;
    const limiter = {
      isLimitReached: async (_: RateLimit, subject: string) => subject === reached,
      reject: async () => {
        throw platformErrors.rateLimited({ retryAfterSeconds: 7 });
      },
      count: async ({ setting, windowSeconds }: RateLimit, subject: string) =>
        void counted.push(`${setting.key} ${subject} ${windowSeconds}`),
    };
    limits = new CodeRateLimitsService(
      ...fakeArguments<Parts>([
        {
          reserve: async () => reason === undefined && counted.push('target'),
          explain: async () => ({ reason, retryAfterSeconds: 5 }),
        },
        { allows: async () => isAllowed },
        limiter,
        { get: async () => 1 },
        { current: async () => ({}) },
        { warn: (_: string, fields: unknown) => warned.push(fields) },
      ]),
    );
  });

  it('counts an e-mail for the contact, for the client and for the channel, per hour', async () => {
    await limits.reserve(EMAIL, CLIENT);
    expect(counted).toEqual(['target', `code.max_hourly_per_ip ${CLIENT} 3600`, 'code.max_hourly_total email 3600']);
  });

  it('counts a text message also for the numbers that differ in the last four digits', async () => {
    await limits.reserve(SMS, CLIENT);
    expect(counted.slice(2)).toEqual(['code.max_hourly_total sms 3600', 'code.max_hourly_per_prefix +49170123 3600']);
  });

  it('counts a sample message without the limits of the contact', async () => {
    reason = 'too_soon';
    await limits.reserveSample(EMAIL, CLIENT);
    expect(counted).toHaveLength(2);
  });

  it.each([
    [CLIENT, false],
    ['sms', true],
    ['+49170123', true],
  ])('counts nothing when the limit of %s is reached, and logs it: %s', async (subject, isLogged) => {
    reached = subject;
    await expect(limits.reserve(SMS, CLIENT)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 7 });
    expect(counted).toEqual([]);
    expect(warned).toEqual(isLogged ? [{ channel: 'sms' }] : []);
  });

  it.each([
    ['daily_limit', 'code_daily_limit_reached'],
    ['too_soon', 'code_resend_too_soon'],
  ])('rejects a contact with %s by %s', async (...[why, code]) => {
    reason = why;
    await expect(limits.reserve(EMAIL, CLIENT)).rejects.toMatchObject({ code, retryAfterSeconds: 5 });
    expect(counted).toEqual([]);
    expect(warned).toEqual([]);
  });

  it('rejects a phone number outside the allowed prefixes', async () => {
    isAllowed = false;
    await expect(limits.reserve(SMS, CLIENT)).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ field: 'target', code: 'phone_not_served' }],
    });
  });
});
