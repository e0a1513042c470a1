import { Module } from '@nestjs/common';
import { AuditModule } from '../../../audit';
import { OAuthStorageModule } from '../storage/oauth-storage.module';
import { OAuthClientsModule } from '../clients/oauth-clients.module';
import { OAuthClaimsModule } from '../claims/oauth-claims.module';
import { ConsentsService } from './consents.service';
import { GrantsService } from './grants.service';

const services = [ConsentsService, GrantsService];

/** The consents of users, and the grants derived from them. */
@Module({
  imports: [AuditModule, OAuthStorageModule, OAuthClientsModule, OAuthClaimsModule],
  providers: services,
  exports: services,
})
export class OAuthConsentsModule {}
