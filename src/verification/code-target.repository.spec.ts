import { CodeTargetRepository } from './code-target.repository';
import { fakeArguments } from '../../test/support/service/fake';

type Parts = ConstructorParameters<typeof CodeTargetRepository>;

const PLACE = { channel: 'email', key: 'ann@example.com' } as const;
const DAY = { startsAt: '00:00', timeZone: 'UTC' };
const LIMITS = { day: DAY, daily: 10, resendSeconds: 60 };

const repositoryOf = (...rows: object[]): CodeTargetRepository =>
  new CodeTargetRepository(...fakeArguments<Parts>([{}, { manager: { query: async () => rows } }]));

describe('CodeTargetRepository', () => {
  it.each<[string, object[], object]>([
    [
      'the daily limit',
      [{ isLimitReached: true, tomorrow: 90, pause: 5 }],
      { reason: 'daily_limit', retryAfterSeconds: 90 },
    ],
    ['the pause', [{ isLimitReached: false, tomorrow: 90, pause: 5 }], { reason: 'too_soon', retryAfterSeconds: 5 }],
    ['midnight', [{ isLimitReached: true, tomorrow: 0, pause: 5 }], { reason: 'daily_limit', retryAfterSeconds: 1 }],
    [
      'the end of a pause',
      [{ isLimitReached: false, tomorrow: 90, pause: -1 }],
      { reason: 'too_soon', retryAfterSeconds: 1 },
    ],
    ['a row that is deleted', [], { reason: 'too_soon', retryAfterSeconds: 1 }],
  ])('asks to wait a second at least after %s', async (_, rows, expected) => {
    expect(await repositoryOf(...rows).explain(PLACE, LIMITS)).toEqual(expected);
  });

  it('waits a second at least until the day ends', async () => {
    expect(await repositoryOf({ seconds: 1_800 }).secondsLeft(DAY)).toBe(1_800);
    expect(await repositoryOf({ seconds: 0 }).secondsLeft(DAY)).toBe(1);
    expect(await repositoryOf().secondsLeft(DAY)).toBe(1);
  });
});
