import { Global, Injectable, Module } from '@nestjs/common';
import { BruteForceGuardService, LoginModule } from './login';
import { MfaModule, SecondFactorAttempts, MfaStatusService } from './mfa';
import {
  CallerAuthenticator,
  FullAuthority,
  OAuthClientAuthenticator,
  ClientAuthenticatorService,
  PermissionChecker,
  RecentLoginService,
  SecondFactorPolicy,
  UserAdmissionService,
  WriteLimit,
} from './platform/access';
import { ClientOrigins, RateLimiterService } from './platform/http';
import { SettingsReader } from './platform/settings';
import { ClientGrantsService, ClientCache, ClientTokenService, AuthorizationServerModule } from './oauth';
import {
  adminWritesPerMinutePerUser,
  PrivilegeEscalationGuardService,
  everythingIn,
  OwnedClientGrants,
  PermissionsService,
  RbacModule,
  WILDCARD,
} from './rbac';
import { SessionAuthenticatorService, SessionModule } from './session';
import { SettingsModule, SettingsService } from './settings';

const LIMIT = { setting: adminWritesPerMinutePerUser, windowSeconds: 60 };

@Injectable()
class AdminWriteLimitService extends WriteLimit {
  constructor(private readonly limiter: RateLimiterService) {
    super();
  }

  count(subject: string): Promise<void> {
    return this.limiter.count(LIMIT, subject);
  }
}

@Injectable()
class FullAuthorityService extends FullAuthority {
  constructor(private readonly escalationGuard: PrivilegeEscalationGuardService) {
    super();
  }

  isHeldBy(userId: string, target: { readonly type: string; readonly id: string }): Promise<boolean> {
    return this.escalationGuard.covers({ userId }, [everythingIn(WILDCARD)], target);
  }
}

const ports = [
  { provide: SettingsReader, useExisting: SettingsService },
  { provide: CallerAuthenticator, useExisting: SessionAuthenticatorService },
  { provide: OAuthClientAuthenticator, useExisting: ClientTokenService },
  { provide: PermissionChecker, useExisting: PermissionsService },
  { provide: SecondFactorPolicy, useExisting: MfaStatusService },
  { provide: SecondFactorAttempts, useExisting: BruteForceGuardService },
  { provide: FullAuthority, useClass: FullAuthorityService },
  { provide: WriteLimit, useClass: AdminWriteLimitService },
  { provide: ClientOrigins, useExisting: ClientCache },
  { provide: OwnedClientGrants, useExisting: ClientGrantsService },
];

/**
 * Binds the platform's ports to the features that implement them. Global, because the guard of each controller needs
 * them and the features that implement them have controllers.
 */
@Global()
@Module({
  imports: [SettingsModule, SessionModule, RbacModule, MfaModule, LoginModule, AuthorizationServerModule],
  providers: [...ports, UserAdmissionService, ClientAuthenticatorService, RecentLoginService],
  exports: [
    ...ports.map(({ provide }) => provide),
    UserAdmissionService,
    ClientAuthenticatorService,
    RecentLoginService,
  ],
})
export class AccessModule {}
