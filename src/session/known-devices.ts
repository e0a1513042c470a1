import { Injectable } from '@nestjs/common';
import { randomToken, SecretBox } from '../platform/crypto';

const PURPOSE = 'known_device';
const SEPARATOR = '~';
const MOST_ACCOUNTS = 5;
const DEVICE_ID = /^[\w-]{22}$/;
const DEVICE_ID_BYTES = 16;

/**
 * A browser that has logged in to an account before, by a cookie of `<device>~<mac>~<mac>…`, one MAC an account. It earns
 * nothing but a failure counter of its own, so that guesses from elsewhere cannot lock the owner out.
 */
@Injectable()
export class KnownDevices {
  constructor(private readonly box: SecretBox) {}

  /** The device's id, if one of the cookies proves that it knows the account. */
  recognise(cookies: readonly string[], userId: string): string | undefined {
    for (const cookie of cookies) {
      const { device, macs } = parse(cookie);
      if (macs.some((mac) => this.box.verifyMac(PURPOSE, `${device}|${userId}`, mac))) return device;
    }
    return undefined;
  }

  /** The cookie's value once the account has been logged in to; earlier accounts of the browser stay known. */
  remember(cookies: readonly string[], userId: string): string {
    const { device, macs } = parse(cookies[0] ?? '');
    const others = macs.filter((mac) => !this.box.verifyMac(PURPOSE, `${device}|${userId}`, mac));
    const mine = this.box.mac(PURPOSE, `${device}|${userId}`);
    return [device, mine, ...others.slice(0, MOST_ACCOUNTS - 1)].join(SEPARATOR);
  }
}

function parse(cookie: string): { device: string; macs: string[] } {
  const [device = '', ...macs] = cookie.split(SEPARATOR);
  return DEVICE_ID.test(device)
    ? { device, macs: macs.slice(0, MOST_ACCOUNTS) }
    : { device: randomToken(DEVICE_ID_BYTES), macs: [] };
}
