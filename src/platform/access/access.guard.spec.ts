import { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { attachContext, Caller, OAuthClientPrincipal, RequestContext } from '../context';
import { ProblemError } from '../errors';
import { MaybePromise } from '../util';
import { AccessGuard } from './access.guard';
import { CallerAuthenticator, PermissionChecker, SecondFactorPolicy, MfaStatus, WriteLimit } from './access.ports';
import { ClientAuthenticatorService } from './client-authenticator.service';
import { ANN, Routes } from '../../../test/support/hosts/guarded-routes';
import { OwnershipRule } from './policy';
import { PendingDutiesService } from './pending-duties.service';
import { RecentLoginService } from './recent-login.service';
import { RoutePermissionsService } from './route-permissions.service';
import { UserAdmissionService } from './user-admission.service';
import { fake } from '../../../test/support/service/fake';

interface Trial {
  readonly held?: readonly string[];
  readonly method?: string;
  readonly id?: string;
  readonly as?: Partial<Caller>;
  readonly status?: MfaStatus;
  readonly oauthClient?: OAuthClientPrincipal;
  readonly authorization?: string;
  /** The organization that the request names. */
  readonly organization?: string;
}

const NO_FACTOR = { isOffered: true, isRequired: false, isEnrolled: false };
const DUE = { isOffered: true, isRequired: true, isEnrolled: false };
const ENROLLED = { isOffered: true, isRequired: true, isEnrolled: true };
/** The organization whose members must have a second factor. */
const STRICT = 'strict';
/** The organization that accepts passkeys only. */
const LIMITED = 'limited';
const OFF = { isOffered: false, isRequired: false, isEnrolled: true };

describe.each([
  { state: 'cached', answer: <T>(value: T): MaybePromise<T> => value },
  { state: 'loaded', answer: <T>(value: T): MaybePromise<T> => Promise.resolve(value) },
])('AccessGuard with a $state caller', ({ answer }) => {
  let counted: string[];
  let answered: Record<string, string>;
  let context: RequestContext;

  async function enter(
    handler: keyof Routes,
    { held = [], method = 'GET', id = 'anns', as, status = NO_FACTOR, oauthClient, ...headers }: Trial = {},
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
      get: async () => status,
      isEnrolmentDue: (_, within) => answer((status.isRequired || within === STRICT) && !status.isEnrolled),
    };
    const organizations = {
      isMember: () => false,
      isOpenTo: () => true,
      acceptsLogin: (_: string, within: string, used?: string) => answer(within !== LIMITED || used === 'passkey'),
    };
    const { authorization, organization } = headers;
    const request = { method, params: { id }, headers: { authorization, 'x-organization-id': organization } };
    context = {} as RequestContext;
    attachContext(request, context);
    const modules = fake<ModuleRef>({ get: (rule: Type<OwnershipRule | CanActivate>) => new rule() });
    const header = (name: string, value: string): void => {
      answered[name] = value;
    };
    const execution = fake<ExecutionContext>({
      getClass: () => Routes,
      getHandler: () => Routes.prototype[handler],
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({ header }) }),
    });
    try {
      const guard = new AccessGuard(
        new Reflector(),
        modules,
        new UserAdmissionService(authenticator, secondFactors, organizations, new PendingDutiesService(secondFactors)),
        new ClientAuthenticatorService({ authenticate: async () => oauthClient }, permissions),
        new RoutePermissionsService(permissions, organizations),
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

  it('runs pre-validation guards after the access check, also on public routes', async () => {
    expect(await enter('closed')).toBe('false');
    expect(await enter('closedToOthers')).toBe('permission_denied one:update');
    expect(await enter('closedToOthers', { held: ['one:update'] })).toBe('false');
  });

  it('denies access when a guard returns an observable', async () => {
    expect(await enter('observed')).toBe('false');
  });

  it('throws when a route declares no access policy', async () => {
    await expect(enter('undeclared')).rejects.toThrow('Routes.undeclared declares no access policy');
  });

  it.each([
    ['the owner without the permission', 'anns', [], 'true'],
    ['another user without the permission', 'bobs', [], 'permission_denied thing:update'],
    ['another user with the permission', 'bobs', ['thing:update'], 'true'],
    ['any user, for a resource without an owner', 'nobodys', [], 'permission_denied thing:update'],
    ['any user, for an unknown resource', 'unknown', [], 'permission_denied thing:update'],
  ])('checks ownership first: %s', async (_, id, held, outcome) => {
    expect(await enter('owned', { id, held })).toBe(outcome);
  });

  it.each([
    [[], 'permission_denied one:update'],
    [['one:update'], 'permission_denied two:update'],
    [['two:update'], 'permission_denied one:update'],
    [['one:update', 'two:update'], 'true'],
  ])('requires every permission of the route: holding %j', async (held, outcome) => {
    expect(await enter('both', { held })).toBe(outcome);
  });

  it.each<[keyof Routes, string, Partial<Caller>, MfaStatus]>([
    ['own', 'mfa_enrolment_required ', {}, DUE],
    ['own', 'true', {}, ENROLLED],
    ['enrolment', 'true', {}, DUE],
    ['password', 'mfa_enrolment_required ', {}, DUE],
    // Neither duty may block the routes of the other.
    ['password', 'true', { mustChangePassword: true }, DUE],
    ['enrolment', 'password_change_required ', { mustChangePassword: true }, DUE],
    ['own', 'terms_required ', { mustAcceptTerms: true }, DUE],
    ['terms', 'true', { mustAcceptTerms: true }, DUE],
    ['terms', 'password_change_required ', { mustChangePassword: true, mustAcceptTerms: true }, DUE],
    ['password', 'true', { mustChangePassword: true, mustAcceptTerms: true }, DUE],
    ['enrolment', 'terms_required ', { mustAcceptTerms: true }, DUE],
    ['terms', 'mfa_enrolment_required ', {}, DUE],
  ])('enforces pending duties: %s returns %s for %j', async (handler, outcome, as, status) => {
    expect(await enter(handler, { as, status })).toBe(outcome);
  });

  it.each<[keyof Routes, string, string, Trial]>([
    ['own', STRICT, 'mfa_enrolment_required ', {}],
    ['own', STRICT, 'true', { status: ENROLLED }],
    ['own', 'other', 'true', {}],
    ['owned', STRICT, 'mfa_enrolment_required ', {}],
    ['inPath', 'other', 'mfa_enrolment_required ', { id: STRICT }],
    ['inPath', STRICT, 'true', { id: 'anns', held: ['thing:update'] }],
    ['enrolment', STRICT, 'true', {}],
    ['password', STRICT, 'true', { as: { mustChangePassword: true } }],
    ['terms', STRICT, 'true', { as: { mustAcceptTerms: true } }],
    ['own', LIMITED, 'login_method_not_accepted ', { as: { loginMethod: 'password' } }],
    ['own', LIMITED, 'login_method_not_accepted ', {}],
    ['own', LIMITED, 'true', { as: { loginMethod: 'passkey' } }],
    ['inPath', 'other', 'login_method_not_accepted ', { id: LIMITED, as: { loginMethod: 'password' } }],
    ['enrolment', LIMITED, 'true', { as: { loginMethod: 'password' } }],
  ])(
    'requires the second factor and the login of an organization: %s within %s returns %s',
    async (handler, organization, outcome, trial) => {
      expect(await enter(handler, { ...trial, organization })).toBe(outcome);
    },
  );

  it.each<[keyof Routes, string, Partial<Caller>, MfaStatus]>([
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
  ])('requires recent factors: %s returns %s for %j', async (handler, outcome, as, status) => {
    expect(await enter(handler, { as, status })).toBe(outcome);
  });

  const oauthClient = (...scopes: string[]): OAuthClientPrincipal => ({ id: 'record', clientId: 'client', scopes });

  it.each<[keyof Routes, string[], string, string | undefined]>([
    ['clients', ['one:read', 'two:read'], 'true', undefined],
    [
      'clients',
      ['one:read'],
      'permission_denied two:read',
      'Bearer error="insufficient_scope", scope="one:read two:read"',
    ],
    ['anyClient', ['other:read'], 'true', undefined],
    ['anyClient', [], 'unauthenticated ', 'Bearer error="invalid_token"'],
  ])('admits an OAuth client to %s with %j: %s', async (handler, scopes, outcome, challenge) => {
    const authorization = 'Bearer token';
    expect(await enter(handler, { oauthClient: oauthClient(...scopes), authorization })).toBe(outcome);
    expect(answered['www-authenticate']).toBe(challenge);
    expect([context.caller, context.client?.clientId]).toEqual([undefined, outcome === 'true' ? 'client' : undefined]);
  });

  it.each(['own', 'both', 'owned', 'one'] as const)(
    'ignores OAuth clients on %s, which does not allow them',
    async (handler) => {
      await enter(handler, { oauthClient: oauthClient('one:update', 'two:update', 'thing:update') });
      expect([context.caller?.userId, context.client]).toEqual([ANN, undefined]);
    },
  );

  it('admits a user when the request has no client token', async () => {
    expect(await enter('clients', { status: DUE })).toBe('mfa_enrolment_required ');
    expect(await enter('clients')).toBe('true');
    expect([context.caller?.userId, context.client]).toEqual([ANN, undefined]);
  });

  it('counts a write of an OAuth client for the client', async () => {
    await enter('clientsWrite', { method: 'POST', oauthClient: oauthClient('one:update') });
    expect(counted).toEqual(['record']);
  });

  it.each([
    ['a change by permission', 'both', 'POST', ['one:update', 'two:update'], [ANN]],
    ['a read by permission', 'both', 'GET', ['one:update', 'two:update'], []],
    ['a change that is denied', 'both', 'POST', ['one:update'], []],
    ['a change by the owner', 'owned', 'DELETE', [], []],
    ["a change of the caller's account", 'own', 'PATCH', [], []],
  ] as const)('counts administrator writes: %s', async (_, handler, method, held, expected) => {
    await enter(handler, { method, held });
    expect(counted).toEqual(expected);
  });
});
