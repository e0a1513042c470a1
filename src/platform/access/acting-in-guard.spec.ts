import { ExecutionContext } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { attachContext, Caller, RequestContext } from '../context';
import { ProblemError } from '../errors';
import { AllowWhileActing, Authenticated, RequirePermission, RequireRecentLogin } from './policy';
import { AccessGuard } from './access.guard';
import { SecondFactorPolicy } from './access.ports';
import { ClientAuthenticatorService } from './client-authenticator.service';
import { PendingDutiesService } from './pending-duties.service';
import { RecentLoginService } from './recent-login.service';
import { RoutePermissionsService } from './route-permissions.service';
import { UserAdmissionService } from './user-admission.service';
import { fake } from '../../../test/support/service/fake';

class Routes {
  @Authenticated()
  own(): void {}

  @Authenticated()
  @AllowWhileActing()
  allowed(): void {}

  @Authenticated()
  @RequireRecentLogin()
  recent(): void {}

  @Authenticated()
  @AllowWhileActing()
  @RequireRecentLogin()
  allowedRecent(): void {}

  @RequirePermission('one:update')
  permitted(): void {}
}

const ACTING = {
  userId: 'ann',
  actor: { userId: 'sam', username: 'sam', sessionId: 'own' },
  recentLogin: true,
  recentSecondFactor: true,
} as Caller;

const permissions = {
  isGranted: () => false,
  describe: (permission: string) => ({ permission, scope: 'iam' }),
};

const organizations = { isMember: () => false, isOpenTo: () => true, acceptsLogin: () => true };

describe('AccessGuard with a user who acts as another', () => {
  let counted: string[];

  async function enter(handler: keyof Routes, kind: string, method: string): Promise<string> {
    const secondFactors = fake<SecondFactorPolicy>({ isEnrolmentDue: () => false });
    const request = { method, params: {}, headers: {} };
    attachContext(request, {} as RequestContext);
    const execution = fake<ExecutionContext>({
      getClass: () => Routes,
      getHandler: () => Routes.prototype[handler],
      getType: () => kind,
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({}) }),
    });
    const guard = new AccessGuard(
      new Reflector(),
      {} as ModuleRef,
      new UserAdmissionService(
        { authenticate: () => ACTING },
        secondFactors,
        organizations,
        new PendingDutiesService(secondFactors),
      ),
      new ClientAuthenticatorService({ authenticate: async () => undefined }, permissions),
      new RoutePermissionsService(permissions, organizations),
      new RecentLoginService(secondFactors),
      {
        count: async (subject) => {
          counted.push(subject);
        },
      },
    );
    try {
      return String(await guard.canActivate(execution));
    } catch (error) {
      if (error instanceof ProblemError) return error.code;
      throw error;
    }
  }

  beforeEach(() => {
    counted = [];
  });

  it.each<[keyof Routes, string, string, string]>([
    ['own', 'http', 'GET', 'true'],
    ['own', 'http', 'HEAD', 'true'],
    ['own', 'http', 'POST', 'acting_restricted'],
    ['own', 'http', 'PURGE', 'acting_restricted'],
    ['own', 'ws', 'GET', 'acting_restricted'],
    ['own', 'graphql', 'GET', 'acting_restricted'],
    ['allowed', 'http', 'POST', 'true'],
    ['allowed', 'ws', 'GET', 'true'],
    ['recent', 'http', 'GET', 'acting_restricted'],
    ['allowedRecent', 'http', 'POST', 'acting_restricted'],
    ['permitted', 'http', 'POST', 'acting_restricted'],
    ['permitted', 'http', 'GET', 'permission_denied'],
  ])('denies changes in the name of another: %s by %s %s returns %s', async (handler, kind, method, outcome) => {
    expect(await enter(handler, kind, method)).toBe(outcome);
    expect(counted).toEqual([]);
  });
});
