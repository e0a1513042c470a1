import { DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';
import { migrations } from '#migrations';
import { AccessModule } from './access.module';
import { AuditApiModule, AuditEvent, AuditModule } from './audit';
import { AuthModule, AuthParts } from './auth';
import { DirectoryModule } from './directory';
import { DoctorModule } from './doctor';
import { HostPartsModule } from './host-parts.module';
import { IdentityAsyncOptions, IdentityExtensions, IdentityOptions } from './identity.options';
import { InfoModule } from './info';
import { Lifecycle } from './lifecycle';
import {
  BindTicketRow,
  Identity,
  IdentitySubject,
  LoginProvider,
  LoginProvidersModule,
  LoginState,
  OAuthModule,
} from './oauth';
import { MfaModule, Passkey, PasskeyChallenge, PendingLogin, RecoverySet, TotpFactor, TrustedDevice } from './mfa';
import { RouteAudit } from './platform/access';
import { SigningKey } from './platform/crypto';
import { Schema } from './platform/database';
import { HealthModule } from './platform/health';
import { HttpModule } from './platform/http';
import { PlatformModule } from './platform/platform.module';
import { LogoutNoticeRow, OAuthArtifact, OAuthClient, OAuthConsent, ProviderModule } from './provider';
import { CatalogueEntry, RbacModule, Role, RoleGrant, UserGrant, UserRole } from './rbac';
import { LoginMethodRow, Session, SessionModule } from './session';
import { SettingHistoryRow, SettingRow, SettingsModule } from './settings';
import { ActivityHour, StatisticsModule } from './statistics';
import { ImportedUser, TransferModule } from './transfer';
import { AvatarGenerator, IdenticonGenerator, User, UsersModule } from './users';
import {
  Delivery,
  MessageTemplateVersion,
  VerificationCode,
  VerificationModule,
  VerificationTarget,
} from './verification';

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
    TotpFactor,
    RecoverySet,
    Passkey,
    PasskeyChallenge,
    PendingLogin,
    TrustedDevice,
    AuditEvent,
    LoginProvider,
    OAuthClient,
    VerificationCode,
    VerificationTarget,
    OAuthArtifact,
    OAuthConsent,
    LogoutNoticeRow,
    Delivery,
    MessageTemplateVersion,
    Identity,
    IdentitySubject,
    LoginState,
    BindTicketRow,
    ActivityHour,
    ImportedUser,
  ],
  migrations,
};

const ONE_ALONE = Symbol('castellan.one_alone');

function platform({ passwordHasher, cache }: IdentityExtensions, host: DynamicModule): DynamicModule {
  return PlatformModule.register({ schema, ...(passwordHasher && { passwordHasher }), ...(cache && { cache }) }, host);
}

function authParts({ avatarGenerator, loginMethods = [] }: IdentityExtensions): AuthParts {
  return {
    providers: [{ provide: AvatarGenerator, useClass: avatarGenerator ?? IdenticonGenerator }],
    loginMethods,
  };
}

/** The features, each given those to its left that it builds on. */
function features(extensions: IdentityExtensions, host: DynamicModule): DynamicModule[] {
  const base = platform(extensions, host);
  const audit = AuditModule.register(base);
  const settings = SettingsModule.register(base, audit);
  const auditApi = AuditApiModule.register(base, audit, settings);
  const http = HttpModule.register(base, settings);
  const health = HealthModule.register(base);
  const users = UsersModule.register(base, audit, settings);
  const rbac = RbacModule.register(base, audit, settings, users);
  const session = SessionModule.register(base, audit, settings, http, users);
  const verification = VerificationModule.register(extensions, base, audit, settings, http, users, rbac, session);
  const accounts = [base, audit, settings, http, users, rbac, session] as const;
  const mfa = MfaModule.register(...accounts);
  const directory = DirectoryModule.register(base, audit, users, rbac, session, verification, mfa);
  const auth = AuthModule.register(authParts(extensions), ...accounts, verification, mfa);
  const loginProviders = LoginProvidersModule.register(extensions, base, audit, settings, rbac);
  const oauth = OAuthModule.register(base, audit, settings, http, users, session, auth, loginProviders);
  const provider = ProviderModule.register(base, audit, settings, http, users, rbac, session);
  const transfer = TransferModule.register(base, audit, settings, users, rbac, oauth);
  const statistics = StatisticsModule.register(base);
  const info = InfoModule.register(base, settings, session, verification, loginProviders);
  const doctor = DoctorModule.register(base, settings, verification, loginProviders);
  const access = AccessModule.register(base, http, rbac, session, mfa, provider);
  return [
    base,
    audit,
    settings,
    auditApi,
    http,
    health,
    users,
    rbac,
    session,
    verification,
    mfa,
    directory,
    auth,
    loginProviders,
    oauth,
    provider,
    transfer,
    statistics,
    info,
    doctor,
    access,
  ];
}

/** Two would be two services on the same routes and tables; the first thing to fail would name neither. */
function refuseSecond(modules: ModulesContainer): void {
  const ours = [...modules.values()].filter(({ metatype }) => metatype === IdentityModule);
  if (ours.length > 1) {
    throw new Error(
      'IdentityModule.forRoot is imported twice: import it once, and what it exports is known everywhere',
    );
  }
}

/**
 * Castellan as a module. A host imports `IdentityModule.forRoot()` and calls `installHttp(app)`; the standalone server is
 * only the first such host.
 */
@Module({})
export class IdentityModule {
  static forRoot({ imports = [], extensions = {}, ...values }: IdentityOptions = {}): DynamicModule {
    return IdentityModule.forRootAsync({ imports, extensions, useFactory: () => values });
  }

  /**
   * As `forRoot`, with what the host knows only while it starts: environment, log and the like come from a factory, which
   * may ask providers of `imports`. What decides which modules there are, `extensions`, is given at once.
   */
  static forRootAsync({ imports = [], extensions = {}, ...factory }: IdentityAsyncOptions): DynamicModule {
    const modules = features(extensions, HostPartsModule.register(factory, imports));
    return {
      module: IdentityModule,
      // Hosts use our guard and services in their own modules; nothing of theirs is touched by seeing ours.
      global: true,
      imports: [DiscoveryModule, ...modules],
      providers: [Lifecycle, RouteAudit, { provide: ONE_ALONE, inject: [ModulesContainer], useFactory: refuseSecond }],
      exports: modules,
    };
  }
}
