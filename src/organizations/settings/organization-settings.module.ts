import { Module } from '@nestjs/common';
import { Feature } from '../../platform/feature';
import { OrganizationsModule } from '../organizations.module';
import { RbacModule } from '../../rbac';
import { AcceptedLoginsService } from './accepted-logins.service';
import { LimitingOrganizationRepository } from './limiting-organization.repository';
import { OrganizationSettingsController } from './organization-settings.controller';
import { WaysInService } from './ways-in.service';

/** The settings of organizations, over HTTP. */
@Module({
  imports: [RbacModule, OrganizationsModule],
  controllers: [OrganizationSettingsController],
  providers: [AcceptedLoginsService, LimitingOrganizationRepository, WaysInService],
  exports: [WaysInService],
})
export class OrganizationSettingsModule {}

export const organizationSettingsFeature: Feature = {
  module: OrganizationSettingsModule,
};
