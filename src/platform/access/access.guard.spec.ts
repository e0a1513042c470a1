import { ExecutionContext, Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { attachContext, Caller, RequestContext } from '../context';
import { ProblemError } from '../errors';
import { AccessGuard } from './access.guard';
import { AccessPorts } from './access.ports';
import { OwnedBy, OwnershipRule } from './ownership';
import { RequirePermission, SignedIn } from './policy';

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

class Routes {
  @OwnedBy(ThingOwner)
  @RequirePermission('thing:update')
  owned(): void {}

  @RequirePermission('one:update', 'two:update')
  both(): void {}

  @SignedIn()
  own(): void {}

  undeclared(): void {}
}

interface Trial {
  readonly held?: readonly string[];
  readonly method?: string;
  readonly id?: string;
}

describe('the access guard', () => {
  let counted: string[];

  async function enter(handler: keyof Routes, { held = [], method = 'GET', id = 'anns' }: Trial = {}): Promise<string> {
    const ports = new AccessPorts();
    const caller = { userId: ANN, locale: null, mustChangePassword: false, recentLogin: true } as Caller;
    ports.bind({
      authenticator: { authenticate: async () => caller },
      permissions: {
        isGranted: async (_, permission) => held.includes(permission),
        describe: (permission) => ({ permission, scope: 'iam' }),
      },
      writeLimit: {
        count: async (userId) => {
          counted.push(userId);
        },
      },
    });
    const request = { method, params: { id } };
    attachContext(request, {} as RequestContext);
    const modules = { get: (rule: Type<OwnershipRule>) => new rule() } as unknown as ModuleRef;
    const context = {
      getClass: () => Routes,
      getHandler: () => Routes.prototype[handler],
      switchToHttp: () => ({ getRequest: () => request }),
    } as unknown as ExecutionContext;
    try {
      return String(await new AccessGuard(new Reflector(), ports, modules).canActivate(context));
    } catch (error) {
      if (error instanceof ProblemError) return `${error.code} ${error.params['permission'] ?? ''}`;
      throw error;
    }
  }

  beforeEach(() => {
    counted = [];
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
