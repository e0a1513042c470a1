import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { MfaModule } from '../mfa';
import { OAuthModule } from '../oauth';
import { OrganizationDomainsModule } from '../organizations/domains';
import { Feature } from '../platform/feature';
import { OrganizationsModule } from '../organizations';
import { RbacModule } from '../rbac';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import { AccountExportService } from './account-export.service';
import { AccountImportService } from './account-import.service';
import { CsvImportService } from './csv-import.service';
import { ExportRepository } from './export.repository';
import { ImportWriterService } from './import-writer.service';
import { ImportRepository } from './import.repository';
import { ImportedCredentialsService } from './imported-credentials.service';
import { ImportedMembershipsService } from './imported-memberships.service';
import { ImportedOrganizationMembersService } from './imported-organization-members.service';
import { ImportedOrganization } from './imported-organization.entity';
import { ImportedOrganizationRepository } from './imported-organization.repository';
import { ImportedPasswordsService } from './imported-passwords.service';
import { ImportedUser } from './imported-user.entity';
import { UserImportController } from './user-import.controller';

const shared = [AccountImportService, AccountExportService];

@Module({
  imports: [
    AuditModule,
    SettingsModule,
    UsersModule,
    RbacModule,
    OrganizationsModule,
    OrganizationDomainsModule,
    MfaModule,
    OAuthModule,
  ],
  controllers: [UserImportController],
  providers: [
    ...shared,
    CsvImportService,
    ImportRepository,
    ExportRepository,
    ImportedPasswordsService,
    ImportedCredentialsService,
    ImportedOrganizationRepository,
    ImportedOrganizationMembersService,
    ImportedMembershipsService,
    ImportWriterService,
  ],
  exports: shared,
})
export class ImportExportModule {}

export const importExportFeature: Feature = {
  module: ImportExportModule,
  entities: [ImportedUser, ImportedOrganization],
};
