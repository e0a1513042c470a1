import { Believed } from './believed';

interface Controlled {
  readonly load: jest.Mock<Promise<string | undefined>, []>;
  resolve(call: number, value?: string): void;
  reject(call: number, error: Error): void;
}

/** A load whose calls end when the test says so. */
function controlled(): Controlled {
  const calls: { resolve: (value?: string) => void; reject: (error: Error) => void }[] = [];
  return {
    load: jest.fn(() => new Promise<string | undefined>((resolve, reject) => calls.push({ resolve, reject }))),
    resolve: (call, value) => {
      calls[call]!.resolve(value);
    },
    reject: (call, error) => {
      calls[call]!.reject(error);
    },
  };
}

const never = (): Promise<string> => Promise.reject(new Error('should not have been loaded'));
const gives = (value: string | undefined) => async (): Promise<string | undefined> => value;

describe('Believed', () => {
  let now: number;
  let believeMs: number;
  let believed: Believed<string>;

  beforeEach(() => {
    now = 5_000;
    believeMs = 1_000;
    believed = new Believed({ believeMs: () => believeMs, maxEntries: 3, now: () => now });
  });

  it.each([
    { age: 0, loadsAgain: false },
    { age: 999, loadsAgain: false },
    { age: 1_000, loadsAgain: true },
  ])('a value of $age ms: loads again $loadsAgain', async ({ age, loadsAgain }) => {
    await believed.read('k', gives('first'));
    now += age;
    expect(await believed.read('k', gives('second'))).toBe(loadsAgain ? 'second' : 'first');
  });

  it('counts the age from the start of the load', async () => {
    const slow = controlled();
    const reading = believed.read('k', slow.load);
    now += 900;
    slow.resolve(0, 'first');
    await reading;
    now += 100;
    expect(await believed.read('k', gives('second'))).toBe('second');
  });

  it('asks at every read how long to believe', async () => {
    await believed.read('k', gives('first'));
    now += 500;
    believeMs = 400;
    expect(await believed.read('k', gives('second'))).toBe('second');
    believeMs = 0;
    expect(await believed.read('k', gives('third'))).toBe('third');
  });

  it('loads once for parallel callers', async () => {
    const { load, resolve } = controlled();
    const readings = [believed.read('k', load), believed.read('k', load), believed.read('k', load)];
    resolve(0, 'value');
    expect(await Promise.all(readings)).toEqual(['value', 'value', 'value']);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('joins no load that is older than what may be believed', async () => {
    const { load, resolve } = controlled();
    const early = believed.read('k', load);
    now += 1_000;
    const late = believed.read('k', load);
    resolve(1, 'new');
    expect(await late).toBe('new');
    resolve(0, 'old');
    expect(await early).toBe('old');
    expect(await believed.read('k', never)).toBe('new');
  });

  it('keeps keys apart', async () => {
    await believed.read('a', gives('of a'));
    expect(await believed.read('b', gives('of b'))).toBe('of b');
  });

  it('does not remember undefined, nor what stood there before', async () => {
    await believed.read('k', gives('first'));
    now += 1_000;
    expect(await believed.read('k', gives(undefined))).toBeUndefined();
    believeMs = 60_000;
    expect(await believed.read('k', gives('second'))).toBe('second');
  });

  it('does not remember failures, and hands one to all who wait for it', async () => {
    const { load, reject } = controlled();
    const readings = Promise.allSettled([believed.read('k', load), believed.read('k', load)]);
    reject(0, new Error('database away'));
    expect((await readings).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await believed.read('k', gives('value'))).toBe('value');
  });

  it('turns a load that throws at once into a rejection', async () => {
    const broken = (): Promise<string> => {
      throw new Error('broken');
    };
    await expect(believed.read('k', broken)).rejects.toThrow('broken');
    expect(await believed.read('k', gives('value'))).toBe('value');
  });

  it('holds no more than its bound, the least recently used going first', async () => {
    for (const key of ['a', 'b', 'c']) believed.remember(key, key);
    await believed.read('a', never);
    believed.remember('d', 'd');
    expect(await believed.read('a', never)).toBe('a');
    expect(await believed.read('b', gives('again'))).toBe('again');
  });

  describe.each([
    {
      way: 'forget',
      forget: () => {
        believed.forget('k');
      },
    },
    {
      way: 'forgetAll',
      forget: () => {
        believed.forgetAll();
      },
    },
  ])('$way', ({ forget }) => {
    it('drops what is remembered', async () => {
      await believed.read('k', gives('old'));
      forget();
      expect(await believed.read('k', gives('new'))).toBe('new');
    });

    it('keeps a load begun before from being remembered', async () => {
      const { load, resolve } = controlled();
      const reading = believed.read('k', load);
      forget();
      resolve(0, 'old');
      expect(await reading).toBe('old');
      expect(await believed.read('k', gives('new'))).toBe('new');
    });

    it('lets no later caller join a load begun before', async () => {
      const { load, resolve } = controlled();
      const early = believed.read('k', load);
      forget();
      const late = believed.read('k', load);
      expect(load).toHaveBeenCalledTimes(2);
      resolve(0, 'old');
      resolve(1, 'new');
      expect(await Promise.all([early, late])).toEqual(['old', 'new']);
      expect(await believed.read('k', never)).toBe('new');
    });

    it('holds also when the older load ends last', async () => {
      const { load, resolve } = controlled();
      const early = believed.read('k', load);
      forget();
      const late = believed.read('k', load);
      resolve(1, 'new');
      expect(await late).toBe('new');
      resolve(0, 'old');
      await early;
      expect(await believed.read('k', never)).toBe('new');
    });

    it('leaves a newer load alone when the older one fails', async () => {
      const { load, resolve, reject } = controlled();
      const early = believed.read('k', load);
      forget();
      const late = believed.read('k', load);
      reject(0, new Error('old'));
      await expect(early).rejects.toThrow('old');
      const joined = believed.read('k', load);
      resolve(1, 'new');
      expect(await Promise.all([late, joined])).toEqual(['new', 'new']);
      expect(load).toHaveBeenCalledTimes(2);
    });
  });

  it('forget leaves other keys and their loads alone', async () => {
    const { load, resolve } = controlled();
    const reading = believed.read('other', load);
    believed.remember('third', 'kept');
    believed.forget('k');
    resolve(0, 'value');
    await reading;
    expect(await believed.read('other', never)).toBe('value');
    expect(await believed.read('third', never)).toBe('kept');
  });

  it('remember wins over a load that is under way', async () => {
    const { load, resolve } = controlled();
    const reading = believed.read('k', load);
    believed.remember('k', 'current');
    resolve(0, 'old');
    expect(await reading).toBe('old');
    expect(await believed.read('k', never)).toBe('current');
  });
});
