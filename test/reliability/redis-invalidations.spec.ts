import { InvalidationListener, RedisInvalidations } from '../../src/platform/cache';
import { eventually } from '../support/eventually';
import { describeWithRedis, RedisServer } from '../support/redis-server';

const CHANNEL = 'castellan:test:invalidations';

class Heard implements InvalidationListener {
  readonly keys: string[] = [];
  everything = 0;

  invalidate(keys: readonly string[]): void {
    this.keys.push(...keys);
  }

  invalidateAll(): void {
    this.everything++;
  }
}

describeWithRedis('invalidations over Redis', () => {
  let server: RedisServer;
  let one: RedisInvalidations;
  let two: RedisInvalidations;
  let heardByOne: Heard;
  let heardByTwo: Heard;

  const open = (): RedisInvalidations => new RedisInvalidations({ url: server.url, channel: CHANNEL });
  const heard = (by: Heard, what: (heard: Heard) => boolean): Promise<Heard> => eventually(async () => by, what, 10);
  /** Both connections of both stand when a word of each has reached the other. */
  const connected = (): Promise<unknown> =>
    eventually(
      async () => {
        await Promise.all([one.publish('user', ['hello of one']), two.publish('user', ['hello of two'])]);
        return [heardByOne.keys.includes('hello of two'), heardByTwo.keys.includes('hello of one')];
      },
      (both) => both.every(Boolean),
      15,
    );

  beforeEach(async () => {
    server = await RedisServer.started();
    [one, two, heardByOne, heardByTwo] = [open(), open(), new Heard(), new Heard()];
    one.subscribe('user', heardByOne);
    two.subscribe('user', heardByTwo);
    await connected();
  });

  afterEach(async () => {
    await one.close();
    await two.close();
    await server.remove();
  });

  it('reach the others, and not the one that published', async () => {
    await one.publish('user', ['ann', 'bob']);
    await heard(heardByTwo, ({ keys }) => keys.includes('ann') && keys.includes('bob'));
    expect(heardByOne.keys).not.toContain('ann');
  });

  it('are measured by their age, those of others alone', async () => {
    const ages: Record<'one' | 'two', number[]> = { one: [], two: [] };
    one.onHeard((seconds) => ages.one.push(seconds));
    two.onHeard((seconds) => ages.two.push(seconds));
    const now = jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() - 3_000);
    await one.publish('user', ['ann']);
    now.mockRestore();
    await heard(heardByTwo, ({ keys }) => keys.includes('ann'));
    const old = (all: number[]): number[] => all.filter((seconds) => seconds >= 3 && seconds < 5);
    expect([old(ages.one).length, old(ages.two).length]).toEqual([0, 1]);
  });

  it('count as new where the sender’s clock is ahead', async () => {
    const ages: number[] = [];
    two.onHeard((seconds) => ages.push(seconds));
    const now = jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + 60_000);
    await one.publish('user', ['ann']);
    now.mockRestore();
    await heard(heardByTwo, ({ keys }) => keys.includes('ann'));
    expect(ages.at(-1)).toBe(0);
    expect(Math.min(...ages)).toBe(0);
  });

  it('reach the listeners of their topic alone', async () => {
    const settings = new Heard();
    two.subscribe('setting', settings);
    await one.publish('user', ['ann']);
    await one.publish('setting', ['all']);
    await heard(settings, ({ keys }) => keys.length > 0);
    expect(settings.keys).toEqual(['all']);
  });

  it('say "everything" where the keys are too many to name', async () => {
    const before = heardByTwo.everything;
    await one.publish(
      'user',
      Array.from({ length: 1_001 }, (_, index) => `user ${index}`),
    );
    await heard(heardByTwo, ({ everything }) => everything === before + 1);
    expect(heardByTwo.keys).not.toContain('user 0');
  });

  it('say "everything" where no keys are named', async () => {
    const before = heardByTwo.everything;
    await one.publish('user');
    await heard(heardByTwo, ({ everything }) => everything === before + 1);
  });

  it.each(['no JSON', '{}', '{"from":"x","topic":"user","keys":"all"}', 'null'])(
    'forget everything on the message %s',
    async (message) => {
      const before = heardByTwo.everything;
      await server.ask('PUBLISH', CHANNEL, message);
      await heard(heardByTwo, ({ everything }) => everything > before);
    },
  );

  it('forget everything when the subscription is lost, and again when it stands, for what was said meanwhile', async () => {
    const before = heardByTwo.everything;
    await server.ask('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await heard(heardByTwo, ({ everything }) => everything >= before + 2);
    heardByTwo.keys.length = 0;
    await connected();
  });

  it('notice a server that has fallen silent, and hear again once it answers', async () => {
    const before = heardByTwo.everything;
    server.freeze();
    await one.publish('user', ['lost']);
    await heard(heardByTwo, ({ everything }) => everything > before);
    server.thaw();
    heardByOne.keys.length = 0;
    heardByTwo.keys.length = 0;
    await connected();
  });

  it('never keep the publisher waiting for long, nor fail it', async () => {
    server.freeze();
    const began = performance.now();
    for (let message = 0; message < 50; message++) await one.publish('user', [`user ${message}`]);
    expect(performance.now() - began).toBeLessThan(1_000);
    await server.kill();
    await one.publish('user', ['ann']);
  });
});
