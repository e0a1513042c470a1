import { Module } from '@nestjs/common';
import { UsersModule } from '../../../users';
import { OAuthStorageModule } from '../storage/oauth-storage.module';
import { OAuthClientsModule } from '../clients/oauth-clients.module';
import { OAuthClaimsModule } from '../claims/oauth-claims.module';
import { OAuthConsentsModule } from '../consents/oauth-consents.module';
import { OAuthEngineModule } from '../engine/oauth-engine.module';
import { InteractionsService } from './interactions.service';

/** What the login and consent pages show and decide. */
@Module({
  imports: [
    UsersModule,
    OAuthStorageModule,
    OAuthClientsModule,
    OAuthClaimsModule,
    OAuthConsentsModule,
    OAuthEngineModule,
  ],
  providers: [InteractionsService],
  exports: [InteractionsService],
})
export class OAuthInteractionsModule {}
