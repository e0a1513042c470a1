import { DynamicModule, Module } from '@nestjs/common';
import { FactorChanges } from './factor-change';
import { FactorState } from './factor-state';
import { FactorRepository } from './factor.repository';
import { FactorsController } from './factors.controller';
import { Factors } from './factors.service';
import { MfaCleaner } from './mfa-cleaner';
import { PasskeyCeremonies } from './passkey-ceremonies';
import { PasskeyRepository } from './passkey.repository';
import { PasskeysController } from './passkeys.controller';
import { Passkeys } from './passkeys.service';
import { PendingLoginRepository } from './pending-login.repository';
import { PendingLogins } from './pending-logins.service';
import { RecoveryCodes } from './recovery-codes.service';
import { SecondFactorStandings } from './second-factor-standing';
import { SecondFactors } from './second-factors.service';
import { TotpFactors } from './totp-factors.service';
import { TotpSecrets } from './totp-secrets';
import { TrustedDeviceRepository } from './trusted-device.repository';
import { TrustedDevices } from './trusted-devices.service';

const storage = [FactorRepository, PasskeyRepository, PendingLoginRepository, TrustedDeviceRepository, FactorState];
const inner = [FactorChanges, RecoveryCodes, TotpFactors, PasskeyCeremonies, TotpSecrets, MfaCleaner];
const shared = [Factors, Passkeys, SecondFactors, SecondFactorStandings, PendingLogins, TrustedDevices];

/** What a login asks for beside its first proof, and passkeys. */
@Module({})
export class MfaModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: MfaModule,
      imports,
      controllers: [FactorsController, PasskeysController],
      providers: [...storage, ...inner, ...shared],
      exports: shared,
    };
  }
}
