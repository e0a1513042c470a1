import { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { Observable, of } from 'rxjs';
import { attachContext, Caller, OAuthClientPrincipal, RequestContext } from '../context';
import { ProblemError } from '../errors';
import { MaybePromise } from '../maybe-promise';
import { AccessGuard } from './access.guard';
import {
  CallerAuthenticator,
  PermissionChecker,
  SecondFactorPolicy,
  SecondFactorStanding,
  WriteLimit,
} from './access.ports';
import { ClientAuthenticatorService } from './client-authenticator.service';
import { OwnedBy, OwnershipRule } from './ownership';
import {
  PreValidationGuards,
  AllowDuring,
  AllowClients,
  RequirePermission,
  Public,
  RequireRecentLogin,
  Authenticated,
} from './policy';
import { RecentLoginService } from './recent-login.service';
import { UserAdmissionService } from './user-admission.service';

const ANN = 'ann';
const things = new Map<string, string | null>([
  ['anns', ANN],
  ['bobs', 'bob'],
  ['nobodys', null],
]);

class ThingOwner extends OwnershipRule {
  async isOwner({ userId }: Caller, params: Readonly<Record<string, string>>): Promise<boolean> {
    return things.get(params['id'] ?? '') === userId;
  }
}

class Closed implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

class Observing implements CanActivate {
  canActivate(): Observable<boolean> {
    return of(true);
  }
}

class Routes {
  @OwnedBy(ThingOwner)
  @RequirePermission('thing:update')
  owned(): void {}

  @RequirePermission('one:update', 'two:update')
  both(): void {}

  @Authenticated()
  own(): void {}

  @Authenticated()
  @AllowDuring('mfa_enrolment')
  enrolment(): void {}

  @Authenticated()
  @AllowDuring('password_change')
  password(): void {}

  @Authenticated()
  @RequireRecentLogin({ factors: 1 })
  one(): void {}

  @Authenticated()
  @RequireRecentLogin()
  usual(): void {}

  @Authenticated()
  @RequireRecentLogin({ factors: 2 })
  two(): void {}

  @Authenticated()
  @RequireRecentLogin({ factors: 'enrolled' })
  enrolled(): void {}

  @Authenticated()
  @AllowClients('one:read', 'two:read')
  machines(): void {}

  @Authenticated()
  @AllowClients()
  anyMachine(): void {}

  @RequirePermission('one:update')
  @AllowClients('one:update')
  machinesWrite(): void {}

  @Public()
  @PreValidationGuards(Closed)
  closed(): void {}

  @RequirePermission('one:update')
  @PreValidationGuards(Closed)
  closedToOthers(): void {}

  @Public()
  @PreValidationGuards(Observing)
  observed(): void {}

  undeclared(): void {}
}

interface Trial {
  readonly held?: readonly string[];
  readonly method?: string;
  readonly id?: string;
  readonly as?: Partial<Caller>;
  readonly standing?: SecondFactorStanding;
  readonly machine?: OAuthClientPrincipal;
  readonly authorization?: string;
}

const NO_FACTOR = { isOffered: true, isRequired: false, isEnrolled: false };
const DUE = { isOffered: true, isRequired: true, isEnrolled: false };
const ENROLLED = { isOffered: true, isRequired: true, isEnrolled: true };
const OFF = { isOffered: false, isRequired: false, isEnrolled: true };

describe.each([
  { state: 'cached', answer: <T>(value: T): MaybePromise<T> => value },
  { state: 'loaded', answer: <T>(value: T): MaybePromise<T> => Promise.resolve(value) },
])('the access guard, the caller being $state', ({ answer }) => {
  let counted: string[];
  let answered: Record<string, string>;
  let context: RequestContext;

  async function enter(
    handler: keyof Routes,
    { held = [], method = 'GET', id = 'anns', as, standing = NO_FACTOR, machine, authorization }: Trial = {},
  ): Promise<string> {
    const caller = { userId: ANN, locale: null, mustChangePassword: false, recentLogin: true, ...as } as Caller;
    const authenticator: CallerAuthenticator = {
      authenticate: () => answer(caller),
    };
    const permissions: PermissionChecker = {
      isGranted: (_, permission) => answer(held.includes(permission)),
      describe: (permission) => ({ permission, scope: 'iam' }),
    };
    const writeLimit: WriteLimit = {
      count: async (userId) => {
        counted.push(userId);
      },
    };
    const secondFactors: SecondFactorPolicy = {
      of: async () => standing,
      isEnrolmentDue: () => answer(standing.isRequired && !standing.isEnrolled),
    };
    const request = { method, params: { id }, headers: { authorization } };
    context = {} as RequestContext;
    attachContext(request, context);
    const modules = { get: (rule: Type<OwnershipRule | CanActivate>) => new rule() } as unknown as ModuleRef;
    const header = (name: string, value: string): void => {
      answered[name] = value;
    };
    const execution = {
      getClass: () => Routes,
      getHandler: () => Routes.prototype[handler],
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({ header }) }),
    } as unknown as ExecutionContext;
    try {
      const guard = new AccessGuard(
        new Reflector(),
        modules,
        new UserAdmissionService(authenticator, secondFactors),
        new ClientAuthenticatorService({ authenticate: async () => machine }, permissions),
        permissions,
        new RecentLoginService(secondFactors),
        writeLimit,
      );
      return String(await guard.canActivate(execution));
    } catch (error) {
      if (error instanceof ProblemError) return `${error.code} ${error.params['permission'] ?? ''}`;
      throw error;
    }
  }

  beforeEach(() => {
    counted = [];
    answered = {};
  });

  it('asks what stands before the fields after who the caller is, also where anybody may call', async () => {
    expect(await enter('closed')).toBe('false');
    expect(await enter('closedToOthers')).toBe('permission_denied one:update');
    expect(await enter('closedToOthers', { held: ['one:update'] })).toBe('false');
  });

  it('takes no observable for a yes', async () => {
    expect(await enter('observed')).toBe('false');
  });

  it('is a defect where a route declares nothing', async () => {
    await expect(enter('undeclared')).rejects.toThrow('Routes.undeclared declares no access policy');
  });

  it.each([
    ['the owner without the permission', 'anns', [], 'true'],
    ['another without the permission', 'bobs', [], 'permission_denied thing:update'],
    ['another with the permission', 'bobs', ['thing:update'], 'true'],
    ['anybody, where there is no owner', 'nobodys', [], 'permission_denied thing:update'],
    ['anybody, where there is no such thing', 'unknown', [], 'permission_denied thing:update'],
  ])('answers %s', async (_, id, held, outcome) => {
    expect(await enter('owned', { id, held })).toBe(outcome);
  });

  it.each([
    [[], 'permission_denied one:update'],
    [['one:update'], 'permission_denied two:update'],
    [['two:update'], 'permission_denied one:update'],
    [['one:update', 'two:update'], 'true'],
  ])('asks for every permission a route names: holding %j', async (held, outcome) => {
    expect(await enter('both', { held })).toBe(outcome);
  });

  it.each<[keyof Routes, string, Partial<Caller>, SecondFactorStanding]>([
    ['own', 'mfa_enrolment_required ', {}, DUE],
    ['own', 'true', {}, ENROLLED],
    ['enrolment', 'true', {}, DUE],
    ['password', 'mfa_enrolment_required ', {}, DUE],
    // Each must not keep shut what the other opens.
    ['password', 'true', { mustChangePassword: true }, DUE],
    ['enrolment', 'password_change_required ', { mustChangePassword: true }, DUE],
  ])('leads through enrolment: %s gives %s as %j', async (handler, outcome, as, standing) => {
    expect(await enter(handler, { as, standing })).toBe(outcome);
  });

  it.each<[keyof Routes, string, Partial<Caller>, SecondFactorStanding]>([
    ['one', 'true', {}, ENROLLED],
    ['one', 'reauthentication_required ', { recentLogin: false, recentSecondFactor: true }, ENROLLED],
    ['two', 'reauthentication_required ', {}, ENROLLED],
    ['two', 'reauthentication_required ', { recentLogin: false, recentSecondFactor: true }, ENROLLED],
    ['two', 'true', { recentSecondFactor: true }, ENROLLED],
    ['two', 'mfa_enrolment_required ', {}, NO_FACTOR],
    ['two', 'true', {}, OFF],
    ['usual', 'reauthentication_required ', {}, ENROLLED],
    ['usual', 'true', { recentSecondFactor: true }, ENROLLED],
    ['usual', 'true', {}, NO_FACTOR],
    ['enrolled', 'reauthentication_required ', {}, ENROLLED],
    ['enrolled', 'true', { recentSecondFactor: true }, ENROLLED],
    ['enrolled', 'true', {}, NO_FACTOR],
  ])('asks for recent proofs: %s gives %s as %j', async (handler, outcome, as, standing) => {
    expect(await enter(handler, { as, standing })).toBe(outcome);
  });

  const machine = (...scopes: string[]): OAuthClientPrincipal => ({ id: 'record', clientId: 'client', scopes });

  it.each<[keyof Routes, string[], string, string | undefined]>([
    ['machines', ['one:read', 'two:read'], 'true', undefined],
    [
      'machines',
      ['one:read'],
      'permission_denied two:read',
      'Bearer error="insufficient_scope", scope="one:read two:read"',
    ],
    ['anyMachine', ['other:read'], 'true', undefined],
    ['anyMachine', [], 'unauthenticated ', 'Bearer error="invalid_token"'],
  ])('opens %s to a machine with %j: %s', async (handler, scopes, outcome, told) => {
    const authorization = 'Bearer token';
    expect(await enter(handler, { machine: machine(...scopes), authorization })).toBe(outcome);
    expect(answered['www-authenticate']).toBe(told);
    expect([context.caller, context.machine?.clientId]).toEqual([undefined, outcome === 'true' ? 'client' : undefined]);
  });

  it.each(['own', 'both', 'owned', 'one'] as const)('knows no machine on %s, which declares none', async (handler) => {
    await enter(handler, { machine: machine('one:update', 'two:update', 'thing:update') });
    expect([context.caller?.userId, context.machine]).toEqual([ANN, undefined]);
  });

  it('takes a user where no machine came', async () => {
    expect(await enter('machines', { standing: DUE })).toBe('mfa_enrolment_required ');
    expect(await enter('machines')).toBe('true');
    expect([context.caller?.userId, context.machine]).toEqual([ANN, undefined]);
  });

  it("counts a machine's change by permission as a write of the client's", async () => {
    await enter('machinesWrite', { method: 'POST', machine: machine('one:update') });
    expect(counted).toEqual(['record']);
  });

  it.each([
    ['a change by permission', 'both', 'POST', ['one:update', 'two:update'], [ANN]],
    ['a look by permission', 'both', 'GET', ['one:update', 'two:update'], []],
    ['a change that is denied', 'both', 'POST', ['one:update'], []],
    ["a change of the owner's own", 'owned', 'DELETE', [], []],
    ['a change of the own account', 'own', 'PATCH', [], []],
  ] as const)("counts as an administrator's write %s", async (_, handler, method, held, expected) => {
    await enter(handler, { method, held });
    expect(counted).toEqual(expected);
  });
});
