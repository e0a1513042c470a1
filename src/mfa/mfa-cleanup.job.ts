import { Injectable, OnModuleInit } from '@nestjs/common';
import { inBatches, Scheduler } from '../platform/jobs';
import { FactorRepository } from './factor.repository';
import { MAX_TRUSTED_DAYS } from './mfa.settings';
import { PasskeyRepository } from './passkey.repository';
import { MfaSessionRepository } from './mfa-session.repository';
import { TrustedDeviceRepository } from './trusted-device.repository';

const EVERY_SECONDS = 600;

/** Deletes expired rows in small batches to keep locks short. */
@Injectable()
export class MfaCleanupJob implements OnModuleInit {
  constructor(
    private readonly factors: FactorRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly logins: MfaSessionRepository,
    private readonly devices: TrustedDeviceRepository,
    private readonly jobs: Scheduler,
  ) {}

  onModuleInit(): void {
    this.jobs.every(EVERY_SECONDS, { name: 'expired MFA data', run: () => this.clean() });
  }

  async clean(): Promise<void> {
    await inBatches((limit) => this.passkeys.deleteExpiredChallenges(limit));
    await inBatches((limit) => this.logins.deleteExpired(limit));
    await inBatches((limit) => this.devices.deleteOld(MAX_TRUSTED_DAYS, limit));
    await inBatches((limit) => this.factors.deleteUnconfirmed(limit));
  }
}
