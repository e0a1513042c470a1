import { getMaxListeners } from 'node:events';
import { Log } from '../logging';
import { Scheduler } from './scheduler';
import { fake } from '../../../test/support/service/fake';

describe('Scheduler', () => {
  const warn = jest.fn();
  const debug = jest.fn();
  const takes = jest.fn(() => false);
  let jobs: Scheduler;

  beforeEach(() => {
    jest.useFakeTimers();
    warn.mockClear();
    jobs = new Scheduler(fake<Log>({ warn, debug }), { takes });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('runs a job at the start that wants it', async () => {
    const run = jest.fn(async () => {});
    jobs.every(10, { name: 'count', runsAtStart: true, run });
    jobs.start();
    expect(run).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('runs each job at its interval, first one interval after the start', async () => {
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

  it('logs a failing job by name and runs it again', async () => {
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

  it('leaves reporting an unreachable database to the health monitor', async () => {
    const err = new Error('Connection terminated unexpectedly');
    takes.mockReturnValueOnce(true);
    jobs.runInBackground({ name: 'tidy', run: () => Promise.reject(err) });
    await jobs.stop();
    expect(takes).toHaveBeenCalledWith(err);
    expect(warn).not.toHaveBeenCalled();
    expect(debug).toHaveBeenCalledWith('The job "tidy" failed', { err });
  });

  it('runs a job again that threw synchronously', async () => {
    const run = jest.fn(() => {
      throw new Error('no broom');
    });
    jobs.every(1, { name: 'tidy', run });
    jobs.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(run).toHaveBeenCalledTimes(2);
    await jobs.stop();
  });

  it('does not start a job that is still running, and waits for it on stop', async () => {
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

  it('waits for running jobs and those they start, and goes on', async () => {
    const done: string[] = [];
    const second = { name: 'second', run: async () => void done.push('second') };
    const first = {
      name: 'first',
      run: async () => {
        jobs.runInBackground(second);
        done.push('first');
      },
    };
    jobs.runInBackground(first);
    await jobs.idle();
    expect(done.toSorted()).toEqual(['first', 'second']);
    jobs.runInBackground(second);
    await jobs.idle();
    expect(done).toHaveLength(3);
    await jobs.stop();
  });

  it('signals running jobs that the service stops', async () => {
    const run = jest.fn(
      (stopping: AbortSignal) =>
        new Promise<void>((resolve) => {
          stopping.addEventListener('abort', () => {
            resolve();
          });
        }),
    );
    jobs.runInBackground({ name: 'patient', run });
    await jest.advanceTimersByTimeAsync(5_000);
    await jobs.stop();
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("supports more than ten stop listeners without Node's leak warning", async () => {
    const run = jest.fn(async (_stopping: AbortSignal) => {});
    jobs.runInBackground({ name: 'listener', run });
    await jobs.stop();
    expect(getMaxListeners(run.mock.calls[0]![0])).toBe(Infinity);
  });

  it('waits on stop for work that a running job started', async () => {
    const finish: (() => void)[] = [];
    const until = (): Promise<void> =>
      new Promise((resolve) => {
        finish.push(resolve);
      });
    const second = jest.fn(until);
    jobs.runInBackground({
      name: 'first',
      run: async () => {
        await until();
        jobs.runInBackground({ name: 'second', run: second });
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
