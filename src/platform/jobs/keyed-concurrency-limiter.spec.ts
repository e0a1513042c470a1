import { KeyedConcurrencyLimiter, ConcurrencyLimitError } from './keyed-concurrency-limiter';

/** Work that the test ends. */
class Work {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  start(id: string): () => Promise<string> {
    return () => {
      this.begun.push(id);
      return new Promise((resolve) => {
        this.ends.set(id, () => {
          resolve(id);
        });
      });
    };
  }

  end(id: string): void {
    this.ends.get(id)?.();
  }
}

describe('KeyedConcurrencyLimiter', () => {
  const bounds = { maxRunning: 3, maxRunningPerKey: 2, maxWaitingPerKey: 2 };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  let work: Work;
  let limiter: KeyedConcurrencyLimiter;

  beforeEach(() => {
    work = new Work();
    limiter = new KeyedConcurrencyLimiter(bounds);
  });

  it('runs other keys while one key is slow', async () => {
    for (const id of ['a1', 'a2', 'a3']) void limiter.run('a', work.start(id));
    void limiter.run('b', work.start('b1'));
    await settled();
    expect(work.begun).toEqual(['a1', 'a2', 'b1']);
  });

  it('runs other keys while several hanging keys use all of their places', async () => {
    limiter = new KeyedConcurrencyLimiter({ maxRunning: 4, maxRunningPerKey: 2, maxWaitingPerKey: 9 });
    for (const name of ['a', 'b']) for (let at = 1; at <= 6; at++) void limiter.run(name, work.start(`${name}${at}`));
    void limiter.run('quick', work.start('quick'));
    await settled();
    expect(work.begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    work.end('a1');
    await settled();
    expect(work.begun.at(-1)).toBe('quick');
  });

  it('serves keys in turn', async () => {
    limiter = new KeyedConcurrencyLimiter({ maxRunning: 1, maxRunningPerKey: 1, maxWaitingPerKey: 9 });
    const order = ['a1', 'a2', 'a3', 'b1', 'b2'];
    for (const id of order) void limiter.run(id[0]!, work.start(id));
    for (let count = 0; count < order.length; count++) {
      await settled();
      work.end(work.begun.at(-1)!);
    }
    expect(work.begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('picks the first waiting key with a free place', async () => {
    for (const id of ['a1', 'a2', 'a3']) void limiter.run('a', work.start(id));
    for (const id of ['b1', 'b2']) void limiter.run('b', work.start(id));
    await settled();
    work.end('b1');
    await settled();
    expect(work.begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    work.end('a1');
    await settled();
    expect(work.begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  });

  it('returns the result of the work, and frees the place on failure', async () => {
    for (let count = 0; count < 5; count++) {
      await expect(limiter.run('a', () => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
      await expect(limiter.run('a', () => Promise.resolve(count))).resolves.toBe(count);
    }
  });

  it('rejects work of a key with too much waiting, and of that key only', async () => {
    for (const id of ['a1', 'a2', 'a3', 'a4']) void limiter.run('a', work.start(id));
    await expect(limiter.run('a', work.start('a5'))).rejects.toThrow(ConcurrencyLimitError);
    const other = limiter.run('b', work.start('b1'));
    await settled();
    work.end('b1');
    await expect(other).resolves.toBe('b1');
  });
});
