import { MemoryCache } from '../cache';
import { defineSetting, integer, Setting, SettingsReader } from '../settings';
import { rateLimitsEnabled } from './http.settings';
import { RateLimiterService } from './rate-limiter.service';

const setting = defineSetting({
  key: 'trial.limit',
  defaultValue: 600,
  kind: integer({ minimum: 1, maximum: 1_000 }),
  sensitive: false,
});
const LIMIT = { setting, windowSeconds: 60 };

class FixedSettings extends SettingsReader {
  constructor(private readonly values: Map<Setting, unknown>) {
    super();
  }

  async get<T>(setting: Setting<T>): Promise<T> {
    return (this.values.get(setting) ?? setting.defaultValue) as T;
  }
}

describe('RateLimiterService', () => {
  let values: Map<Setting, unknown>;
  let limiter: RateLimiterService;

  beforeEach(() => {
    values = new Map<Setting, unknown>([[LIMIT.setting, 3]]);
    limiter = new RateLimiterService(new MemoryCache(), new FixedSettings(values));
  });

  const outcomes = async (count: number, subject = 'ann'): Promise<string[]> => {
    const asked = Array.from({ length: count }, () => limiter.count(LIMIT, subject));
    const settled = await Promise.allSettled(asked);
    return settled.map((result) => (result.status === 'fulfilled' ? 'ok' : (result.reason as { code: string }).code));
  };

  it('admits exactly as many parallel calls as the setting allows', async () => {
    const results = await outcomes(20);
    expect(results.filter((result) => result === 'ok')).toHaveLength(3);
    expect(new Set(results)).toEqual(new Set(['ok', 'rate_limited']));
  });

  it('returns Retry-After and counts each subject separately', async () => {
    await outcomes(4);
    await expect(limiter.count(LIMIT, 'ann')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 60 });
    expect(await outcomes(1, 'bob')).toEqual(['ok']);
  });

  it('applies a changed setting', async () => {
    await outcomes(3);
    values.set(LIMIT.setting, 5);
    expect(await outcomes(3)).toEqual(['ok', 'ok', 'rate_limited']);
  });

  it('checks the limit without counting, and counts without rejecting', async () => {
    expect(await limiter.isLimitReached(LIMIT, 'ann')).toBe(false);
    for (let count = 0; count < 3; count++) await limiter.note(LIMIT, 'ann');
    expect([await limiter.isLimitReached(LIMIT, 'ann'), await limiter.isLimitReached(LIMIT, 'bob')]).toEqual([
      true,
      false,
    ]);
    expect(await outcomes(1)).toEqual(['rate_limited']);
  });

  it('admits all calls when rate limits are disabled', async () => {
    await outcomes(4);
    values.set(rateLimitsEnabled, false);
    expect(await outcomes(50)).toEqual(Array.from({ length: 50 }, () => 'ok'));
    expect(await limiter.isLimitReached(LIMIT, 'ann')).toBe(false);
  });

  it('counts nothing while rate limits are disabled', async () => {
    values.set(rateLimitsEnabled, false);
    for (let count = 0; count < 3; count++) await limiter.note(LIMIT, 'ann');
    await outcomes(3);
    values.set(rateLimitsEnabled, true);
    expect(await outcomes(3)).toEqual(['ok', 'ok', 'ok']);
  });
});
