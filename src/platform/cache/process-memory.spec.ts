import { ProcessMemory } from './process-memory';

interface Controlled {
  readonly load: jest.Mock<Promise<string | undefined>, []>;
  resolve(call: number, value?: string): void;
  reject(call: number, error: Error): void;
}

/** A load that the test settles. */
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

describe('ProcessMemory', () => {
  let now: number;
  let memory: ProcessMemory<string>;

  const read = async (key: string, load: () => Promise<string | undefined>): Promise<string | undefined> =>
    memory.get(key) ?? memory.load(key, async () => ({ value: await load() }));

  beforeEach(() => {
    now = 5_000;
    memory = new ProcessMemory({ ttlMs: 1_000, maxEntries: 3, now: () => now });
  });

  it.each([
    { age: 0, loadsAgain: false },
    { age: 999, loadsAgain: false },
    { age: 1_000, loadsAgain: true },
  ])('loads again at the age of $age ms: $loadsAgain', async ({ age, loadsAgain }) => {
    await read('k', gives('first'));
    now += age;
    expect(await read('k', gives('second'))).toBe(loadsAgain ? 'second' : 'first');
  });

  it('counts the age from the start of the load', async () => {
    const slow = controlled();
    const reading = read('k', slow.load);
    now += 900;
    slow.resolve(0, 'first');
    await reading;
    now += 100;
    expect(await read('k', gives('second'))).toBe('second');
  });

  it('counts the age from the time that the load returns', async () => {
    await memory.load('k', async () => ({ value: 'first', since: now - 400 }));
    now += 599;
    expect(memory.get('k')).toBe('first');
    now += 1;
    expect(memory.get('k')).toBeUndefined();
  });

  it('never counts the age from after the start of the load', async () => {
    await memory.load('k', async () => ({ value: 'first', since: now + 5_000 }));
    now += 1_000;
    expect(memory.get('k')).toBeUndefined();
  });

  it('loads once for parallel callers', async () => {
    const { load, resolve } = controlled();
    const readings = [read('k', load), read('k', load), read('k', load)];
    resolve(0, 'value');
    expect(await Promise.all(readings)).toEqual(['value', 'value', 'value']);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('does not join a load that is older than the TTL', async () => {
    const { load, resolve } = controlled();
    const early = read('k', load);
    now += 1_000;
    const late = read('k', load);
    resolve(1, 'new');
    expect(await late).toBe('new');
    resolve(0, 'old');
    expect(await early).toBe('old');
    expect(await read('k', never)).toBe('new');
  });

  it('keeps keys separate', async () => {
    await read('a', gives('of a'));
    expect(await read('b', gives('of b'))).toBe('of b');
  });

  it('caches neither undefined nor the previous value', async () => {
    await read('k', gives('first'));
    now += 1_000;
    expect(await read('k', gives(undefined))).toBeUndefined();
    // Would be fresh again if it had been cached.
    now -= 1_000;
    expect(await read('k', gives('second'))).toBe('second');
  });

  it('does not cache a failure and rejects all waiting callers', async () => {
    const { load, reject } = controlled();
    const readings = Promise.allSettled([read('k', load), read('k', load)]);
    reject(0, new Error('database away'));
    expect((await readings).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await read('k', gives('value'))).toBe('value');
  });

  it('turns a synchronous throw of the load into a rejection', async () => {
    const broken = (): Promise<string> => {
      throw new Error('broken');
    };
    await expect(read('k', broken)).rejects.toThrow('broken');
    expect(await read('k', gives('value'))).toBe('value');
  });

  it('evicts the least recently used entry beyond the limit', async () => {
    for (const key of ['a', 'b', 'c']) await read(key, gives(key));
    await read('a', never);
    await read('d', gives('d'));
    expect(await read('a', never)).toBe('a');
    expect(await read('b', gives('again'))).toBe('again');
  });

  describe.each([
    {
      way: 'delete',
      invalidate: () => {
        memory.delete('k');
      },
    },
    {
      way: 'clear',
      invalidate: () => {
        memory.clear();
      },
    },
  ])('$way', ({ invalidate }) => {
    it('drops the cached value', async () => {
      await read('k', gives('old'));
      invalidate();
      expect(await read('k', gives('new'))).toBe('new');
    });

    it('does not cache the result of an earlier load', async () => {
      const { load, resolve } = controlled();
      const reading = read('k', load);
      invalidate();
      resolve(0, 'old');
      expect(await reading).toBe('old');
      expect(await read('k', gives('new'))).toBe('new');
    });

    it('lets no later caller join an earlier load', async () => {
      const { load, resolve } = controlled();
      const early = read('k', load);
      invalidate();
      const late = read('k', load);
      expect(load).toHaveBeenCalledTimes(2);
      resolve(0, 'old');
      resolve(1, 'new');
      expect(await Promise.all([early, late])).toEqual(['old', 'new']);
      expect(await read('k', never)).toBe('new');
    });

    it('keeps the newer value when the older load settles last', async () => {
      const { load, resolve } = controlled();
      const early = read('k', load);
      invalidate();
      const late = read('k', load);
      resolve(1, 'new');
      expect(await late).toBe('new');
      resolve(0, 'old');
      await early;
      expect(await read('k', never)).toBe('new');
    });

    it('keeps a newer load when the older one fails', async () => {
      const { load, resolve, reject } = controlled();
      const early = read('k', load);
      invalidate();
      const late = read('k', load);
      reject(0, new Error('old'));
      await expect(early).rejects.toThrow('old');
      const joined = read('k', load);
      resolve(1, 'new');
      expect(await Promise.all([late, joined])).toEqual(['new', 'new']);
      expect(load).toHaveBeenCalledTimes(2);
    });
  });

  it('keeps other keys and their loads on a delete', async () => {
    const { load, resolve } = controlled();
    const reading = read('other', load);
    await read('third', gives('kept'));
    memory.delete('k');
    resolve(0, 'value');
    await reading;
    expect(await read('other', never)).toBe('value');
    expect(await read('third', never)).toBe('kept');
  });
});
