import { Module } from '@nestjs/common';
import { AuditModule } from '../../../audit';
import { OrganizationsModule } from '../../../organizations';
import { RbacModule } from '../../../rbac';
import { UsersModule } from '../../../users';
import { OAuthClientsModule } from '../clients/oauth-clients.module';
import { AccessRejectionsService } from './access-rejections.service';
import { ClaimValuesService } from './claim-values.service';
import { ClientAdmissionService } from './client-admission.service';
import { ClientPreviewService } from './client-preview.service';
import { MappedClaimsService } from './mapped-claims.service';
import { OrganizationAdmissionService } from './organization-admission.service';
import { OrganizationChoiceService } from './organization-choice.service';
import { OrganizationClaimsService } from './organization-claims.service';
import { RequestedOrganizationService } from './requested-organization.service';

/** Which users may use a client, and what their tokens contain. */
@Module({
  imports: [AuditModule, UsersModule, RbacModule, OrganizationsModule, OAuthClientsModule],
  providers: [
    AccessRejectionsService,
    ClientAdmissionService,
    ClaimValuesService,
    MappedClaimsService,
    OrganizationAdmissionService,
    OrganizationChoiceService,
    OrganizationClaimsService,
    RequestedOrganizationService,
    ClientPreviewService,
  ],
  exports: [
    AccessRejectionsService,
    ClientAdmissionService,
    MappedClaimsService,
    OrganizationChoiceService,
    OrganizationClaimsService,
    RequestedOrganizationService,
    ClientPreviewService,
  ],
})
export class OAuthClaimsModule {}
