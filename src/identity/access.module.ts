import { Global, Module } from '@nestjs/common';
import { BruteForceGuardService, LoginModule } from '../auth/login';
import { MfaModule, SecondFactorAttempts, MfaStatusService } from '../mfa';
import {
  ActingAuthority,
  CallerAuthenticator,
  FullAuthority,
  OAuthClientAuthenticator,
  OrganizationAccess,
  ClientAuthenticatorService,
  OrganizationReachService,
  PendingDutiesService,
  PermissionChecker,
  RecentLoginService,
  RoutePermissionsService,
  SecondFactorPolicy,
  UserAdmissionService,
  WriteLimit,
} from '../platform/access';
import { ClientOrigins } from '../platform/http';
import { SettingsReader } from '../platform/settings';
import {
  AuthorizationServerModule,
  ClientCache,
  ClientGrantsService,
  ClientTokenService,
  ClientTrustService,
  LoginProvidersModule,
  ServiceLoginsService,
} from '../oauth';
import {
  ActingAuthorityService,
  ApplicationTrust,
  AdminWriteLimitService,
  FullAuthorityService,
  OwnedClientGrants,
  PermissionsService,
  RbacModule,
} from '../rbac';
import { OrganizationAccessService, OrganizationsModule } from '../organizations';
import { ServiceLogins } from '../organizations/settings';
import { SessionAuthenticatorService, SessionModule } from '../session';
import { SettingsModule, SettingsService } from '../settings';

const ports = [
  { provide: SettingsReader, useExisting: SettingsService },
  { provide: CallerAuthenticator, useExisting: SessionAuthenticatorService },
  { provide: OAuthClientAuthenticator, useExisting: ClientTokenService },
  { provide: PermissionChecker, useExisting: PermissionsService },
  { provide: OrganizationAccess, useExisting: OrganizationAccessService },
  { provide: SecondFactorPolicy, useExisting: MfaStatusService },
  { provide: SecondFactorAttempts, useExisting: BruteForceGuardService },
  { provide: ActingAuthority, useExisting: ActingAuthorityService },
  { provide: FullAuthority, useExisting: FullAuthorityService },
  { provide: WriteLimit, useExisting: AdminWriteLimitService },
  { provide: ClientOrigins, useExisting: ClientCache },
  { provide: ServiceLogins, useExisting: ServiceLoginsService },
  { provide: OwnedClientGrants, useExisting: ClientGrantsService },
  { provide: ApplicationTrust, useExisting: ClientTrustService },
];

const services = [
  UserAdmissionService,
  ClientAuthenticatorService,
  OrganizationReachService,
  PendingDutiesService,
  RecentLoginService,
  RoutePermissionsService,
];

/**
 * Binds the platform's ports to the features that implement them. Global, because the guard of each controller needs
 * them and the features that implement them have controllers.
 */
@Global()
@Module({
  imports: [
    SettingsModule,
    SessionModule,
    RbacModule,
    OrganizationsModule,
    MfaModule,
    LoginModule,
    AuthorizationServerModule,
    LoginProvidersModule,
  ],
  providers: [...ports, ...services],
  exports: [...ports.map(({ provide }) => provide), ...services],
})
export class AccessModule {}
