import { rotationOf } from '../../../test/support/oauth/rotation-of';
import { Rotated, Rotation, RotationRepository } from './rotation.repository';
import { RefreshBatcherService } from './refresh-batcher.service';
import { fake } from '../../../test/support/service/fake';

const rotatedOf = ({ id }: Rotation): Rotated => ({
  id,
  userId: `user of ${id}`,
  loginMethod: 'password',
  remember: true,
  authenticatedAt: new Date(0),
  secondFactorAt: null,
  createdAt: new Date(0),
  amr: ['pwd'],
  actorId: null,
  actorName: null,
  actorSessionId: null,
  rotatedAt: new Date(1_000),
  expiresAt: new Date(61_000),
});

describe('RefreshBatcherService', () => {
  const together: string[][] = [];
  const alone: string[] = [];
  let rotations: RefreshBatcherService;

  beforeEach(() => {
    together.length = 0;
    alone.length = 0;
    rotations = new RefreshBatcherService(
      fake<RotationRepository>({
        rotateUnlocked: async (asked: readonly Rotation[]) => {
          together.push(asked.map(({ id }) => id));
          return asked
            .filter(({ id }) => id !== 'held')
            .map(rotatedOf)
            .reverse();
        },
        rotate: async (asked: Rotation) => {
          alone.push(asked.id);
          return asked.id === 'held' ? rotatedOf(asked) : undefined;
        },
      }),
    );
  });

  const rotateAll = (...ids: string[]): Promise<(string | undefined)[]> =>
    Promise.all(ids.map(async (id) => (await rotations.rotate(rotationOf(id, { askedAt: 0 })))?.userId));

  it('returns each of several concurrent callers their own session', async () => {
    expect(await rotateAll('a', 'held', 'c')).toEqual(['user of a', 'user of held', 'user of c']);
    expect([together, alone]).toEqual([[['a', 'held', 'c']], ['held']]);
  });

  it('rotates a session for only one of several concurrent callers', async () => {
    expect(await rotateAll('a', 'a', 'b', 'a')).toEqual(['user of a', undefined, 'user of b', undefined]);
    expect([together, alone]).toEqual([[['a', 'b']], ['a', 'a']]);
  });

  it('returns the client data of the refresh', async () => {
    const from = { counter: 4, ip: '192.0.2.9', userAgent: 'tab', askedAt: 0 };
    expect(await rotations.rotate(rotationOf('held', from))).toMatchObject({
      id: 'held',
      counter: 5,
      ip: '192.0.2.9',
      userAgent: 'tab',
      now: new Date(1_000),
      lastSeenAt: new Date(1_000),
      revokedAt: null,
    });
  });
});
