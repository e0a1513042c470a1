import { Module } from '@nestjs/common';
import { Feature } from '../../platform/feature';
import { OrganizationsModule } from '../organizations.module';
import { RbacModule } from '../../rbac';
import { AcceptedLoginsService } from './accepted-logins.service';
import { OrganizationSettingsController } from './organization-settings.controller';

/** The settings of organisations, over HTTP. */
@Module({
  imports: [RbacModule, OrganizationsModule],
  controllers: [OrganizationSettingsController],
  providers: [AcceptedLoginsService],
})
export class OrganizationSettingsModule {}

export const organizationSettingsFeature: Feature = {
  module: OrganizationSettingsModule,
};
