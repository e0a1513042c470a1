import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { UsersModule } from '../../users';
import { CatalogueRegistrationService } from './catalogue-registration.service';
import { CatalogueService } from './catalogue.service';
import { DirectGrantsService } from './direct-grants.service';
import { OrganizationDirectGrantsService } from './organization-direct-grants.service';
import { PermissionChecksService } from './permission-checks.service';
import { PermissionsController } from './permissions.controller';
import { UserAuthorityController } from './user-authority.controller';
import { UserGrantsService } from './user-grants.service';
import { VerifyController } from './verify.controller';
import { PermissionModule } from '../permission/permission.module';
import { GrantsModule } from '../grants/grants.module';
import { EscalationModule } from '../escalation/escalation.module';
import { RolesModule } from '../roles/roles.module';

/** What a user may do, checks of it, and the catalogue over HTTP. */
@Module({
  imports: [AuditModule, UsersModule, PermissionModule, GrantsModule, EscalationModule, RolesModule],
  controllers: [UserAuthorityController, PermissionsController, VerifyController],
  providers: [
    OrganizationDirectGrantsService,
    DirectGrantsService,
    CatalogueService,
    CatalogueRegistrationService,
    PermissionChecksService,
    UserGrantsService,
  ],
  exports: [CatalogueService, CatalogueRegistrationService, PermissionChecksService, UserGrantsService],
})
export class AuthorityModule {}
