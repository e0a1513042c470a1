import { codeDayStartsAt, maxDailyCodes, timeZone } from '../../src/verification';
import { errorOf, withCodes } from '../support/accounts/codes';
import { Answer, Problem } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';

const two = (value: number): string => String(value).padStart(2, '0');

describe('the day of the code limits', () => {
  let service: TestService;

  withCodes((started) => {
    service = started;
  });

  const send = (): Promise<Answer<Problem>> =>
    service.client().post('/api/auth/codes', { purpose: 'register', channel: 'email', target: 'day@example.com' });

  it('begins at the configured time in the configured time zone', async () => {
    await service.set(maxDailyCodes, 1);
    await service.set(timeZone, 'Asia/Shanghai');
    const local = new Date(Date.now() + 8 * 3_600_000);
    // The day ends in half an hour.
    const start = (local.getUTCHours() * 60 + local.getUTCMinutes() + 30) % 1_440;
    await service.set(codeDayStartsAt, `${two(Math.floor(start / 60))}:${two(start % 60)}`);
    expect((await send()).status).toBe(202);
    const rejected = await send();
    expect(errorOf(rejected)).toEqual([429, 'code_daily_limit_reached']);
    const seconds = Number(rejected.headers['retry-after']);
    expect(seconds).toBeGreaterThan(1_500);
    expect(seconds).toBeLessThanOrEqual(1_800);
  });

  it.each([
    ['code.day_starts_at', '24:00', 'time_of_day'],
    ['code.day_starts_at', '4:00', 'time_of_day'],
    ['app.time_zone', '+08:00', 'time_zone'],
    ['app.time_zone', 'Mars/Olympus', 'time_zone'],
  ])('rejects %s %s', async (key, value, code) => {
    const answer = await (await service.admin()).put<Problem>('/api/setting', { updates: [{ key, value }] });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(code);
  });

  it('takes no more codes and attempts than wrong codes a day, and names both settings', async () => {
    const admin = await service.admin();
    const codes = { key: 'code.max_daily_count', value: 15 };
    const put = (...updates: object[]) => admin.put<Problem>('/api/setting', { updates });
    const alone = await put(codes);
    expect(alone.body.errors?.map(({ field, code }) => [field, code])).toEqual([
      ['updates[0].value', 'codes_times_attempts'],
    ]);
    expect(alone.text).toContain('code.max_attempts');
    const both = await put(codes, { key: 'code.max_attempts', value: 5 });
    expect(both.body.errors?.map(({ code }) => code)).toEqual(['codes_times_attempts', 'codes_times_attempts']);
    expect((await put(codes, { key: 'code.max_attempts', value: 4 })).status).toBe(200);
    expect((await put({ key: 'code.max_attempts', value: 5 })).status).toBe(400);
    for (const value of [-1, 0, 10]) expect((await put({ key: codes.key, value })).status).toBe(200);
    expect((await put({ key: 'code.max_attempts', value: 5 })).status).toBe(200);
  });
});
