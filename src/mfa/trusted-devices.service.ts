import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { Caller, RequestContext } from '../platform/context';
import { newId, randomToken, sha256 } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { describeDevice } from '../platform/http';
import { SettingsReader } from '../platform/settings';
import { sessionErrors } from '../session';
import { UserView, UserCache, userTarget } from '../users';
import { TrustedDevice } from './mfa.entities';
import { trustedDeviceDays } from './mfa.settings';
import { TrustedDeviceRepository } from './trusted-device.repository';
import { factorActs } from './factor.acts';

const SEPARATOR = '~';
/** The maximum number of accounts that trust one browser. */
const MAX_TOKENS = 5;
const MAX_COOKIES = 2;
/** Up to five tokens of 32 bytes. */
const COOKIE = /^[\w-]{43}(?:~[\w-]{43}){0,4}$/;
const DAY_SECONDS = 86_400;

export interface TrustCookie {
  readonly value: string;
  readonly maxAgeSeconds: number;
}

type Truster = Pick<UserView, 'id' | 'passwordVersion'>;

/** Browsers that need no second factor, identified by a random token in a cookie. */
@Injectable()
export class TrustedDevicesService {
  constructor(
    private readonly devices: TrustedDeviceRepository,
    private readonly settings: SettingsReader,
    private readonly users: UserCache,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Whether the user trusts the browser that sent the cookies. */
  async isTrusted(cookies: readonly string[], { id, passwordVersion }: Truster): Promise<boolean> {
    const days = await this.settings.get(trustedDeviceDays);
    const tokens = tokensOf(cookies);
    if (days === 0 || tokens.length === 0) return false;
    return this.devices.use(tokens.map(sha256), { userId: id, passwordVersion, days });
  }

  /**
   * Trusts the browser with a new token. Call in a transaction. Returns undefined while trusted devices are disabled.
   */
  async trust(
    cookies: readonly string[],
    { id: userId, passwordVersion }: Truster,
    { ip, userAgent }: RequestContext,
  ): Promise<TrustCookie | undefined> {
    const days = await this.settings.get(trustedDeviceDays);
    if (days === 0) return undefined;
    const token = randomToken();
    const device = describeDevice(userAgent);
    await this.devices.insert({
      id: newId(),
      userId,
      passwordVersion,
      tokenHash: sha256(token),
      ip,
      userAgent,
      device,
    });
    const value = [token, ...tokensOf(cookies)].slice(0, MAX_TOKENS).join(SEPARATOR);
    return { value, maxAgeSeconds: days * DAY_SECONDS };
  }

  /** Newest first. */
  async list({ userId }: Caller): Promise<TrustedDevice[]> {
    const user = await this.users.get(userId);
    if (!user) throw sessionErrors.sessionRevoked();
    const days = await this.settings.get(trustedDeviceDays);
    return days === 0 ? [] : this.devices.list({ userId, passwordVersion: user.passwordVersion, days });
  }

  /** Throws `not_found`. */
  async revoke({ userId, username }: Caller, id: string): Promise<void> {
    await this.transactions.run(async () => {
      if (!(await this.devices.delete(userId, id))) throw platformErrors.notFound();
      await this.audit.record(factorActs.revokeTrustedDevice, {
        target: userTarget({ id: userId, username }),
        before: { id },
      });
    });
  }
}

function tokensOf(cookies: readonly string[]): string[] {
  const wellFormed = cookies.slice(0, MAX_COOKIES).filter((cookie) => COOKIE.test(cookie));
  return wellFormed.flatMap((cookie) => cookie.split(SEPARATOR));
}
