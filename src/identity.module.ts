import { DynamicModule, Module, Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { migrations } from '#migrations';
import { AccessModule } from './access.module';
import { AuditApiModule, AuditEvent, AuditModule } from './audit';
import { ANNOUNCE_ADMINISTRATOR, AnnounceAdministrator, AuthModule } from './auth';
import { DirectoryModule } from './directory';
import { IdentityExtensions, IdentityOptions } from './identity.options';
import { InfoModule } from './info';
import { Lifecycle } from './lifecycle';
import { RouteAudit } from './platform/access';
import { readEnvironment } from './platform/config';
import { SigningKey } from './platform/crypto';
import { Schema } from './platform/database';
import { HealthModule } from './platform/health';
import { HttpModule } from './platform/http';
import { PlatformModule } from './platform/platform.module';
import { CatalogueEntry, RbacModule, Role, RoleGrant, UserGrant, UserRole } from './rbac';
import { LoginMethodRow, Session, SessionModule } from './session';
import { SettingHistoryRow, SettingRow, SettingsModule } from './settings';
import { AvatarGenerator, IdenticonGenerator, User, UsersModule } from './users';

export const schema: Schema = {
  entities: [
    User,
    Role,
    RoleGrant,
    UserRole,
    UserGrant,
    CatalogueEntry,
    Session,
    SigningKey,
    SettingRow,
    SettingHistoryRow,
    LoginMethodRow,
    AuditEvent,
  ],
  migrations,
};

/* eslint-disable no-console -- a generated password is printed for a person to read, and must not pass through the log */
const printAdministrator: AnnounceAdministrator = ({ username, password }) => {
  console.log(`\n  First administrator   ${username}\n  Password              ${password}\n  (printed once)\n`);
};
/* eslint-enable no-console */

function platform({ environment, extensions = {}, log, embeddedDatabase }: IdentityOptions): DynamicModule {
  const { passwordHasher, cache } = extensions;
  return PlatformModule.register({
    environment: readEnvironment(environment),
    schema,
    ...(log && { log }),
    ...(embeddedDatabase && { embedded: embeddedDatabase }),
    ...(passwordHasher && { passwordHasher }),
    ...(cache && { cache }),
  });
}

function avatarProvider({ avatarGenerator }: IdentityExtensions): Provider {
  return { provide: AvatarGenerator, useClass: avatarGenerator ?? IdenticonGenerator };
}

/** The features, each given those to its left that it builds on. */
function features(options: IdentityOptions): DynamicModule[] {
  const { extensions = {}, onFirstAdministrator = printAdministrator } = options;
  const base = platform(options);
  const audit = AuditModule.register(base);
  const settings = SettingsModule.register(base, audit);
  const auditApi = AuditApiModule.register(base, audit, settings);
  const http = HttpModule.register(base, settings);
  const health = HealthModule.register(base);
  const users = UsersModule.register(base, settings);
  const rbac = RbacModule.register(base, audit, settings, users);
  const session = SessionModule.register(base, audit, settings, http, users);
  const directory = DirectoryModule.register(base, audit, users, rbac, session);
  const auth = AuthModule.register(
    {
      providers: [avatarProvider(extensions), { provide: ANNOUNCE_ADMINISTRATOR, useValue: onFirstAdministrator }],
      loginMethods: extensions.loginMethods ?? [],
    },
    base,
    audit,
    settings,
    http,
    users,
    rbac,
    session,
  );
  const info = InfoModule.register(base, settings, session);
  const access = AccessModule.register(base, http, rbac, session);
  return [base, audit, settings, auditApi, http, health, users, rbac, session, directory, auth, info, access];
}

/**
 * Castellan as a module. A host imports `IdentityModule.forRoot()` and calls `installHttp(app)`; the standalone server is
 * only the first such host.
 */
@Module({})
export class IdentityModule {
  static forRoot(options: IdentityOptions = {}): DynamicModule {
    const modules = features(options);
    return {
      module: IdentityModule,
      // Hosts use our guard and services in their own modules; nothing of theirs is touched by seeing ours.
      global: true,
      imports: [DiscoveryModule, ...modules],
      providers: [Lifecycle, RouteAudit],
      exports: modules,
    };
  }
}
