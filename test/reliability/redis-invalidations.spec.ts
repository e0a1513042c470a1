import { InvalidationListener, RedisInvalidations } from '../../src/platform/cache';
import { eventually } from '../support/service/eventually';
import { describeWithRedis, RedisServer } from '../support/servers/redis-server';

const CHANNEL = 'castellan:test:invalidations';

class Received implements InvalidationListener {
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
  let receivedByOne: Received;
  let receivedByTwo: Received;

  const open = (): RedisInvalidations => new RedisInvalidations({ url: server.url, channel: CHANNEL });
  const received = (by: Received, what: (received: Received) => boolean): Promise<Received> =>
    eventually(async () => by, what, 10);
  /** All connections work once each instance has received a message of the other. */
  const connected = (): Promise<unknown> =>
    eventually(
      async () => {
        await Promise.all([one.publish('user', ['hello of one']), two.publish('user', ['hello of two'])]);
        return [receivedByOne.keys.includes('hello of two'), receivedByTwo.keys.includes('hello of one')];
      },
      (both) => both.every(Boolean),
      15,
    );

  beforeEach(async () => {
    server = await RedisServer.started();
    [one, two, receivedByOne, receivedByTwo] = [open(), open(), new Received(), new Received()];
    one.subscribe('user', receivedByOne);
    two.subscribe('user', receivedByTwo);
    for (const each of [one, two]) each.onModuleInit();
    await connected();
  });

  afterEach(async () => {
    await one.close();
    await two.close();
    await server.remove();
  });

  it('reach other instances but not the publisher', async () => {
    await one.publish('user', ['ann', 'bob']);
    await received(receivedByTwo, ({ keys }) => keys.includes('ann') && keys.includes('bob'));
    expect(receivedByOne.keys).not.toContain('ann');
  });

  it('report the age of received messages only', async () => {
    const ages: Record<'one' | 'two', number[]> = { one: [], two: [] };
    one.onReceived((seconds) => ages.one.push(seconds));
    two.onReceived((seconds) => ages.two.push(seconds));
    const now = jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() - 3_000);
    await one.publish('user', ['ann']);
    now.mockRestore();
    await received(receivedByTwo, ({ keys }) => keys.includes('ann'));
    const old = (all: number[]): number[] => all.filter((seconds) => seconds >= 3 && seconds < 5);
    expect([old(ages.one).length, old(ages.two).length]).toEqual([0, 1]);
  });

  it('count as new when the clock of the sender is ahead', async () => {
    const ages: number[] = [];
    two.onReceived((seconds) => ages.push(seconds));
    const now = jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + 60_000);
    await one.publish('user', ['ann']);
    now.mockRestore();
    await received(receivedByTwo, ({ keys }) => keys.includes('ann'));
    expect(ages.at(-1)).toBe(0);
    expect(Math.min(...ages)).toBe(0);
  });

  it('reach only listeners of their topic', async () => {
    const settings = new Received();
    two.subscribe('setting', settings);
    await one.publish('user', ['ann']);
    await one.publish('setting', ['all']);
    await received(settings, ({ keys }) => keys.length > 0);
    expect(settings.keys).toEqual(['all']);
  });

  it('mean "everything" when there are too many keys', async () => {
    const before = receivedByTwo.everything;
    await one.publish(
      'user',
      Array.from({ length: 1_001 }, (_, index) => `user ${index}`),
    );
    await received(receivedByTwo, ({ everything }) => everything === before + 1);
    expect(receivedByTwo.keys).not.toContain('user 0');
  });

  it('mean "everything" when no keys are given', async () => {
    const before = receivedByTwo.everything;
    await one.publish('user');
    await received(receivedByTwo, ({ everything }) => everything === before + 1);
  });

  it.each(['no JSON', '{}', '{"from":"x","topic":"user","keys":"all"}', 'null'])(
    'clear everything on the message %s',
    async (message) => {
      const before = receivedByTwo.everything;
      await server.ask('PUBLISH', CHANNEL, message);
      await received(receivedByTwo, ({ everything }) => everything > before);
    },
  );

  it('clear everything when the subscription is lost and when it is restored, because messages may be lost in between', async () => {
    const before = receivedByTwo.everything;
    await server.ask('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await received(receivedByTwo, ({ everything }) => everything >= before + 2);
    receivedByTwo.keys.length = 0;
    await connected();
  });

  it('detect a silent server and continue once it responds', async () => {
    const before = receivedByTwo.everything;
    server.freeze();
    await one.publish('user', ['lost']);
    await received(receivedByTwo, ({ everything }) => everything > before);
    server.thaw();
    receivedByOne.keys.length = 0;
    receivedByTwo.keys.length = 0;
    await connected();
  });

  it('neither delay the publisher for long nor fail it', async () => {
    server.freeze();
    const began = performance.now();
    for (let message = 0; message < 50; message++) await one.publish('user', [`user ${message}`]);
    expect(performance.now() - began).toBeLessThan(1_000);
    await server.kill();
    await one.publish('user', ['ann']);
  });
});
