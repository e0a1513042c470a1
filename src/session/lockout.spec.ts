import { MemoryCache, MemoryCacheOptions } from '../platform/cache';
import { ProblemError } from '../platform/errors';
import { Setting, SettingsReader } from '../platform/settings';
import { Guess, GuessedAt, Lockout, secondFactorOf } from './lockout';
import { addressFailureThreshold, lockoutSeconds, lockoutThreshold, lockoutWindow } from './lockout.settings';

class FixedSettings extends SettingsReader {
  readonly values = new Map<string, unknown>();

  async get<T>(setting: Setting<T>): Promise<T> {
    return (this.values.get(setting.key) as T | undefined) ?? setting.fallback;
  }
}

describe('Lockout', () => {
  let seconds: number;
  let settings: FixedSettings;
  let lockout: Lockout;
  let addresses: number;

  beforeEach(() => {
    seconds = 0;
    addresses = 0;
    settings = new FixedSettings();
    settings.values.set(lockoutThreshold.key, 3);
    lockout = lockoutWith();
  });

  const lockoutWith = (options: MemoryCacheOptions = {}): Lockout =>
    new Lockout(new MemoryCache({ now: () => seconds * 1_000, ...options }), settings);

  const at = (more: Partial<GuessedAt> = {}): GuessedAt => ({
    subject: 'ann',
    address: `10.0.0.${addresses++}`,
    ...more,
  });

  const take = async (more?: Partial<GuessedAt>): Promise<Guess | string> => {
    try {
      return await lockout.take(at(more));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return `${error.code} ${error.retryAfterSeconds ?? ''}`;
    }
  };

  const fail = async (times: number, more?: Partial<GuessedAt>): Promise<void> => {
    for (let count = 0; count < times; count++) await (await lockout.take(at(more))).failed();
  };

  /** `free`, or why not; takes no place. */
  const state = async (more?: Partial<GuessedAt>): Promise<string> => {
    const guess = await take(more);
    if (typeof guess === 'string') return guess;
    await guess.abandoned();
    return 'free';
  };

  const settle = async (guesses: readonly (Guess | string)[], how: keyof Guess): Promise<void> => {
    for (const guess of guesses) if (typeof guess !== 'string') await guess[how]();
  };

  it('locks with the failure that reaches the threshold, and says for how long', async () => {
    await fail(2);
    expect(await lockout.lockedFor('ann')).toBe(0);
    await fail(1);
    expect(await lockout.lockedFor('ann')).toBe(900);
    seconds = 100;
    expect(await state()).toBe('account_locked 800');
    expect(await state({ subject: 'bob' })).toBe('free');
  });

  it('ends the lock by itself and begins anew', async () => {
    await fail(3);
    seconds = 901;
    await fail(2);
    expect(await state()).toBe('free');
  });

  it('is not made longer by those who knock meanwhile', async () => {
    await fail(3);
    seconds = 899;
    await take();
    seconds = 901;
    expect(await state()).toBe('free');
  });

  it('forgets failures at the end of the window that the first of them opened', async () => {
    settings.values.set(lockoutWindow.key, 60);
    await fail(1);
    seconds = 59;
    await fail(1);
    seconds = 61;
    await fail(2);
    expect(await lockout.lockedFor('ann')).toBe(0);
  });

  it('starts from none after a success', async () => {
    await fail(2);
    await settle([await take()], 'succeeded');
    await fail(2);
    expect(await lockout.lockedFor('ann')).toBe(0);
  });

  it('does not count what was never judged', async () => {
    for (let count = 0; count < 10; count++) await settle([await take()], 'abandoned');
    await fail(2);
    expect(await lockout.lockedFor('ann')).toBe(0);
  });

  it('bounds how often one address may come to nothing, and forgets it a minute later', async () => {
    settings.values.set(addressFailureThreshold.key, 4);
    const address = '192.0.2.1';
    for (const subject of ['a', 'b', 'c', 'd']) await settle([await take({ address, subject })], 'abandoned');
    expect(await take({ address, subject: 'e' })).toBe('rate_limited 60');
    expect(await state({ subject: 'e' })).toBe('free');
    seconds = 60;
    expect(await state({ address, subject: 'e' })).toBe('free');
  });

  it('keeps its locks and failures however many names are tried after', async () => {
    lockout = lockoutWith({ maxEntries: 10, maxCounters: 20 });
    await fail(3);
    await fail(2, { subject: 'bob' });
    const address = '192.0.2.1';
    for (let name = 0; name < 60; name++) await settle([await take({ address, subject: `name ${name}` })], 'abandoned');
    expect(await lockout.lockedFor('ann')).toBe(900);
    seconds = 100;
    await fail(1, { subject: 'bob' });
    expect(await lockout.lockedFor('bob')).toBe(900);
  });

  it('lets no more than the threshold be judged at once, and locks the rest out when those fail', async () => {
    const asked = Array.from({ length: 20 }, () => take());
    const judged = await Promise.all(asked.slice(0, 3));
    expect(judged.every((guess) => typeof guess === 'object')).toBe(true);
    await settle(judged, 'failed');
    const others = await Promise.all(asked.slice(3));
    expect(new Set(others)).toEqual(new Set(['account_locked 900']));
  });

  it('counts failures and guesses being judged together', async () => {
    await fail(2);
    const judged = await take();
    const waiting = take();
    await settle([judged], 'failed');
    expect(await waiting).toBe('account_locked 900');
  });

  it('lets parallel right guesses wait for each other and locks nobody out', async () => {
    const logIn = async (): Promise<string> => {
      const guess = await take();
      if (typeof guess === 'string') return guess;
      await new Promise(setImmediate);
      await guess.succeeded();
      return 'in';
    };
    const outcomes = await Promise.all(Array.from({ length: 30 }, logIn));
    expect(new Set(outcomes)).toEqual(new Set(['in']));
  });

  it('says that it is busy when the guesses before take too long', async () => {
    jest.useFakeTimers();
    try {
      const judged = await Promise.all([take(), take(), take()]);
      const waiting = state();
      await jest.advanceTimersByTimeAsync(10_100);
      expect(await waiting).toBe('unavailable 3');
      await settle(judged, 'abandoned');
      expect(await state()).toBe('free');
    } finally {
      jest.useRealTimers();
    }
  });

  it('gets places back that a process took and never gave up', async () => {
    await Promise.all([take(), take(), take()]);
    seconds = 301;
    expect(await state()).toBe('free');
  });

  it('counts a known browser apart, in both directions', async () => {
    await fail(3);
    const known = { device: 'laptop' };
    await settle([await take(known)], 'abandoned');
    await fail(2, known);
    expect(await state(known)).toBe('free');
    await fail(1, known);
    expect(await state(known)).toBe('account_locked 900');
    expect(await state({ device: 'phone' })).toBe('free');
  });

  it('counts known browsers like everybody once they have failed five times the threshold together', async () => {
    for (let count = 0; count < 5; count++) {
      for (const end of ['succeeded', 'abandoned'] as const) await settle([await take({ device: 'good' })], end);
      await fail(3, { device: `browser ${count}` });
    }
    expect(await state({ device: 'another' })).toBe('free');
    await fail(3, { device: 'another' });
    expect(await state()).toBe('account_locked 900');
    expect(await state({ device: 'yet another' })).toBe('account_locked 900');
    seconds = 901;
    expect(await state({ device: 'yet another' })).toBe('free');
    await fail(3);
    expect(await state({ device: 'yet another' })).toBe('free');
  });

  it('counts a known browser apart again where one of them that was being judged was right', async () => {
    await fail(3);
    for (let count = 0; count < 14; count++) await fail(1, { device: `browser ${count % 5}` });
    const last = await take({ device: 'good' });
    expect(await state({ device: 'another' })).toBe('account_locked 900');
    await settle([last], 'succeeded');
    expect(await state({ device: 'another' })).toBe('free');
  });

  it('takes nothing from the other browsers, nor from the address, for knocking at a lock', async () => {
    settings.values.set(addressFailureThreshold.key, 4);
    const address = '192.0.2.1';
    await fail(3, { device: 'laptop' });
    await fail(3);
    for (let count = 0; count < 20; count++) {
      expect(await state({ address, device: 'laptop' })).toBe('account_locked 900');
    }
    expect(await state({ device: 'phone' })).toBe('free');
    expect(await state({ address, subject: 'bob' })).toBe('free');
  });

  it('counts known browsers apart once more when every lock is lifted', async () => {
    for (let count = 0; count < 5; count++) await fail(3, { device: `browser ${count}` });
    await lockout.unlock('ann');
    await fail(3);
    expect(await state({ device: 'another' })).toBe('free');
  });

  it('tells of the lock of a single browser, and lifts every lock of the account', async () => {
    await fail(3, { device: 'laptop' });
    expect(await lockout.lockedFor('ann')).toBe(900);
    expect(await state()).toBe('free');
    await fail(2);
    await lockout.unlock('ann');
    expect(await lockout.lockedFor('ann')).toBe(0);
    expect(await state({ device: 'laptop' })).toBe('free');
    await fail(1);
    expect(await lockout.lockedFor('ann')).toBe(0);
  });

  it('forgets the failures of known browsers, too, when every lock is lifted', async () => {
    const laptop = { device: 'laptop' };
    await fail(2, laptop);
    await lockout.unlock('ann');
    await fail(1, laptop);
    expect(await state(laptop)).toBe('free');
  });

  it('lifts the locks of known browsers again and again, whatever the cache has lost of values', async () => {
    lockout = lockoutWith({ maxEntries: 1 });
    for (const device of ['a', 'b', 'c']) {
      await fail(3, { device: 'laptop' });
      await fail(3, { subject: 'bob', device });
      expect(await lockout.lockedFor('ann')).toBe(900);
      await lockout.unlock('ann');
      expect([await state({ device: 'laptop' }), await lockout.lockedFor('ann')]).toEqual(['free', 0]);
    }
    expect(await state({ subject: 'bob', device: 'c' })).toBe('account_locked 900');
  });

  it('brings no lock back that was lifted, however long ago', async () => {
    for (const setting of [lockoutSeconds, lockoutWindow]) settings.values.set(setting.key, 86_400);
    await fail(3, { device: 'laptop' });
    await fail(2, { device: 'phone' });
    await lockout.unlock('ann');
    for (const hours of [23, 26]) {
      seconds = hours * 3_600;
      await fail(1, { device: 'phone' });
      expect([await state({ device: 'laptop' }), await state({ device: 'phone' })]).toEqual(['free', 'free']);
    }
  });

  it('tells of the browser whose lock lasts longest', async () => {
    await fail(3, { device: 'laptop' });
    settings.values.set(lockoutSeconds.key, 60);
    await fail(3, { device: 'phone' });
    expect(await lockout.lockedFor('ann')).toBe(900);
    settings.values.set(lockoutSeconds.key, 1_800);
    await fail(3, { device: 'tablet' });
    expect(await lockout.lockedFor('ann')).toBe(1_800);
  });

  it('tells of many accounts in their order, whatever locked them', async () => {
    await fail(3, { subject: 'ann' });
    await fail(3, { subject: secondFactorOf('bob') });
    await fail(3, { subject: 'eve', device: 'laptop' });
    seconds = 100;
    await fail(3, { subject: secondFactorOf('eve'), device: 'phone' });
    expect(await lockout.lockedForEach(['ann', 'free', 'bob', 'eve'])).toEqual([800, 0, 800, 900]);
    expect(await lockout.lockedForEach([])).toEqual([]);
  });

  it('refuses an address after its own failures, for every account, and counts no success of it', async () => {
    settings.values.set(addressFailureThreshold.key, 4);
    const address = '192.0.2.1';
    for (let count = 0; count < 10; count++) await settle([await take({ address })], 'succeeded');
    for (const subject of ['a', 'b', 'c', 'd']) await fail(1, { address, subject });
    expect(await state({ address, subject: 'e' })).toBe('rate_limited 900');
    expect(await state({ subject: 'e' })).toBe('free');
    seconds = 901;
    expect(await state({ address, subject: 'e' })).toBe('free');
  });

  it('counts what fails under a lock of the account for the address', async () => {
    settings.values.set(addressFailureThreshold.key, 2);
    const address = '192.0.2.1';
    for (let count = 0; count < 2; count++) expect(await (await lockout.takeUnderLock(address)).failed()).toBe(false);
    expect(await state({ address })).toBe('rate_limited 900');
    await expect(lockout.takeUnderLock(address)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('a success does not give an address its guesses at other accounts back', async () => {
    settings.values.set(addressFailureThreshold.key, 2);
    const address = '192.0.2.1';
    await fail(1, { address, subject: 'victim' });
    await settle([await take({ address, subject: 'own' })], 'succeeded');
    await fail(1, { address, subject: 'victim' });
    expect(await state({ address, subject: 'own' })).toMatch(/^rate_limited/);
  });

  it('refuses at once when a lowered threshold has been reached already', async () => {
    await fail(2);
    settings.values.set(lockoutThreshold.key, 2);
    expect(await state()).toBe('account_locked 900');
  });

  it('locks for as long as the setting says', async () => {
    settings.values.set(lockoutSeconds.key, 5);
    await fail(3);
    expect(await state()).toBe('account_locked 5');
  });
});
