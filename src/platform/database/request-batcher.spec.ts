import { RequestBatcher, Ways } from './request-batcher';

const rejection = (code: string): Error => Object.assign(new Error(`refused with ${code}`), { code });

describe('RequestBatcher', () => {
  const together: string[][] = [];
  const alone: string[] = [];
  let ways: Ways<string, string>;
  let batcher: RequestBatcher<string, string>;

  beforeEach(() => {
    together.length = 0;
    alone.length = 0;
    ways = {
      together: async (asks) => asks.map((ask) => `${ask}, together`),
      alone: async (ask) => `${ask}, alone`,
    };
    batcher = new RequestBatcher<string, string>({
      together: (asks) => {
        together.push([...asks]);
        return ways.together(asks);
      },
      alone: (ask) => {
        alone.push(ask);
        return ways.alone(ask);
      },
    });
  });

  const askAll = (...asks: string[]): Promise<string[]> => Promise.all(asks.map((ask) => batcher.ask(ask)));

  it('batches all requests of one tick', async () => {
    const late = Promise.resolve().then(() => batcher.ask('c'));
    expect(await askAll('a', 'b')).toEqual(['a, together', 'b, together']);
    expect(await late).toBe('c, together');
    expect([together, alone]).toEqual([[['a', 'b', 'c']], []]);
  });

  it('runs a single request alone and batches the next tick separately', async () => {
    expect(await batcher.ask('a')).toBe('a, alone');
    expect(await askAll('b', 'a')).toEqual(['b, together', 'a, together']);
    expect([together, alone]).toEqual([[['b', 'a']], ['a']]);
  });

  it('batches at most 64 requests', async () => {
    await askAll(...Array.from({ length: 130 }, (_, index) => `${index}`));
    expect(together.map(({ length }) => length)).toEqual([64, 64, 2]);
  });

  it('runs a request alone that the batch left unresolved', async () => {
    let answer = (_text: string): void => undefined;
    ways = {
      together: async (asks) => asks.map((ask) => (ask === 'held' ? undefined : ask)),
      alone: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    };
    const held = batcher.ask('held');
    expect(await batcher.ask('a')).toBe('a');
    answer('late');
    expect(await held).toBe('late');
    expect(alone).toEqual(['held']);
  });

  it('reports the error of one request to that request only', async () => {
    ways = {
      together: () => Promise.reject(rejection('22P02')),
      alone: (ask) => (ask === 'bad' ? Promise.reject(rejection('22P02')) : Promise.resolve(ask)),
    };
    const [good, bad] = await Promise.allSettled(['a', 'bad'].map((ask) => batcher.ask(ask)));
    expect(good).toMatchObject({ status: 'fulfilled', value: 'a' });
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'refused with 22P02' } });
  });

  it('does not retry on an unavailable database', async () => {
    ways = { ...ways, together: () => Promise.reject(rejection('57P01')) };
    const failed = await Promise.allSettled(['a', 'b'].map((ask) => batcher.ask(ask)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([together, alone]).toEqual([[['a', 'b']], []]);
  });
});
