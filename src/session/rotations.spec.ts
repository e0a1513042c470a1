import { QueryFailedError } from 'typeorm';
import { rotationOf } from '../../test/support/rotation-of';
import { Rotated, Rotation, RotationRepository } from './rotation.repository';
import { Rotations } from './rotations';

const refusal = (code: string): QueryFailedError =>
  new QueryFailedError('UPDATE', [], Object.assign(new Error(`refused with ${code}`), { code }));

const rotatedOf = ({ id }: Rotation): Rotated => ({
  id,
  userId: `user of ${id}`,
  loginMethod: 'password',
  remember: true,
  createdAt: new Date(0),
  amr: ['pwd'],
  rotatedAt: new Date(1_000),
  expiresAt: new Date(61_000),
});

describe('Rotations', () => {
  const together: string[][] = [];
  const alone: string[] = [];
  let rotateFree: (asked: readonly Rotation[]) => Promise<Rotated[]>;
  let rotate: (asked: Rotation) => Promise<Rotated | undefined>;
  let rotations: Rotations;

  beforeEach(() => {
    together.length = 0;
    alone.length = 0;
    rotateFree = async (asked) => asked.map(rotatedOf);
    rotate = async (asked) => rotatedOf(asked);
    rotations = new Rotations({
      rotateFree: (asked: readonly Rotation[]) => {
        together.push(asked.map(({ id }) => id));
        return rotateFree(asked);
      },
      rotate: (asked: Rotation) => {
        alone.push(asked.id);
        return rotate(asked);
      },
    } as unknown as RotationRepository);
  });

  const rotateAll = (...ids: string[]): Promise<(string | undefined)[]> =>
    Promise.all(ids.map(async (id) => (await rotations.rotate(rotationOf(id, { askedAt: 0 })))?.userId));

  it('asks once for what comes in one turn, and gives everybody their own session', async () => {
    rotateFree = async (asked) => asked.map(rotatedOf).reverse();
    expect(await rotateAll('a', 'b', 'c')).toEqual(['user of a', 'user of b', 'user of c']);
    expect([together, alone]).toEqual([[['a', 'b', 'c']], []]);
  });

  it('asks for one by itself, and tells what the refresh brought with it', async () => {
    expect(await rotations.rotate(rotationOf('a', { counter: 4, askedAt: 0 }))).toMatchObject({
      id: 'a',
      counter: 5,
      ip: '192.0.2.1',
      now: new Date(1_000),
      lastSeenAt: new Date(1_000),
      revokedAt: null,
    });
    expect([together, alone]).toEqual([[], ['a']]);
  });

  it('takes no more than 64 into one statement', async () => {
    await rotateAll(...Array.from({ length: 130 }, (_, index) => `${index}`));
    expect(together.map(({ length }) => length)).toEqual([64, 64, 2]);
  });

  it('tries alone what could not be rotated with the others', async () => {
    rotateFree = async (asked) => asked.filter(({ id }) => id !== 'held').map(rotatedOf);
    expect(await rotateAll('a', 'held', 'b')).toEqual(['user of a', 'user of held', 'user of b']);
    expect(alone).toEqual(['held']);
  });

  it('lets one of those rotate that ask for one session, and tries the others alone', async () => {
    rotate = async () => undefined;
    expect(await rotateAll('a', 'a', 'b', 'a')).toEqual(['user of a', undefined, 'user of b', undefined]);
    expect([together, alone]).toEqual([[['a', 'b']], ['a', 'a']]);
  });

  it('tells nobody what befell another', async () => {
    rotateFree = () => Promise.reject(refusal('22P05'));
    rotate = (asked) => (asked.id === 'bad' ? Promise.reject(refusal('22P05')) : Promise.resolve(rotatedOf(asked)));
    const [good, bad] = await Promise.allSettled(
      ['a', 'bad'].map((id) => rotations.rotate(rotationOf(id, { askedAt: 0 }))),
    );
    expect(good).toMatchObject({ status: 'fulfilled', value: { userId: 'user of a' } });
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'refused with 22P05' } });
  });

  it('asks a database that is away no more than once', async () => {
    rotateFree = () => Promise.reject(refusal('57P01'));
    const failed = await Promise.allSettled(['a', 'b'].map((id) => rotations.rotate(rotationOf(id, { askedAt: 0 }))));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([together, alone]).toEqual([[['a', 'b']], []]);
  });
});
