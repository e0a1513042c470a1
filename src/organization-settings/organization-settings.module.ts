import { Module } from '@nestjs/common';
import { LoginModule } from '../login';
import { LoginProvidersModule } from '../oauth';
import { Feature } from '../platform/feature';
import { RbacModule } from '../rbac';
import { AcceptedLoginsService } from './accepted-logins.service';
import { OrganizationSettingsController } from './organization-settings.controller';

/** The settings of organisations, over HTTP. */
@Module({
  imports: [RbacModule, LoginModule, LoginProvidersModule],
  controllers: [OrganizationSettingsController],
  providers: [AcceptedLoginsService],
})
export class OrganizationSettingsModule {}

export const organizationSettingsFeature: Feature = {
  module: OrganizationSettingsModule,
};
