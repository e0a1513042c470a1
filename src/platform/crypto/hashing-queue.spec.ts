import { HashingQueue } from './hashing-queue';

interface Job {
  readonly result: Promise<string>;
  readonly finish: () => void;
  readonly fail: () => void;
  readonly started: () => boolean;
}

function job(queue: HashingQueue, name = 'done'): Job {
  let started = false;
  const { promise, resolve, reject } = withResolvers();
  const result = queue.run(() => {
    started = true;
    return promise.then(() => name);
  });
  result.catch(() => undefined);
  return {
    result,
    finish: resolve,
    fail: () => {
      reject(new Error('broken job'));
    },
    started: () => started,
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}

const settled = (): Promise<unknown> => jest.advanceTimersByTimeAsync(0);

describe('HashingQueue', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('limits the concurrency and runs every job', async () => {
    const queue = new HashingQueue({ concurrency: 3 });
    let running = 0;
    let max = 0;
    const work = (): Promise<void> =>
      queue.run(async () => {
        running += 1;
        max = Math.max(max, running);
        expect(queue.running).toBeLessThanOrEqual(3);
        await new Promise((resolve) => setTimeout(resolve, 10));
        running -= 1;
      });
    const all = Promise.all(Array.from({ length: 50 }, work));
    expect(queue.waiting).toBe(47);
    await jest.advanceTimersByTimeAsync(1_000);
    await all;
    expect(max).toBe(3);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('serves jobs in the order of arrival', async () => {
    const queue = new HashingQueue({ concurrency: 1 });
    const [first, second, third] = [job(queue), job(queue), job(queue)];
    first.finish();
    const late = job(queue);
    await settled();
    expect([second.started(), third.started(), late.started()]).toEqual([true, false, false]);
  });

  it('rejects at once with Retry-After when 256 jobs wait', async () => {
    const queue = new HashingQueue({ concurrency: 1 });
    Array.from({ length: 257 }, () => job(queue));
    expect(queue.waiting).toBe(256);
    const overflow = job(queue);
    await expect(overflow.result).rejects.toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 3 });
    expect(overflow.started()).toBe(false);
    expect(queue.waiting).toBe(256);
    expect(queue.rejected).toBe(1);
  });

  it('rejects a job after 3 s of waiting and never runs it', async () => {
    const queue = new HashingQueue({ concurrency: 1 });
    const first = job(queue);
    const waiter = job(queue);
    await jest.advanceTimersByTimeAsync(2_999);
    expect(queue.waiting).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    await expect(waiter.result).rejects.toMatchObject({ code: 'unavailable' });
    first.finish();
    await settled();
    expect(waiter.started()).toBe(false);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it('reports the seconds that each job waited', async () => {
    const queue = new HashingQueue({ concurrency: 1 });
    const waits: number[] = [];
    queue.onPlace = (seconds) => waits.push(seconds);
    const [first, second] = [job(queue), job(queue)];
    await jest.advanceTimersByTimeAsync(1_500);
    first.finish();
    await settled();
    expect(waits).toEqual([0, 1.5]);
    second.finish();
  });

  it('lets the process end while a job waits', () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const queue = new HashingQueue({ concurrency: 1 });
    const jobs = [job(queue), job(queue)];
    expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false]);
    timers.mockRestore();
    for (const { finish } of jobs) finish();
  });

  it('asks to retry after a second at least', async () => {
    const queue = new HashingQueue({ concurrency: 1, maxWaiting: 0, maxWaitMs: 0 });
    job(queue);
    await expect(job(queue).result).rejects.toMatchObject({ retryAfterSeconds: 1 });
  });

  it('clears the timer of a job that starts', async () => {
    const queue = new HashingQueue({ concurrency: 1 });
    const first = job(queue);
    const second = job(queue, 'second');
    first.finish();
    await settled();
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(10_000);
    second.finish();
    await expect(second.result).resolves.toBe('second');
  });

  it('frees the place of a job that rejects or throws', async () => {
    const queue = new HashingQueue({ concurrency: 1 });
    const broken = job(queue);
    const next = job(queue, 'next');
    broken.fail();
    await expect(broken.result).rejects.toThrow('broken job');
    next.finish();
    await expect(next.result).resolves.toBe('next');
    const throwing = queue.run(() => {
      throw new Error('at once');
    });
    await expect(throwing).rejects.toThrow('at once');
    expect(queue.running).toBe(0);
  });

  it('rejects a concurrency of zero', () => {
    expect(() => new HashingQueue({ concurrency: 0 })).toThrow(RangeError);
    expect(() => new HashingQueue({ concurrency: Number.NaN })).toThrow(RangeError);
  });
});
