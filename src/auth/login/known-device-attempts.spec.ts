import { LockoutTrial } from '../../../test/support/accounts/lockout-trial';
import { addressFailureThreshold, lockoutSeconds, lockoutWindow } from './lockout.settings';

describe('KnownDeviceAttempts', () => {
  let trial: LockoutTrial;

  beforeEach(() => {
    trial = new LockoutTrial();
  });

  it('counts a known device separately, in both directions', async () => {
    await trial.fail(3);
    const known = { device: 'laptop' };
    await trial.settle([await trial.take(known)], 'cancel');
    await trial.fail(2, known);
    expect(await trial.state(known)).toBe('free');
    await trial.fail(1, known);
    expect(await trial.state(known)).toBe('account_locked 900');
    expect(await trial.state({ device: 'phone' })).toBe('free');
  });

  it('counts known devices together with others after they fail five times the threshold', async () => {
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

  it('counts known devices separately again after a pending attempt of one succeeds', async () => {
    await trial.fail(3);
    for (let count = 0; count < 14; count++) await trial.fail(1, { device: `browser ${count % 5}` });
    const last = await trial.take({ device: 'good' });
    expect(await trial.state({ device: 'another' })).toBe('account_locked 900');
    await trial.settle([last], 'succeed');
    expect(await trial.state({ device: 'another' })).toBe('free');
  });

  it('charges attempts under a lock neither to other devices nor to the address', async () => {
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

  it('counts known devices separately again after an unlock', async () => {
    for (let count = 0; count < 5; count++) await trial.fail(3, { device: `browser ${count}` });
    await trial.lockout.unlock('ann');
    await trial.fail(3);
    expect(await trial.state({ device: 'another' })).toBe('free');
  });

  it('reports the lock of a single device, and unlocks all of them', async () => {
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

  it('clears the failures of known devices on unlock', async () => {
    const laptop = { device: 'laptop' };
    await trial.fail(2, laptop);
    await trial.lockout.unlock('ann');
    await trial.fail(1, laptop);
    expect(await trial.state(laptop)).toBe('free');
  });

  it('unlocks known devices repeatedly, even after the store has evicted values', async () => {
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

  it('never restores a lock after an unlock', async () => {
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

  it('reports no lock from an attempt that was pending during an unlock', async () => {
    const laptop = { device: 'laptop' };
    await trial.fail(2, laptop);
    const pending = await trial.take(laptop);
    await trial.lockout.unlock('ann');
    await trial.settle([pending], 'fail');
    expect([await trial.state(laptop), await trial.lockout.lockedFor('ann')]).toEqual(['free', 0]);
    await trial.fail(3, laptop);
    expect(await trial.lockout.lockedFor('ann')).toBe(900);
  });

  it('reports the longest lock of all devices', async () => {
    await trial.fail(3, { device: 'laptop' });
    trial.settings.values.set(lockoutSeconds.key, 60);
    await trial.fail(3, { device: 'phone' });
    expect(await trial.lockout.lockedFor('ann')).toBe(900);
    trial.settings.values.set(lockoutSeconds.key, 1_800);
    await trial.fail(3, { device: 'tablet' });
    expect(await trial.lockout.lockedFor('ann')).toBe(1_800);
  });
});
