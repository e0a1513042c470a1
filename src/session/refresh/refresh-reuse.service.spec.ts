import { RefreshReuseService } from './refresh-reuse.service';
import type { SessionWithDbTime } from '../store/session.repository';
import type { SessionClaims } from '../tokens/token.service';
import { fakeArguments } from '../../../test/support/service/fake';

type Parts = ConstructorParameters<typeof RefreshReuseService>;

const GRACE_MS = 10_000;

describe('RefreshReuseService', () => {
  /** Whether a token with this counter is accepted so long after the session's counter became 5. */
  async function isAccepted(counter: number, ageMs: number): Promise<boolean> {
    const service = new RefreshReuseService(
      ...fakeArguments<Parts>([
        { revoke: async () => false },
        {},
        {},
        {},
        { run: (work: () => Promise<void>) => work() },
        { get: async () => GRACE_MS / 1_000 },
        {},
        { count: () => undefined },
      ]),
    );
    const session = { counter: 5, rotatedAt: new Date(0), now: new Date(ageMs) } as SessionWithDbTime;
    return service.acceptOrRevoke(session, { counter } as SessionClaims).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'refresh_reused' });
        return false;
      },
    );
  }

  it.each([
    [4, 0, true],
    [4, GRACE_MS, true],
    [4, GRACE_MS + 1, false],
    [3, 0, false],
  ])('accepts the previous counter during the grace: %i after %i ms, accepted: %s', async (counter, age, accepted) => {
    expect(await isAccepted(counter, age)).toBe(accepted);
  });
});
