import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { MfaModule } from '../../mfa';
import { OAuthModule } from '../../oauth';
import { Feature } from '../../platform/feature';
import { OrganizationsModule } from '../../organizations';
import { RbacModule } from '../../rbac';
import { SessionModule } from '../../session';
import { UsersModule } from '../../users';
import { OwnActivityService } from './own-activity.service';
import { OwnDataController } from './own-data.controller';
import { OwnDataExportService } from './own-data-export.service';
import { OwnLoginsService } from './own-logins.service';
import { OwnRightsService } from './own-rights.service';

@Module({
  imports: [AuditModule, UsersModule, RbacModule, OrganizationsModule, SessionModule, MfaModule, OAuthModule],
  controllers: [OwnDataController],
  providers: [OwnActivityService, OwnLoginsService, OwnRightsService, OwnDataExportService],
})
export class OwnDataModule {}

export const ownDataFeature: Feature = { module: OwnDataModule };
