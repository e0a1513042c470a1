import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { RepositoriesModule } from '../platform/database';
import { Feature } from '../platform/feature';
import { RbacModule } from '../rbac';
import { SettingsModule } from '../settings';
import { UserAdminModule } from '../user-admin';
import { UsersModule } from '../users';
import { AuditApi } from './audit.api';
import { DeclarationsService } from './declarations/declarations.service';
import { DeclaredAttributesService } from './declarations/declared-attributes.service';
import { DeclaredPermissionsService } from './declarations/declared-permissions.service';
import { DeclaredRolesService } from './declarations/declared-roles.service';
import { DeclaredSettingsService } from './declarations/declared-settings.service';
import { HostDeclaration } from './declarations/host-declaration.entity';
import { HostDeclarationRepository } from './declarations/host-declaration.repository';
import { HostActsService } from './host-acts.service';
import { PermissionsApi } from './permissions.api';
import { SessionsApi } from './sessions.api';
import { SettingsApi } from './settings.api';
import { UsersApi } from './users.api';

const declarations = [
  DeclaredAttributesService,
  DeclaredPermissionsService,
  DeclaredRolesService,
  DeclaredSettingsService,
  DeclarationsService,
  HostDeclarationRepository,
];
const apis = [UsersApi, SessionsApi, PermissionsApi, SettingsApi, AuditApi];

/** What the code of the application that embeds the service declares, and calls without HTTP. */
@Module({
  imports: [
    RepositoriesModule.forFeature([HostDeclaration]),
    AuditModule,
    SettingsModule,
    UsersModule,
    RbacModule,
    UserAdminModule,
  ],
  providers: [HostActsService, ...declarations, ...apis],
  exports: apis,
})
export class HostApiModule {}

export const hostApiFeature: Feature = { module: HostApiModule, entities: [HostDeclaration] };
