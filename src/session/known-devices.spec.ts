import { EncryptionKeys, SecretBox } from '../platform/crypto';
import { KnownDevices } from './known-devices';

const boxOf = (): SecretBox => new SecretBox(EncryptionKeys.parse(EncryptionKeys.generate()));

describe('KnownDevices', () => {
  const devices = new KnownDevices(boxOf());

  it('recognises the account a browser has logged in to, and no other', () => {
    const cookie = devices.remember([], 'ann');
    expect(devices.recognise([cookie], 'ann')).toMatch(/^[\w-]{22}$/);
    expect(devices.recognise([cookie], 'bob')).toBeUndefined();
    expect(devices.recognise([], 'ann')).toBeUndefined();
  });

  it('stays one device over further logins and accounts', () => {
    const first = devices.remember([], 'ann');
    const second = devices.remember([devices.remember([first], 'bob')], 'ann');
    const device = devices.recognise([first], 'ann');
    expect(devices.recognise([second], 'ann')).toBe(device);
    expect(devices.recognise([second], 'bob')).toBe(device);
    expect(second.split('~')).toHaveLength(3);
  });

  it('gives two browsers two devices', () => {
    const [one, other] = [devices.remember([], 'ann'), devices.remember([], 'ann')];
    expect(devices.recognise([one], 'ann')).not.toBe(devices.recognise([other], 'ann'));
  });

  it('knows the five accounts of the last logins', () => {
    let cookie = '';
    for (const user of ['a', 'b', 'c', 'd', 'e', 'f']) cookie = devices.remember([cookie], user);
    expect(devices.recognise([cookie], 'a')).toBeUndefined();
    for (const user of ['b', 'c', 'd', 'e', 'f']) expect(devices.recognise([cookie], user)).toBeDefined();
  });

  it('believes no proof that was made for another device or with another key', () => {
    const [mine, other] = [devices.remember([], 'ann'), devices.remember([], 'ann')];
    const moved = `${mine.split('~')[0]!}~${other.split('~')[1]!}`;
    expect(devices.recognise([moved], 'ann')).toBeUndefined();
    expect(devices.recognise([new KnownDevices(boxOf()).remember([], 'ann')], 'ann')).toBeUndefined();
  });

  it.each(['', '~', '~~~~~~~', 'x', 'x~y', 'A'.repeat(22), `${'A'.repeat(22)}~`, '%00', 'a'.repeat(8_192), '🎉~🎉'])(
    'knows nobody by %j, and makes a good cookie out of it',
    (cookie) => {
      expect(devices.recognise([cookie], 'ann')).toBeUndefined();
      const made = devices.remember([cookie], 'ann');
      expect(devices.recognise([made], 'ann')).toBeDefined();
      expect(made.length).toBeLessThan(400);
    },
  );

  it('finds the good one of several cookies', () => {
    expect(devices.recognise(['garbage', devices.remember([], 'ann')], 'ann')).toBeDefined();
  });
});
