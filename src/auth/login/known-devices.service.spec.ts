import { EncryptionKeys, SecretBox } from '../../platform/crypto';
import { DeviceOwner, KnownDevicesService } from './known-devices.service';

const owner = (id: string, passwordVersion = 1): DeviceOwner => ({ id, passwordVersion });

const boxOf = (): SecretBox => new SecretBox(EncryptionKeys.parse(EncryptionKeys.generate()));

describe('KnownDevicesService', () => {
  const devices = new KnownDevicesService(boxOf());

  it('recognizes only the account that a device has logged in to', () => {
    const cookie = devices.remember([], owner('ann'));
    expect(devices.recognize([cookie], owner('ann'))).toMatch(/^[\w-]{22}$/);
    expect(devices.recognize([cookie], owner('bob'))).toBeUndefined();
    expect(devices.recognize([], owner('ann'))).toBeUndefined();
  });

  it('keeps the device id over further logins and accounts', () => {
    const first = devices.remember([], owner('ann'));
    const second = devices.remember([devices.remember([first], owner('bob'))], owner('ann'));
    const device = devices.recognize([first], owner('ann'));
    expect(devices.recognize([second], owner('ann'))).toBe(device);
    expect(devices.recognize([second], owner('bob'))).toBe(device);
    expect(second.split('~')).toHaveLength(3);
  });

  it('gives two browsers different device ids', () => {
    const [one, other] = [devices.remember([], owner('ann')), devices.remember([], owner('ann'))];
    expect(devices.recognize([one], owner('ann'))).not.toBe(devices.recognize([other], owner('ann')));
  });

  it('remembers the accounts of the last five logins', () => {
    let cookie = '';
    for (const user of ['a', 'b', 'c', 'd', 'e', 'f']) cookie = devices.remember([cookie], owner(user));
    expect(devices.recognize([cookie], owner('a'))).toBeUndefined();
    for (const user of ['b', 'c', 'd', 'e', 'f']) expect(devices.recognize([cookie], owner(user))).toBeDefined();
  });

  it('rejects a MAC of another device or key', () => {
    const [mine, other] = [devices.remember([], owner('ann')), devices.remember([], owner('ann'))];
    const moved = `${mine.split('~')[0]!}~${other.split('~')[1]!}`;
    expect(devices.recognize([moved], owner('ann'))).toBeUndefined();
    expect(
      devices.recognize([new KnownDevicesService(boxOf()).remember([], owner('ann'))], owner('ann')),
    ).toBeUndefined();
  });

  it.each(['', '~', '~~~~~~~', 'x', 'x~y', 'A'.repeat(22), `${'A'.repeat(22)}~`, '%00', 'a'.repeat(8_192), '🎉~🎉'])(
    'recognizes no account in %j and replaces it with a valid cookie',
    (cookie) => {
      expect(devices.recognize([cookie], owner('ann'))).toBeUndefined();
      const made = devices.remember([cookie], owner('ann'));
      expect(devices.recognize([made], owner('ann'))).toBeDefined();
      expect(made.length).toBeLessThan(400);
    },
  );

  it('finds the valid one of several cookies', () => {
    expect(devices.recognize(['garbage', devices.remember([], owner('ann'))], owner('ann'))).toBeDefined();
  });

  it('stops recognizing a device after a password change, until the next login', () => {
    const cookie = devices.remember([], owner('ann'));
    expect(devices.recognize([cookie], owner('ann', 2))).toBeUndefined();
    const next = devices.remember([cookie], owner('ann', 2));
    expect(devices.recognize([next], owner('ann', 2))).toBe(cookie.split('~')[0]);
  });

  it('checks at most two well-formed cookies, with equal work for unknown users', () => {
    const box = boxOf();
    const verify = jest.spyOn(box, 'verifyMac');
    const mine = new KnownDevicesService(box);
    const crafted = `${'A'.repeat(22)}${`~kid.${'A'.repeat(43)}`.repeat(5)}`;
    for (const whose of [owner('ann'), undefined]) {
      verify.mockClear();
      expect(
        mine.recognize(
          Array.from({ length: 145 }, () => crafted),
          whose,
        ),
      ).toBeUndefined();
      expect(verify).toHaveBeenCalledTimes(10);
    }
    const good = mine.remember([], owner('ann'));
    expect(mine.recognize([...Array.from({ length: 50 }, () => 'rubbish'), good], owner('ann'))).toBeDefined();
  });
});
