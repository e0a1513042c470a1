import { Module } from '@nestjs/common';
import { RepositoriesModule } from '../../../platform/database';
import { AuditModule } from '../../../audit';
import { OrganizationsModule } from '../../../organizations';
import { RbacModule } from '../../../rbac';
import { UsersModule } from '../../../users';
import { OAuthStorageModule } from '../storage/oauth-storage.module';
import { AccessIdsService } from './access-ids.service';
import { ClaimAttributesService } from './claim-attributes.service';
import { ClientAccessService } from './client-access.service';
import { ClientCreationService } from './client-creation.service';
import { ClientDelegationService } from './client-delegation.service';
import { ClientDeletionService } from './client-deletion.service';
import { ClientGrantsService } from './client-grants.service';
import { ClientInputService } from './client-input.service';
import { ClientOrganizationsService } from './client-organizations.service';
import { ClientScopesService } from './client-scopes.service';
import { ClientSecretsService } from './client-secrets.service';
import { ClientSetUpService } from './client-set-up.service';
import { ClientTrustService } from './client-trust.service';
import { ClientUsageService } from './client-usage.service';
import { ClientCache } from './client.cache';
import { OAuthClient } from './client.entity';
import { ClientRepository } from './client.repository';
import { ClientsService } from './clients.service';
import { OAuthConsent } from './consent.entity';
import { ConsentRepository } from './consent.repository';

const shared = [
  ClientGrantsService,
  ClientTrustService,
  ClientRepository,
  ClientCache,
  ClientUsageService,
  ClientSecretsService,
  ClientScopesService,
  ClientAccessService,
  ClientOrganizationsService,
  ClientCreationService,
  ClientsService,
  ClientDeletionService,
  ConsentRepository,
];

/** Clients, with the scopes that users have granted to them. */
@Module({
  imports: [
    RepositoriesModule.forFeature([OAuthClient, OAuthConsent]),
    AuditModule,
    UsersModule,
    RbacModule,
    OrganizationsModule,
    OAuthStorageModule,
  ],
  providers: [
    ...shared,
    AccessIdsService,
    ClaimAttributesService,
    ClientSetUpService,
    ClientInputService,
    ClientDelegationService,
  ],
  exports: shared,
})
export class OAuthClientsModule {}
