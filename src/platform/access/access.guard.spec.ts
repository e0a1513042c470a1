import { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { attachContext, Caller, Machine, RequestContext } from '../context';
import { ProblemError } from '../errors';
import { AccessGuard } from './access.guard';
import { AccessPorts, SecondFactorStanding } from './access.ports';
import { OwnedBy, OwnershipRule } from './ownership';
import {
  BeforeFields,
  DuringEnrolment,
  DuringPasswordChange,
  ForMachines,
  RequirePermission,
  Public,
  RequireRecentLogin,
  SignedIn,
} from './policy';

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

class Routes {
  @OwnedBy(ThingOwner)
  @RequirePermission('thing:update')
  owned(): void {}

  @RequirePermission('one:update', 'two:update')
  both(): void {}

  @SignedIn()
  own(): void {}

  @SignedIn()
  @DuringEnrolment()
  enrolment(): void {}

  @SignedIn()
  @DuringPasswordChange()
  password(): void {}

  @SignedIn()
  @RequireRecentLogin()
  one(): void {}

  @SignedIn()
  @RequireRecentLogin({ factors: 2 })
  two(): void {}

  @SignedIn()
  @RequireRecentLogin({ factors: 'enrolled' })
  enrolled(): void {}

  @SignedIn()
  @ForMachines('one:read', 'two:read')
  machines(): void {}

  @SignedIn()
  @ForMachines()
  anyMachine(): void {}

  @RequirePermission('one:update')
  @ForMachines('one:update')
  machinesWrite(): void {}

  @Public()
  @BeforeFields(Closed)
  closed(): void {}

  @RequirePermission('one:update')
  @BeforeFields(Closed)
  closedToOthers(): void {}

  undeclared(): void {}
}

interface Trial {
  readonly held?: readonly string[];
  readonly method?: string;
  readonly id?: string;
  readonly as?: Partial<Caller>;
  readonly standing?: SecondFactorStanding;
  readonly machine?: Machine;
  readonly authorization?: string;
}

const NO_FACTOR = { isOffered: true, isRequired: false, isEnrolled: false };
const DUE = { isOffered: true, isRequired: true, isEnrolled: false };
const ENROLLED = { isOffered: true, isRequired: true, isEnrolled: true };
const OFF = { isOffered: false, isRequired: false, isEnrolled: true };

describe.each([
  { state: 'remembered', remembered: true },
  { state: 'asked for', remembered: false },
])('the access guard, the caller being $state', ({ remembered }) => {
  let counted: string[];
  let answered: Record<string, string>;
  let context: RequestContext;

  async function enter(
    handler: keyof Routes,
    { held = [], method = 'GET', id = 'anns', as, standing = NO_FACTOR, machine, authorization }: Trial = {},
  ): Promise<string> {
    const ports = new AccessPorts();
    const caller = { userId: ANN, locale: null, mustChangePassword: false, recentLogin: true, ...as } as Caller;
    ports.bind({
      authenticator: { authenticate: async () => caller, peek: () => (remembered ? caller : undefined) },
      machines: { authenticate: async () => machine },
      permissions: {
        isGranted: async (_, permission) => held.includes(permission),
        peekGranted: (_, permission) => (remembered ? held.includes(permission) : undefined),
        describe: (permission) => ({ permission, scope: 'iam' }),
      },
      writeLimit: {
        count: async (userId) => {
          counted.push(userId);
        },
      },
      secondFactors: {
        of: async () => standing,
        isEnrolmentDue: async () => standing.isRequired && !standing.isEnrolled,
        peekEnrolmentDue: () => (remembered ? standing.isRequired && !standing.isEnrolled : undefined),
      },
    });
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
      return String(await new AccessGuard(new Reflector(), ports, modules).canActivate(execution));
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
    ['enrolled', 'reauthentication_required ', {}, ENROLLED],
    ['enrolled', 'true', { recentSecondFactor: true }, ENROLLED],
    ['enrolled', 'true', {}, NO_FACTOR],
  ])('asks for recent proofs: %s gives %s as %j', async (handler, outcome, as, standing) => {
    expect(await enter(handler, { as, standing })).toBe(outcome);
  });

  const machine = (...scopes: string[]): Machine => ({ id: 'record', clientId: 'client', scopes });

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
