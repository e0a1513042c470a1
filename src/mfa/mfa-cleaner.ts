import { Injectable } from '@nestjs/common';
import { inBatches, Jobs } from '../platform/jobs';
import { FactorRepository } from './factor.repository';
import { MOST_TRUSTED_DAYS } from './mfa.settings';
import { PasskeyRepository } from './passkey.repository';
import { PendingLoginRepository } from './pending-login.repository';
import { TrustedDeviceRepository } from './trusted-device.repository';

const EVERY_SECONDS = 600;

/** Deletes what has expired, in batches that lock little. */
@Injectable()
export class MfaCleaner {
  constructor(
    private readonly factors: FactorRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly logins: PendingLoginRepository,
    private readonly devices: TrustedDeviceRepository,
    jobs: Jobs,
  ) {
    jobs.every(EVERY_SECONDS, { name: 'expired second steps', run: () => this.clean() });
  }

  async clean(): Promise<void> {
    await inBatches((limit) => this.passkeys.deleteExpiredChallenges(limit));
    await inBatches((limit) => this.logins.deleteExpired(limit));
    await inBatches((limit) => this.devices.deleteOld(MOST_TRUSTED_DAYS, limit));
    await inBatches((limit) => this.factors.deleteUnconfirmed(limit));
  }
}
