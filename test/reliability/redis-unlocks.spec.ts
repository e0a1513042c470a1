import { FailoverBench, Pair, PREFIX } from '../support/service/failover-bench';
import { LockoutTrial } from '../support/accounts/lockout-trial';
import { describeWithRedis } from '../support/servers/redis-server';

describeWithRedis('changes by another instance before Redis fails', () => {
  let bench: FailoverBench;
  let pair: Pair;

  beforeEach(async () => {
    bench = await FailoverBench.open();
    pair = await bench.pair();
  });

  afterEach(() => bench.close());

  it('remove the locks of an account and of its known devices in the memory of this instance too', async () => {
    const [one, two] = [new LockoutTrial(pair.one), new LockoutTrial(pair.two)];
    const browsers = [{}, { device: 'laptop' }];
    const states = (): Promise<string[]> => Promise.all(browsers.map((browser) => two.state(browser)));
    for (const browser of browsers) await two.fail(3, browser);
    expect(await states()).toEqual(['account_locked 900', 'account_locked 900']);
    await pair.hear();
    await one.lockout.unlock('ann');
    await pair.hear();
    await bench.server.kill();
    expect(await states()).toEqual(['free', 'free']);
  });

  it('reset the failures before a successful login on this instance too', async () => {
    const [one, two] = [new LockoutTrial(pair.one), new LockoutTrial(pair.two)];
    await two.fail(2);
    await pair.hear();
    await one.settle([await one.take()], 'succeed');
    await pair.hear();
    await bench.server.kill();
    await two.fail(2);
    expect(await two.state()).toBe('free');
  });

  it('make counters continue from their reset value, whatever was counted since', async () => {
    await pair.two.increment('n', 60, 5);
    await pair.one.count({ drop: 'n' }, { add: 7, to: 'n', ttlSeconds: 600 });
    await pair.hear();
    await pair.two.increment('m', 600, 3);
    await pair.one.delete('m');
    await pair.two.increment('m', 600);
    await pair.hear();
    expect(await bench.server.ask('GET', `${PREFIX}m`)).toBe('1');
    await bench.server.kill();
    expect([await pair.two.increment('n', 60), await pair.two.increment('m', 600)]).toEqual([8, 2]);
    expect(await pair.two.ttl('n')).toBeGreaterThan(60);
  });

  it('publish nothing about ordinary values', async () => {
    await pair.one.set('value', 'new', 600);
    await pair.two.increment('n', 600);
    await pair.one.delete('n', 'value');
    await pair.one.set('value', 'newer', 600);
    await pair.hear();
    await bench.server.kill();
    expect([await pair.two.get('value'), await pair.two.increment('n', 600)]).toEqual([undefined, 1]);
  });
});
