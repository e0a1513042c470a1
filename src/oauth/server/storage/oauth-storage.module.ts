import { Module } from '@nestjs/common';
import { RepositoriesModule } from '../../../platform/database';
import { OAuthCoreModule } from '../core/oauth-core.module';
import { DerivedRefreshTokensService } from './derived-refresh-tokens.service';
import { LogoutNoticeRepository } from './logout-notice.repository';
import { OidcModel } from './oidc-model.entity';
import { OidcModelRepository } from './oidc-model.repository';
import { PendingLogoutNotice } from './pending-logout-notice.entity';

const services = [OidcModelRepository, DerivedRefreshTokensService, LogoutNoticeRepository];

/** What the library stores, and pending logout notifications. */
@Module({
  imports: [RepositoriesModule.forFeature([OidcModel, PendingLogoutNotice]), OAuthCoreModule],
  providers: services,
  exports: services,
})
export class OAuthStorageModule {}
