import { LockoutTrial } from '../../../test/support/accounts/lockout-trial';
import { secondFactorOf } from './lockout.service';
import { addressFailureThreshold, lockoutSeconds, lockoutThreshold, lockoutWindow } from './lockout.settings';

describe('LockoutService', () => {
  let trial: LockoutTrial;

  beforeEach(() => {
    trial = new LockoutTrial();
  });

  it('locks at the threshold and reports the remaining time', async () => {
    await trial.fail(2);
    expect(await trial.lockout.lockedFor('ann')).toBe(0);
    await trial.fail(1);
    expect(await trial.lockout.lockedFor('ann')).toBe(900);
    trial.seconds = 100;
    expect(await trial.state()).toBe('account_locked 800');
    expect(await trial.state({ subject: 'bob' })).toBe('free');
  });

  it('unlocks after the lock time and restarts the count', async () => {
    await trial.fail(3);
    trial.seconds = 901;
    await trial.fail(2);
    expect(await trial.state()).toBe('free');
  });

  it('does not extend a lock for attempts during it', async () => {
    await trial.fail(3);
    trial.seconds = 899;
    await trial.take();
    trial.seconds = 901;
    expect(await trial.state()).toBe('free');
  });

  it('clears failures at the end of the window that the first one opened', async () => {
    trial.settings.values.set(lockoutWindow.key, 60);
    await trial.fail(1);
    trial.seconds = 59;
    await trial.fail(1);
    trial.seconds = 61;
    await trial.fail(2);
    expect(await trial.lockout.lockedFor('ann')).toBe(0);
  });

  it('clears failures after a success', async () => {
    await trial.fail(2);
    await trial.settle([await trial.take()], 'succeed');
    await trial.fail(2);
    expect(await trial.lockout.lockedFor('ann')).toBe(0);
  });

  it('does not count cancelled attempts as failures', async () => {
    for (let count = 0; count < 10; count++) await trial.settle([await trial.take()], 'cancel');
    await trial.fail(2);
    expect(await trial.lockout.lockedFor('ann')).toBe(0);
  });

  it('limits the cancelled attempts of an address for a minute', async () => {
    trial.settings.values.set(addressFailureThreshold.key, 4);
    const address = '192.0.2.1';
    for (const subject of ['a', 'b', 'c', 'd']) {
      await trial.settle([await trial.take({ address, subject })], 'cancel');
    }
    expect(await trial.take({ address, subject: 'e' })).toBe('rate_limited 60');
    expect(await trial.state({ subject: 'e' })).toBe('free');
    trial.seconds = 60;
    expect(await trial.state({ address, subject: 'e' })).toBe('free');
  });

  it('keeps locks and failures when many other names are tried', async () => {
    trial.begin({ maxEntries: 10, maxCounters: 20 });
    await trial.fail(3);
    await trial.fail(2, { subject: 'bob' });
    const address = '192.0.2.1';
    for (let name = 0; name < 60; name++) {
      await trial.settle([await trial.take({ address, subject: `name ${name}` })], 'cancel');
    }
    expect(await trial.lockout.lockedFor('ann')).toBe(900);
    trial.seconds = 100;
    await trial.fail(1, { subject: 'bob' });
    expect(await trial.lockout.lockedFor('bob')).toBe(900);
  });

  it('verifies at most the threshold at once, and locks out the rest when those fail', async () => {
    const asked = Array.from({ length: 20 }, () => trial.take());
    const pending = await Promise.all(asked.slice(0, 3));
    expect(pending.every((attempt) => typeof attempt === 'object')).toBe(true);
    await trial.settle(pending, 'fail');
    const others = await Promise.all(asked.slice(3));
    expect(new Set(others)).toEqual(new Set(['account_locked 900']));
  });

  it('counts failures and pending attempts together', async () => {
    await trial.fail(2);
    const pending = await trial.take();
    const waiting = trial.take();
    await trial.settle([pending], 'fail');
    expect(await waiting).toBe('account_locked 900');
  });

  it('refuses attempts that would wait behind 256 others', async () => {
    const pending = await Promise.all([trial.take(), trial.take(), trial.take()]);
    const waiting = Array.from({ length: 256 }, () => trial.take());
    expect(await trial.take()).toBe('unavailable 3');
    await trial.settle(pending, 'fail');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['account_locked 900']));
  });

  it('queues parallel correct attempts without a lock', async () => {
    const logIn = async (): Promise<string> => {
      const attempt = await trial.take();
      if (typeof attempt === 'string') return attempt;
      await new Promise(setImmediate);
      await attempt.succeed();
      return 'in';
    };
    const outcomes = await Promise.all(Array.from({ length: 30 }, logIn));
    expect(new Set(outcomes)).toEqual(new Set(['in']));
  });

  it('returns unavailable when earlier attempts take too long', async () => {
    jest.useFakeTimers();
    try {
      const pending = await Promise.all([trial.take(), trial.take(), trial.take()]);
      const waiting = trial.state();
      await jest.advanceTimersByTimeAsync(10_100);
      expect(await waiting).toBe('unavailable 3');
      await trial.settle(pending, 'cancel');
      expect(await trial.state()).toBe('free');
    } finally {
      jest.useRealTimers();
    }
  });

  it('releases the places of attempts that never ended', async () => {
    await Promise.all([trial.take(), trial.take(), trial.take()]);
    trial.seconds = 301;
    expect(await trial.state()).toBe('free');
  });

  it('reports the locks of many accounts in order, whatever caused them', async () => {
    await trial.fail(3, { subject: 'ann' });
    await trial.fail(3, { subject: secondFactorOf('bob') });
    await trial.fail(3, { subject: 'eve', device: 'laptop' });
    trial.seconds = 100;
    await trial.fail(3, { subject: secondFactorOf('eve'), device: 'phone' });
    expect(await trial.lockout.lockedForEach(['ann', 'free', 'bob', 'eve'])).toEqual([800, 0, 800, 900]);
    expect(await trial.lockout.lockedForEach([])).toEqual([]);
  });

  it('rejects an address after its failures, for every account, and does not count its successes', async () => {
    trial.settings.values.set(addressFailureThreshold.key, 4);
    const address = '192.0.2.1';
    for (let count = 0; count < 10; count++) await trial.settle([await trial.take({ address })], 'succeed');
    for (const subject of ['a', 'b', 'c', 'd']) await trial.fail(1, { address, subject });
    expect(await trial.state({ address, subject: 'e' })).toBe('rate_limited 900');
    expect(await trial.state({ subject: 'e' })).toBe('free');
    trial.seconds = 901;
    expect(await trial.state({ address, subject: 'e' })).toBe('free');
  });

  it('counts failures under a lock of the account for the address', async () => {
    trial.settings.values.set(addressFailureThreshold.key, 2);
    const address = '192.0.2.1';
    for (let count = 0; count < 2; count++) {
      expect(await (await trial.lockout.beginForAddress(address)).fail()).toBe(false);
    }
    expect(await trial.state({ address })).toBe('rate_limited 900');
    await expect(trial.lockout.beginForAddress(address)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('does not clear the failures of an address at other accounts after a success', async () => {
    trial.settings.values.set(addressFailureThreshold.key, 2);
    const address = '192.0.2.1';
    await trial.fail(1, { address, subject: 'victim' });
    await trial.settle([await trial.take({ address, subject: 'own' })], 'succeed');
    await trial.fail(1, { address, subject: 'victim' });
    expect(await trial.state({ address, subject: 'own' })).toMatch(/^rate_limited/);
  });

  it('locks at once when a lowered threshold is already reached', async () => {
    await trial.fail(2);
    trial.settings.values.set(lockoutThreshold.key, 2);
    expect(await trial.state()).toBe('account_locked 900');
  });

  it('locks for the configured time', async () => {
    trial.settings.values.set(lockoutSeconds.key, 5);
    await trial.fail(3);
    expect(await trial.state()).toBe('account_locked 5');
  });
});
