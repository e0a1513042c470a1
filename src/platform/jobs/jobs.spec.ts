import { getMaxListeners } from 'node:events';
import { Log } from '../logging';
import { Jobs } from './jobs';

describe('Jobs', () => {
  const warn = jest.fn();
  const debug = jest.fn();
  const takes = jest.fn(() => false);
  let jobs: Jobs;

  beforeEach(() => {
    jest.useFakeTimers();
    warn.mockClear();
    jobs = new Jobs({ warn, debug } as unknown as Log, { takes });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('runs each in its own rhythm, first after the first interval, and not before the start', async () => {
    const run = jest.fn(async () => {});
    jobs.every(10, { name: 'tidy', run });
    await jest.advanceTimersByTimeAsync(20_000);
    expect(run).not.toHaveBeenCalled();
    jobs.start();
    await jest.advanceTimersByTimeAsync(9_999);
    expect(run).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(20_001);
    expect(run).toHaveBeenCalledTimes(3);
    await jobs.stop();
  });

  it('warns of a failure by name and comes round again', async () => {
    const err = new Error('no broom');
    const run = jest.fn(async () => {
      throw err;
    });
    jobs.every(1, { name: 'tidy', run });
    jobs.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(run).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenCalledWith('The job "tidy" failed', { err });
    await jobs.stop();
  });

  it('leaves it to the watch to tell of a database that is away', async () => {
    const err = new Error('Connection terminated unexpectedly');
    takes.mockReturnValueOnce(true);
    jobs.soon({ name: 'tidy', run: () => Promise.reject(err) });
    await jobs.stop();
    expect(takes).toHaveBeenCalledWith(err);
    expect(warn).not.toHaveBeenCalled();
    expect(debug).toHaveBeenCalledWith('The job "tidy" failed', { err });
  });

  it('runs again what threw at once, without a promise', async () => {
    const run = jest.fn(() => {
      throw new Error('no broom');
    });
    jobs.every(1, { name: 'tidy', run });
    jobs.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(run).toHaveBeenCalledTimes(2);
    await jobs.stop();
  });

  it('does not start what still runs, and waits for it at the end', async () => {
    let finish = (): void => {};
    const run = jest.fn(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    jobs.every(1, { name: 'slow', run });
    jobs.start();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(run).toHaveBeenCalledTimes(1);

    let stopped = false;
    const stopping = jobs.stop().then(() => {
      stopped = true;
    });
    await jest.advanceTimersByTimeAsync(5_000);
    expect([stopped, run.mock.calls.length]).toEqual([false, 1]);
    finish();
    await stopping;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('tells what runs that the service stops', async () => {
    const run = jest.fn(
      (stopping: AbortSignal) =>
        new Promise<void>((resolve) => {
          stopping.addEventListener('abort', () => {
            resolve();
          });
        }),
    );
    jobs.soon({ name: 'patient', run });
    await jest.advanceTimersByTimeAsync(5_000);
    await jobs.stop();
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('lets any number of works listen for the stop, which Node takes for a leak from eleven on', async () => {
    const run = jest.fn(async (_stopping: AbortSignal) => {});
    jobs.soon({ name: 'listener', run });
    await jobs.stop();
    expect(getMaxListeners(run.mock.calls[0]![0])).toBe(Infinity);
  });

  it('waits at the end for what a running job itself asked for', async () => {
    const finish: (() => void)[] = [];
    const until = (): Promise<void> =>
      new Promise((resolve) => {
        finish.push(resolve);
      });
    const second = jest.fn(until);
    jobs.soon({
      name: 'first',
      run: async () => {
        await until();
        jobs.soon({ name: 'second', run: second });
      },
    });
    let stopped = false;
    const stopping = jobs.stop().then(() => {
      stopped = true;
    });
    finish.shift()?.();
    await jest.advanceTimersByTimeAsync(0);
    expect([second.mock.calls.length, stopped]).toEqual([1, false]);
    finish.shift()?.();
    await stopping;
  });
});
