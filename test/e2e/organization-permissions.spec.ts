import 'reflect-metadata';
import { Controller, Get, Module, Req, Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  ApiController,
  Authenticated,
  contextOf,
  definePermissions,
  IdentityModule,
  InOrganization,
  RequirePermission,
} from '../../src';
import { logInLongAgo } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { createGroup, joinGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants, userWith, RoleAnswer } from '../support/accounts/holders';
import { identityOptions, startModule } from '../support/hosts/host-app';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { enrolTotp } from '../support/accounts/second-factors';
import { TestClient } from '../support/service/test-client';
import { createTestDatabase } from '../support/service/test-database';
import { ADMIN, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Checked {
  allowed: boolean;
  results: { allowed: boolean; organization_id?: string; because: object | null }[];
}

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';
const { read, open } = definePermissions({ read: 'plan:read', open: 'plan:open' });

describe('permissions within an organization', () => {
  let service: TestService;
  let admin: TestClient;
  let [home, away]: OrganizationAnswer[] = [];
  let role: RoleAnswer;
  let member: UserWithGrants;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    [home, away] = [await createOrganization(admin, 'home'), await createOrganization(admin, 'away')];
    role = await createRole(admin, 'planner', 'plan:read');
    member = await anyUserWith(service, admin, 'note:read');
    await addMember(admin, home, member, role);
  });

  const check = async (client: TestClient, body: object): Promise<Checked> =>
    (await client.post<Checked>('/api/permission/check', body)).body;

  it('count in checks that name it only, with the organization as source', async () => {
    const permission_id = 'plan:read';
    const { allowed, results } = await check(member.client, {
      checks: [
        { permission_id, organization_id: home!.id },
        { permission_id, organization_id: away!.id },
        { permission_id, organization_id: UNKNOWN },
        { permission_id },
        { permission_id: 'note:read', organization_id: home!.id },
        { permission_id: 'note:read', organization_id: UNKNOWN },
      ],
    });
    expect(allowed).toBe(false);
    expect(results.map((result) => result.allowed)).toEqual([true, false, false, false, true, true]);
    const organization = { id: home!.id, slug: 'home', name: 'home' };
    expect(results[0]).toMatchObject({
      organization_id: home!.id,
      because: { source: 'role', role: 'planner', organization, grant: { permission_id } },
    });
    expect(results[1]).toEqual({ ...results[2], organization_id: away!.id });
    expect(results[3]).not.toHaveProperty('organization_id');
    expect(results[4]?.because).toEqual({
      source: 'direct',
      grant: { scope: 'iam', permission_id: 'note:read', level: 7 },
    });
  });

  it('are checked for a valid id only', async () => {
    const checks = [{ permission_id: 'plan:read', organization_id: 'home' }];
    expectProblem(await member.client.post('/api/permission/check', { checks }), 400, 'validation_failed');
  });

  it('come from groups of the organization, for its members and there only', async () => {
    const [joined, outside] = [await anyUserWith(service, admin), await anyUserWith(service, admin)];
    const organization_id = home!.id;
    const above = await createGroup(admin, 'Planners', { role_ids: [role.id], organization_id });
    const below = await createGroup(admin, 'Young planners', { parent_id: above.id, organization_id });
    await addMember(admin, home!, joined);
    await joinGroup(admin, below.id, joined.id);
    // No route adds a user who is no member.
    await service.query('INSERT INTO user_group_member (user_id, group_id) VALUES ($1, $2)', [outside.id, below.id]);
    const results = async ({ id }: UserWithGrants): Promise<Checked['results']> => {
      const checks = [home!.id, away!.id, undefined].map((organization_id) => ({
        permission_id: 'plan:read',
        organization_id,
      }));
      return (await check(admin, { user_id: id, checks })).results;
    };
    const [there, ...elsewhere] = await results(joined);
    expect(there?.because).toMatchObject({
      source: 'group',
      group: { name: 'Planners', path: ['Planners', 'Young planners'] },
      organization: { slug: 'home' },
    });
    expect(elsewhere.map(({ allowed }) => allowed)).toEqual([false, false]);
    expect((await results(outside)).map(({ allowed }) => allowed)).toEqual([false, false, false]);
    expectProblem(await joined.client.get('/api/auth/verify?permission=plan:read'), 403, 'permission_denied');
  });

  it('require a second factor within the organization of such a role, and nowhere else', async () => {
    const strict = await anyUserWith(service, admin);
    const { body } = await admin.post<RoleAnswer>('/api/role', { name: 'strict_planner', mfa_required: true });
    const more = { role_ids: [body.id], organization_id: home!.id };
    const group = await createGroup(admin, 'Strict planners', more);
    const joined = await anyUserWith(service, admin);
    await addMember(admin, home!, strict, body);
    await addMember(admin, home!, joined);
    await joinGroup(admin, group.id, joined.id);
    for (const { id, client } of [strict, joined]) {
      await addMember(admin, away!, { id }, role);
      const [there, elsewhere] = [`/api/organization/${home!.id}`, `/api/organization/${away!.id}`];
      for (const path of [there, `${there}/members`, `${there}/members/${id}`]) {
        expectProblem(await client.get(path), 403, 'mfa_enrolment_required');
      }
      expectProblem(await client.get('/api/organization', within(home!)), 403, 'mfa_enrolment_required');
      expect((await client.get('/api/auth/me', within(home!))).status).toBe(200);
      for (const path of [elsewhere, `${elsewhere}/members`, '/api/organization', '/api/auth/sessions']) {
        expect([path, (await client.get(path)).status]).toEqual([path, 200]);
      }
      expect((await client.get('/api/organization', within(away!))).status).toBe(200);
    }
    await enrolTotp(strict.client);
    expect((await strict.client.get(`/api/organization/${home!.id}`)).status).toBe(200);
    expect((await strict.client.get('/api/organization', within(home!))).status).toBe(200);
  });

  it('require a second factor of all members of a strict organization, and there only', async () => {
    const strict = await createOrganization(admin, 'strict', { mfa_required: true });
    const owner = await anyUserWith(service, admin);
    for (const organization of [strict, away!]) await addMember(admin, organization, owner);
    const path = `/api/organization/${strict.id}`;
    expectProblem(await owner.client.get(path), 403, 'mfa_enrolment_required');
    expectProblem(await owner.client.get('/api/organization', within(strict)), 403, 'mfa_enrolment_required');
    expect((await owner.client.get(`/api/organization/${away!.id}`)).status).toBe(200);
    expect((await admin.get(path)).status).toBe(200);
    await enrolTotp(owner.client);
    expect((await owner.client.get(path)).status).toBe(200);
  });

  it('require a recent login to end the requirement of second factors, in force at once', async () => {
    const strict = await createOrganization(admin, 'eased', { mfa_required: true });
    const joined = await anyUserWith(service, admin);
    await addMember(admin, strict, joined);
    const path = `/api/organization/${strict.id}`;
    expectProblem(await joined.client.get(path), 403, 'mfa_enrolment_required');
    const { username } = await userWith(service, admin, 'organization_easer', '*');
    const stale = await logInLongAgo(service, username);
    expectProblem(await stale.patch(path, { mfa_required: false }), 401, 'reauthentication_required');
    expect((await stale.patch(path, { attributes: { tier: 'gold' } })).body).toMatchObject({
      attributes: { tier: 'gold' },
      mfa_required: true,
    });
    expect((await admin.patch(path, { mfa_required: false })).body).toMatchObject({ mfa_required: false });
    expect((await joined.client.get(path)).status).toBe(200);
    expect((await admin.patch(path, { mfa_required: true })).status).toBe(200);
    expectProblem(await joined.client.get(path), 403, 'mfa_enrolment_required');
  });

  it('are named by the header on every route, by members and holders of everything only', async () => {
    for (const path of ['/api/auth/me', '/api/organization', '/api/role']) {
      for (const named of [away!.id, UNKNOWN, 'home', '', home!.id.toUpperCase()]) {
        expectProblem(await member.client.get(path, within({ id: named })), 404, 'not_found');
      }
      expect((await admin.get(path, within(away!))).status).toBe(200);
      expectProblem(await admin.get(path, within({ id: UNKNOWN })), 404, 'not_found');
    }
    expect((await member.client.get('/api/auth/me', within(home!))).status).toBe(200);
    const everythingThere = await anyUserWith(service, admin);
    await addMember(admin, home!, everythingThere);
    await service.query(
      `INSERT INTO organization_member_grant (organization_id, user_id, scope, permission_id, level) VALUES ($1, $2, '*', '*:*', 7)`,
      [home!.id, everythingThere.id],
    );
    expectProblem(await everythingThere.client.get('/api/auth/me', within(away!)), 404, 'not_found');
  });
});

describe('@InOrganization() on a route of a host', () => {
  it('checks the permissions within the organization of the header, and follows every change at once', async () => {
    @ApiController('plans')
    class PlansController {
      @Get()
      @RequirePermission(read, open)
      @InOrganization()
      list(@Req() request: FastifyRequest): { organization: string | null } {
        return { organization: contextOf(request).organizationId ?? null };
      }
    }
    const database = await createTestDatabase();
    @Module({ imports: [IdentityModule.forRoot(identityOptions(database))], controllers: [PlansController] })
    class HostModule {}
    const app = await startModule(HostModule);
    const admin = new TestClient(app);
    await admin.post('/api/auth/login', { type: 'password', ...ADMIN });
    const ann = new TestClient(app);
    await ann.post('/api/auth/register', { username: 'ann', password: PASSWORD });
    await ann.post('/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD });
    const { body } = await ann.get<{ id: string }>('/api/auth/me');
    const organization = await createOrganization(admin, 'plans');
    const role = await createRole(admin, 'planner', read, open);
    const plans = (): ReturnType<TestClient['get']> => ann.get('/api/plans', within(organization));

    expectProblem(await plans(), 404, 'not_found');
    await addMember(admin, organization, body);
    expectProblem(await plans(), 403, 'permission_denied');
    await addMember(admin, organization, body, role);
    expect(await plans()).toMatchObject({ status: 200, body: { organization: organization.id } });
    expectProblem(await ann.get('/api/plans'), 403, 'permission_denied');
    await admin.patch(`/api/role/${role.id}`, { remove: [open] });
    expectProblem(await plans(), 403, 'permission_denied');
    await admin.patch(`/api/role/${role.id}`, { add: [{ permission_id: open }] });
    expect((await plans()).status).toBe(200);
    await admin.delete(`/api/organization/${organization.id}/members/${body.id}`);
    expectProblem(await plans(), 404, 'not_found');
    await addMember(admin, organization, body, role);
    expect((await plans()).status).toBe(200);
    await admin.delete(`/api/organization/${organization.id}`);
    expectProblem(await plans(), 404, 'not_found');
    await app.close();
    await database.drop();
  });

  it.each<[string, MethodDecorator, MethodDecorator, string]>([
    ['without a permission', Authenticated(), InOrganization(), 'use it with @RequirePermission'],
    [
      'with a parameter that the path lacks',
      RequirePermission(read),
      InOrganization({ parameter: 'org' }),
      'write :org',
    ],
  ])('ends the start: %s', async (_, policy, beside, sentence) => {
    @ApiController('odd/:id')
    class OddController {
      @Get()
      @policy
      @beside
      read(): void {}
    }
    expect(await failureOf(OddController)).toMatch(/^@InOrganization\(\) on OddController\.read [^\n]*$/);
    expect(await failureOf(OddController)).toContain(sentence);
  });

  it('ends the start: on a plain controller', async () => {
    @Controller('plain')
    class PlainController {
      @Get()
      @InOrganization()
      read(): void {}
    }
    expect(await failureOf(PlainController)).toContain('@InOrganization() on PlainController.read guards nothing');
  });

  async function failureOf(controller: Type): Promise<string> {
    const database = await createTestDatabase();
    @Module({ imports: [IdentityModule.forRoot(identityOptions(database))], controllers: [controller] })
    class HostModule {}
    try {
      await (await startModule(HostModule)).close();
      return '';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await database.drop();
    }
  }
});
