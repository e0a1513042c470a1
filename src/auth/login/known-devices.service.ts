import { Injectable } from '@nestjs/common';
import { randomToken, SecretBox } from '../../platform/crypto';
import { UserView } from '../../users';

const PURPOSE = 'known_device';
const SEPARATOR = '~';
const MAX_ACCOUNTS = 5;
/** The maximum number of same-named cookies to read. */
const MAX_COOKIES = 2;
/** `<device>~<mac>~<mac>…`, with each MAC as `<kid>.<base64url of 32 bytes>`. */
const COOKIE = /^[\w-]{22}(?:~[\w-]{1,32}\.[\w-]{43}){1,5}$/;
const DEVICE_ID_BYTES = 16;
const UNKNOWN_OWNER: DeviceOwner = { id: '', passwordVersion: 0 };

/** The account that a device has logged in to, with its password version. */
export type DeviceOwner = Pick<UserView, 'id' | 'passwordVersion'>;

/**
 * A browser that has logged in to an account before, identified by a cookie `<device>~<mac>~<mac>…` with one MAC per
 * account. It only grants a separate failure counter, so that attempts from elsewhere cannot lock the owner out. A
 * password change ends it.
 */
@Injectable()
export class KnownDevicesService {
  constructor(private readonly box: SecretBox) {}

  /** Returns the device's id if a cookie proves an earlier login. Also called for unknown users, for equal timing. */
  recognize(cookies: readonly string[], owner: DeviceOwner = UNKNOWN_OWNER): string | undefined {
    const known = wellFormed(cookies).map(parse);
    return known.find(({ device, macs }) => macs.some((mac) => this.isProof(mac, device, owner)))?.device;
  }

  /** The cookie's value after a login to the account. Other accounts of the browser stay known. */
  remember(cookies: readonly string[], owner: DeviceOwner): string {
    const [cookie] = wellFormed(cookies);
    const { device, macs } = cookie === undefined ? { device: randomToken(DEVICE_ID_BYTES), macs: [] } : parse(cookie);
    const others = macs.filter((mac) => !this.isProof(mac, device, owner));
    const mine = this.box.mac(PURPOSE, claimOf(device, owner));
    return [device, mine, ...others.slice(0, MAX_ACCOUNTS - 1)].join(SEPARATOR);
  }

  private isProof(mac: string, device: string, owner: DeviceOwner): boolean {
    return this.box.verifyMac(PURPOSE, claimOf(device, owner), mac);
  }
}

function wellFormed(cookies: readonly string[]): string[] {
  return cookies.filter((cookie) => COOKIE.test(cookie)).slice(0, MAX_COOKIES);
}

function parse(cookie: string): { device: string; macs: string[] } {
  const [device = '', ...macs] = cookie.split(SEPARATOR);
  return { device, macs };
}

function claimOf(device: string, { id, passwordVersion }: DeviceOwner): string {
  return `${device}|${id}|${passwordVersion}`;
}
