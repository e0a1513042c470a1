import type { UserView } from '../users';
import type { CachedSession } from './store/cached-session';
import { SessionCallersService } from './session-callers.service';
import { fake, fakeArguments } from '../../test/support/service/fake';

type Parts = ConstructorParameters<typeof SessionCallersService>;

const NOW = 1_000_000;
const RECENT_SECONDS = 300;
const FROM = NOW - RECENT_SECONDS * 1_000;
const ANN = { id: 'ann', username: 'ann', status: 'active', locale: 'xx', mustChangePassword: false } as UserView;
const SESSION = fake<CachedSession>({
  id: 'one',
  authenticatedAt: FROM + 1,
  secondFactorAt: FROM + 1,
  amr: ['pwd'],
});

describe('SessionCallersService', () => {
  const noted: string[] = [];
  const callers = (areTermsDue = false): SessionCallersService =>
    new SessionCallersService(
      ...fakeArguments<Parts>([
        { assertAllowed: () => undefined },
        { note: (id: string) => noted.push(id) },
        { isDue: () => areTermsDue },
        { isDue: () => false },
        { get: () => RECENT_SECONDS },
        { now: () => NOW },
      ]),
    );

  it.each<[string, Partial<CachedSession>, boolean, boolean]>([
    ['just within', {}, true, true],
    ['just before', { authenticatedAt: FROM, secondFactorAt: FROM }, false, false],
    ['without a second factor', { secondFactorAt: null }, true, false],
    ['while another user acts', { actor: { userId: 'bob' } as CachedSession['actor'] }, false, false],
  ])('counts proofs of the recent time: %s', async (_, more, recentLogin, recentSecondFactor) => {
    const caller = await callers().describe(ANN, { ...SESSION, ...more }, RECENT_SECONDS);
    expect(caller).toMatchObject({ recentLogin, recentSecondFactor, locale: null });
  });

  it('requires an accepted version of the terms of the user only', async () => {
    const describe = async (more: Partial<CachedSession>): Promise<boolean | undefined> =>
      (await callers(true).describe(ANN, { ...SESSION, ...more }, RECENT_SECONDS)).mustAcceptTerms;
    expect(await describe({})).toBe(true);
    expect(await describe({ actor: { userId: 'bob' } as CachedSession['actor'] })).toBeUndefined();
  });

  it('rejects users who are not active, and notes no activity of theirs', async () => {
    noted.length = 0;
    for (const user of [undefined, { ...ANN, status: 'disabled' } as UserView]) {
      await expect(async () => callers().describe(user, SESSION, RECENT_SECONDS)).rejects.toMatchObject({
        code: 'session_revoked',
      });
    }
    expect(noted).toEqual([]);
    await callers().describe(ANN, SESSION, RECENT_SECONDS);
    expect(noted).toEqual(['one']);
  });
});
