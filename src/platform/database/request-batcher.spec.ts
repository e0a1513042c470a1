import { RequestBatcher, Ways } from './request-batcher';

const refusal = (code: string): Error => Object.assign(new Error(`refused with ${code}`), { code });

describe('OneTurn', () => {
  const together: string[][] = [];
  const alone: string[] = [];
  let ways: Ways<string, string>;
  let turn: RequestBatcher<string, string>;

  beforeEach(() => {
    together.length = 0;
    alone.length = 0;
    ways = {
      together: async (asks) => asks.map((ask) => `${ask}, together`),
      alone: async (ask) => `${ask}, alone`,
    };
    turn = new RequestBatcher<string, string>({
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

  const askAll = (...asks: string[]): Promise<string[]> => Promise.all(asks.map((ask) => turn.ask(ask)));

  it('asks once for what comes in one turn, also a little later in it', async () => {
    const late = Promise.resolve().then(() => turn.ask('c'));
    expect(await askAll('a', 'b')).toEqual(['a, together', 'b, together']);
    expect(await late).toBe('c, together');
    expect([together, alone]).toEqual([[['a', 'b', 'c']], []]);
  });

  it('asks alone for what comes alone, and for the next turn anew', async () => {
    expect(await turn.ask('a')).toBe('a, alone');
    expect(await askAll('b', 'a')).toEqual(['b, together', 'a, together']);
    expect([together, alone]).toEqual([[['b', 'a']], ['a']]);
  });

  it('takes no more than 64 together', async () => {
    await askAll(...Array.from({ length: 130 }, (_, index) => `${index}`));
    expect(together.map(({ length }) => length)).toEqual([64, 64, 2]);
  });

  it('asks alone for what had no answer, while the others have theirs', async () => {
    let answer = (_text: string): void => undefined;
    ways = {
      together: async (asks) => asks.map((ask) => (ask === 'held' ? undefined : ask)),
      alone: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    };
    const held = turn.ask('held');
    expect(await turn.ask('a')).toBe('a');
    answer('late');
    expect(await held).toBe('late');
    expect(alone).toEqual(['held']);
  });

  it('tells nobody what befell another', async () => {
    ways = {
      together: () => Promise.reject(refusal('22P02')),
      alone: (ask) => (ask === 'bad' ? Promise.reject(refusal('22P02')) : Promise.resolve(ask)),
    };
    const [good, bad] = await Promise.allSettled(['a', 'bad'].map((ask) => turn.ask(ask)));
    expect(good).toMatchObject({ status: 'fulfilled', value: 'a' });
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'refused with 22P02' } });
  });

  it('asks a database that is away no more than once', async () => {
    ways = { ...ways, together: () => Promise.reject(refusal('57P01')) };
    const failed = await Promise.allSettled(['a', 'b'].map((ask) => turn.ask(ask)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([together, alone]).toEqual([[['a', 'b']], []]);
  });
});
