import { Module } from '@nestjs/common';
import { OAuthModule } from '../../oauth';
import { Feature } from '../../platform/feature';
import { RbacModule } from '../../rbac';
import { SessionModule } from '../../session';
import { AssertionsController } from './assertions.controller';
import { ChangeStreamsService } from './change-streams.service';
import { ClientOnlyGuard } from './client-only.guard';
import { GuardRegistrationService } from './guard-registration.service';
import { GuardedServicesService } from './guarded-services.service';
import { ServiceAssertionsService } from './service-assertions.service';
import { SessionChecksService } from './session-checks.service';
import { RemoteGuardController } from './remote-guard.controller';

/** Serves the guards that other services have in their process (`castellan/guard`). */
@Module({
  imports: [OAuthModule, RbacModule, SessionModule],
  controllers: [RemoteGuardController, AssertionsController],
  providers: [
    ClientOnlyGuard,
    ChangeStreamsService,
    GuardedServicesService,
    GuardRegistrationService,
    ServiceAssertionsService,
    SessionChecksService,
  ],
})
export class RemoteGuardModule {}

export const remoteGuardFeature: Feature = {
  module: RemoteGuardModule,
  tags: {
    'Guards of other services':
      'Sessions and permissions, checked for the guards of other services, and assertions for them',
  },
};
