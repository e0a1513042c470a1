import { LockoutTrial } from '../../test/support/lockout-trial';
import { addressFailureThreshold, lockoutSeconds, lockoutWindow } from './lockout.settings';

describe('Lockout, of browsers that know the account', () => {
  let trial: LockoutTrial;

  beforeEach(() => {
    trial = new LockoutTrial();
  });

  it('counts a known browser apart, in both directions', async () => {
    await trial.fail(3);
    const known = { device: 'laptop' };
    await trial.settle([await trial.take(known)], 'cancel');
    await trial.fail(2, known);
    expect(await trial.state(known)).toBe('free');
    await trial.fail(1, known);
    expect(await trial.state(known)).toBe('account_locked 900');
    expect(await trial.state({ device: 'phone' })).toBe('free');
  });

  it('counts known browsers like everybody once they have failed five times the threshold together', async () => {
    for (let count = 0; count < 5; count++) {
      for (const end of ['succeed', 'cancel'] as const) {
        await trial.settle([await trial.take({ device: 'good' })], end);
      }
      await trial.fail(3, { device: `browser ${count}` });
    }
    expect(await trial.state({ device: 'another' })).toBe('free');
    await trial.fail(3, { device: 'another' });
    expect(await trial.state()).toBe('account_locked 900');
    expect(await trial.state({ device: 'yet another' })).toBe('account_locked 900');
    trial.seconds = 901;
    expect(await trial.state({ device: 'yet another' })).toBe('free');
    await trial.fail(3);
    expect(await trial.state({ device: 'yet another' })).toBe('free');
  });

  it('counts a known browser apart again where one of them that was being judged was right', async () => {
    await trial.fail(3);
    for (let count = 0; count < 14; count++) await trial.fail(1, { device: `browser ${count % 5}` });
    const last = await trial.take({ device: 'good' });
    expect(await trial.state({ device: 'another' })).toBe('account_locked 900');
    await trial.settle([last], 'succeed');
    expect(await trial.state({ device: 'another' })).toBe('free');
  });

  it('takes nothing from the other browsers, nor from the address, for knocking at a lock', async () => {
    trial.settings.values.set(addressFailureThreshold.key, 4);
    const address = '192.0.2.1';
    await trial.fail(3, { device: 'laptop' });
    await trial.fail(3);
    for (let count = 0; count < 20; count++) {
      expect(await trial.state({ address, device: 'laptop' })).toBe('account_locked 900');
    }
    expect(await trial.state({ device: 'phone' })).toBe('free');
    expect(await trial.state({ address, subject: 'bob' })).toBe('free');
  });

  it('counts known browsers apart once more when every lock is lifted', async () => {
    for (let count = 0; count < 5; count++) await trial.fail(3, { device: `browser ${count}` });
    await trial.lockout.unlock('ann');
    await trial.fail(3);
    expect(await trial.state({ device: 'another' })).toBe('free');
  });

  it('tells of the lock of a single browser, and lifts every lock of the account', async () => {
    await trial.fail(3, { device: 'laptop' });
    expect(await trial.lockout.lockedFor('ann')).toBe(900);
    expect(await trial.state()).toBe('free');
    await trial.fail(2);
    await trial.lockout.unlock('ann');
    expect(await trial.lockout.lockedFor('ann')).toBe(0);
    expect(await trial.state({ device: 'laptop' })).toBe('free');
    await trial.fail(1);
    expect(await trial.lockout.lockedFor('ann')).toBe(0);
  });

  it('forgets the failures of known browsers, too, when every lock is lifted', async () => {
    const laptop = { device: 'laptop' };
    await trial.fail(2, laptop);
    await trial.lockout.unlock('ann');
    await trial.fail(1, laptop);
    expect(await trial.state(laptop)).toBe('free');
  });

  it('lifts the locks of known browsers again and again, whatever the cache has lost of values', async () => {
    trial.begin({ maxEntries: 1 });
    for (const device of ['a', 'b', 'c']) {
      await trial.fail(3, { device: 'laptop' });
      await trial.fail(3, { subject: 'bob', device });
      expect(await trial.lockout.lockedFor('ann')).toBe(900);
      await trial.lockout.unlock('ann');
      expect([await trial.state({ device: 'laptop' }), await trial.lockout.lockedFor('ann')]).toEqual(['free', 0]);
    }
    expect(await trial.state({ subject: 'bob', device: 'c' })).toBe('account_locked 900');
  });

  it('brings no lock back that was lifted, however long ago', async () => {
    for (const setting of [lockoutSeconds, lockoutWindow]) trial.settings.values.set(setting.key, 86_400);
    await trial.fail(3, { device: 'laptop' });
    await trial.fail(2, { device: 'phone' });
    await trial.lockout.unlock('ann');
    for (const hours of [23, 26]) {
      trial.seconds = hours * 3_600;
      await trial.fail(1, { device: 'phone' });
      expect([await trial.state({ device: 'laptop' }), await trial.state({ device: 'phone' })]).toEqual([
        'free',
        'free',
      ]);
    }
  });

  it('tells of no lock that a guess set which was being judged when every lock was lifted: it keeps nobody out', async () => {
    const laptop = { device: 'laptop' };
    await trial.fail(2, laptop);
    const guess = await trial.take(laptop);
    await trial.lockout.unlock('ann');
    await trial.settle([guess], 'fail');
    expect([await trial.state(laptop), await trial.lockout.lockedFor('ann')]).toEqual(['free', 0]);
    await trial.fail(3, laptop);
    expect(await trial.lockout.lockedFor('ann')).toBe(900);
  });

  it('tells of the browser whose lock lasts longest', async () => {
    await trial.fail(3, { device: 'laptop' });
    trial.settings.values.set(lockoutSeconds.key, 60);
    await trial.fail(3, { device: 'phone' });
    expect(await trial.lockout.lockedFor('ann')).toBe(900);
    trial.settings.values.set(lockoutSeconds.key, 1_800);
    await trial.fail(3, { device: 'tablet' });
    expect(await trial.lockout.lockedFor('ann')).toBe(1_800);
  });
});
