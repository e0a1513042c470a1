import { Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import fc from 'fast-check';
import { ApiController, definePermissions, IdentityModule, installHttp, RequirePermission } from '../../src';
import { identityOptions } from '../support/hosts/host-app';
import { GrantInput } from '../support/accounts/holders';
import { TestClient } from '../support/service/test-client';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { ADMIN, PASSWORD } from '../support/service/test-service';

jest.setTimeout(120_000);

// Few names, so that grants overlap often. Names share a prefix, so that a prefix match would show.
const RESOURCES = ['rep', 'report'];
const ACTIONS = ['read', 'update', 'publish', 'admin'];
const OWN = RESOURCES.flatMap((resource) => ACTIONS.map((action) => `${resource}:${action}`));
const ASKED = [...OWN.map((id) => ({ scope: 'iam', id })), ...OWN.map((id) => ({ scope: 'shop', id }))];
const pathOf = ({ scope, id }: (typeof ASKED)[number]): string => `${scope}/${id.replace(':', '/')}`;

definePermissions(Object.fromEntries(OWN.map((id) => [id, id])));

/** One route for each checked permission. */
class GuardedController {}
for (const asked of ASKED) {
  const name = pathOf(asked);
  const descriptor = { value: () => ({ ok: true }), configurable: true };
  Object.defineProperty(GuardedController.prototype, name, descriptor);
  RequirePermission(`${asked.scope}:${asked.id}`)(GuardedController.prototype, name, descriptor);
  Get(name)(GuardedController.prototype, name, descriptor);
}
ApiController('guarded')(GuardedController);

const grants: fc.Arbitrary<GrantInput> = fc.record({
  scope: fc.constantFrom('iam', 'shop', 'sho', '*'),
  permission_id: fc
    .tuple(fc.constantFrom(...RESOURCES, '*'), fc.constantFrom(...ACTIONS, '*'))
    .map((parts) => parts.join(':')),
  level: fc.integer({ min: 1, max: 7 }),
});
const holdings = fc.record({
  direct: fc.array(grants, { maxLength: 3 }),
  roles: fc.array(fc.array(grants, { maxLength: 3 }), { minLength: 2, maxLength: 2 }),
  more: grants,
});

/** Keeps the added grant from lowering the level of an existing direct grant, because adding sets the level. */
function addedTo(direct: readonly GrantInput[], more: GrantInput): GrantInput {
  const same = direct.filter((held) => held.scope === more.scope && held.permission_id === more.permission_id);
  return { ...more, level: Math.max(more.level ?? 1, ...same.map(({ level }) => level ?? 1)) };
}

interface Checked {
  readonly results: { allowed: boolean; closest: GrantInput | null; scope: string; permission_id: string }[];
}

describe('permission guard and POST /api/permission/check', () => {
  let database: TestDatabase;
  let app: NestFastifyApplication;
  let admin: TestClient;
  let ann: TestClient;
  let annId: string;
  let roles: string[];

  beforeAll(async () => {
    database = await createTestDatabase();
    @Module({ imports: [IdentityModule.forRoot(identityOptions(database))], controllers: [GuardedController] })
    class Host {}
    app = await NestFactory.create<NestFastifyApplication>(Host, new FastifyAdapter(), { logger: false });
    installHttp(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();

    admin = new TestClient(app);
    await admin.post('/api/auth/login', { type: 'password', ...ADMIN });
    await admin.put('/api/setting', { updates: [{ key: 'rate.admin_writes_per_minute_user', value: 100_000 }] });
    ann = new TestClient(app);
    await ann.post('/api/auth/register', { username: 'ann', password: PASSWORD });
    await ann.post('/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD });
    annId = (await ann.get<{ id: string }>('/api/auth/me')).body.id;
    roles = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const { id } = (await admin.post<{ id: string }>('/api/role', { name })).body;
        await admin.put(`/api/role/${id}/users`, { user_ids: [annId] });
        return id;
      }),
    );
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const give = async (...add: GrantInput[]): Promise<void> => {
    const answer = await admin.patch(`/api/user/${annId}/permissions`, { add });
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  };

  const hold = async (direct: readonly GrantInput[], byRole: readonly (readonly GrantInput[])[]): Promise<void> => {
    const held = await admin.get<{ direct: Required<GrantInput>[] }>(`/api/user/${annId}/permissions`);
    const remove = held.body.direct.map(({ scope, permission_id }) => `${scope}:${permission_id}`);
    await admin.patch(`/api/user/${annId}/permissions`, { remove });
    if (direct.length > 0) await give(...unique(direct));
    for (const [index, permissions] of byRole.entries()) {
      const { status } = await admin.patch(`/api/role/${roles[index]}`, { permissions: unique(permissions) });
      expect(status).toBe(200);
    }
  };

  /** Permissions that the guard allows. Fails when the check returns something else. */
  const agreed = async (): Promise<{ allowed: string[]; denied: Checked['results'] }> => {
    const checks = ASKED.map(({ scope, id }) => ({ scope, permission_id: id }));
    const { results } = (await ann.post<Checked>('/api/permission/check', { checks })).body;
    const statuses = await Promise.all(
      ASKED.map(async (asked) => (await ann.get(`/api/guarded/${pathOf(asked)}`)).status),
    );
    expect(statuses).toEqual(results.map(({ allowed }) => (allowed ? 200 : 403)));
    return {
      allowed: ASKED.filter((_, index) => results[index]?.allowed).map(pathOf),
      denied: results.filter(({ allowed }) => !allowed),
    };
  };

  it('agree, a grant never removes a permission, and the closest grant is sufficient', async () => {
    const seen = { allowed: 0, denied: 0, gained: 0 };
    await fc.assert(
      fc.asyncProperty(holdings, async ({ direct, roles: byRole, more }) => {
        await hold(direct, byRole);
        const before = await agreed();
        seen.allowed += before.allowed.length;
        seen.denied += before.denied.length;

        await give(addedTo(direct, more));
        const after = await agreed();
        expect(after.allowed).toEqual(expect.arrayContaining(before.allowed));
        seen.gained += after.allowed.length - before.allowed.length;

        const [missing] = after.denied.slice(-1);
        if (!missing) return;
        expect(missing.closest).not.toBeNull();
        await give(missing.closest!);
        expect((await agreed()).allowed).toContain(pathOf({ scope: missing.scope, id: missing.permission_id }));
      }),
      { numRuns: 25 },
    );
    // The data is random. Each of the three outcomes must occur at least once.
    expect(Math.min(seen.allowed, seen.denied, seen.gained)).toBeGreaterThan(0);
  });

  it('follow changes of the catalogue with the same grants', async () => {
    const entry = { scope: 'shop', permission_id: 'report:publish' };
    const publish = 'shop/report/publish';
    await admin.post('/api/permission', { ...entry, required_level: 3 });
    await hold([{ ...entry, level: 3 }], [[], []]);
    expect((await agreed()).allowed).toContain(publish);
    await admin.delete('/api/permission/shop/report:publish');
    expect((await agreed()).allowed).not.toContain(publish);
    await admin.post('/api/permission', { ...entry, required_level: 2 });
    expect((await agreed()).allowed).toContain(publish);
  });
});

/** Keeps one grant for each permission, because a request with duplicates is rejected. */
function unique(list: readonly GrantInput[]): GrantInput[] {
  return [...new Map(list.map((grant) => [`${grant.scope}:${grant.permission_id}`, grant])).values()];
}
