import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { RepositoriesModule } from '../platform/database';
import { Feature } from '../platform/feature';
import { RbacModule } from '../rbac';
import { SessionModule } from '../session';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import { FactorChangesService } from './factor-changes.service';
import { FactorCache } from './factor.cache';
import { FactorRepository } from './factor.repository';
import { FactorsController } from './factors.controller';
import { FactorsService } from './factors.service';
import { ImportedFactorsService } from './imported-factors.service';
import { MfaCleanupJob } from './mfa-cleanup.job';
import { Passkey, PasskeyChallenge, MfaSession, RecoverySet, TotpFactor, TrustedDevice } from './mfa.entities';
import { PasskeyCeremoniesService } from './passkey-ceremonies.service';
import { PasskeyRepository } from './passkey.repository';
import { PasskeysController } from './passkeys.controller';
import { PasskeysService } from './passkeys.service';
import { MfaSessionRepository } from './mfa-session.repository';
import { MfaSessionsService } from './mfa-sessions.service';
import { RecoveryCodesService } from './recovery-codes.service';
import { MfaStatusService } from './mfa-status.service';
import { SecondFactorsService } from './second-factors.service';
import { TotpCodesService } from './totp-codes.service';
import { TotpFactorsService } from './totp-factors.service';
import { TotpSecretsService } from './totp-secrets.service';
import { TrustedDeviceRepository } from './trusted-device.repository';
import { TrustedDevicesService } from './trusted-devices.service';

const storage = [FactorRepository, PasskeyRepository, MfaSessionRepository, TrustedDeviceRepository, FactorCache];
const inner = [
  FactorChangesService,
  RecoveryCodesService,
  TotpCodesService,
  TotpFactorsService,
  PasskeyCeremoniesService,
  TotpSecretsService,
  MfaCleanupJob,
];
const shared = [
  FactorsService,
  ImportedFactorsService,
  PasskeysService,
  SecondFactorsService,
  MfaStatusService,
  MfaSessionsService,
  TrustedDevicesService,
];

/** Second factors and passkeys. */
@Module({
  imports: [
    RepositoriesModule.forFeature([Passkey, PasskeyChallenge, TrustedDevice, TotpFactor, RecoverySet, MfaSession]),
    AuditModule,
    SettingsModule,
    UsersModule,
    RbacModule,
    SessionModule,
  ],
  controllers: [FactorsController, PasskeysController],
  providers: [...storage, ...inner, ...shared],
  exports: shared,
})
export class MfaModule {}

export const mfaFeature: Feature = {
  module: MfaModule,
  entities: [TotpFactor, RecoverySet, Passkey, PasskeyChallenge, MfaSession, TrustedDevice],
  tags: { 'Second factors': 'Own authenticator app, passkeys, recovery codes and trusted browsers' },
};
