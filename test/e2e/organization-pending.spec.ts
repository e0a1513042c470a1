import * as oidc from 'openid-client';
import { AccountExportService } from '../../src/import-export';
import { memberNoticesPerDayPerOrganization } from '../../src/rbac';
import { expectProblem } from '../support/service/expect-problem';
import { createGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants } from '../support/accounts/holders';
import { begin, logInAt, register, relyingParty, redirectOf } from '../support/oauth/oauth';
import { createRoleOf } from '../support/organizations/organization-roles';
import { addMember, createOrganization, within } from '../support/organizations/organizations';
import { ownOrganizations, PendingStage } from '../support/accounts/pending-stage';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const SCOPE = { scope: 'openid organization' };

let service: TestService;
let admin: TestClient;
let stage: PendingStage;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  stage = await PendingStage.start(service);
});

const problemsOf = ({ body }: Answer<Problem>): unknown => body.errors?.map(({ field, code }) => `${field} ${code}`);

describe('a pending membership', () => {
  it('is made by those who hold the permission there only', async () => {
    const ann = await stage.pendingOne(stage.reader);
    expect(await stage.member(ann)).toMatchObject({ status: 'pending', role_ids: [stage.reader.id] });
    const everywhere = await anyUserWith(service, admin, 'organization_member:update', 'report:read');
    const bob = await anyUserWith(service, admin);
    await addMember(everywhere.client, stage.organization, bob, stage.reader);
    expect(await stage.member(bob)).toMatchObject({ status: 'accepted', role_ids: [stage.reader.id] });
    // Members stay so.
    await addMember(stage.boss.client, stage.organization, bob, stage.reader);
    expect((await stage.member(bob)).status).toBe('accepted');
    await addMember(admin, stage.organization, ann);
    expect(await stage.member(ann)).toMatchObject({ status: 'accepted', role_ids: [stage.reader.id] });
    expect(await stage.holds(ann)).toBe(true);
  });

  it('gives nothing in checks, requests and lists of organizations', async () => {
    const ann = await stage.pendingOne(stage.reader);
    expect(await stage.holds(ann)).toBe(false);
    const evaluation = {
      subject: { type: 'user', id: ann.id },
      action: { name: 'read' },
      resource: { type: 'report', id: '1' },
      context: { organization_id: stage.organization.id },
    };
    expect((await admin.post('/access/v1/evaluation', evaluation)).body).toMatchObject({ decision: false });
    for (const path of [`/api/organization/${stage.organization.id}`, stage.path(), stage.path(ann.id)]) {
      expectProblem(await ann.client.get(path), 404, 'not_found');
    }
    expectProblem(await ann.client.get('/api/auth/me', within(stage.organization)), 404, 'not_found');
    for (const query of ['', '?mine=true']) {
      expect((await ann.client.get<{ items: object[] }>(`/api/organization${query}`)).body.items).toEqual([]);
    }
  });

  it('gives no token, and no access to applications of the organization', async () => {
    const ann = await stage.pendingOne(stage.reader);
    const config = await relyingParty(() => service, await register(admin, { scopes: ['openid', 'organization'] }));
    expect((await logInAt(config, ann.client, SCOPE)).claims()).not.toHaveProperty('organization_id');
    const tied = await relyingParty(() => service, await register(admin, { organization_id: stage.organization.id }));
    const rejected = async (party: oidc.Configuration, more: Record<string, string>): Promise<string | null> =>
      new URL(await redirectOf(ann.client, (await begin(party, more)).url)).searchParams.get('error');
    expect(await rejected(config, { ...SCOPE, organization: 'acme' })).toBe('access_denied');
    expect(await rejected(tied, { scope: 'openid' })).toBe('access_denied');
    await stage.accept(ann);
    expect((await logInAt(config, ann.client, SCOPE)).claims()).toMatchObject({
      organization_id: stage.organization.id,
      organization_roles: ['reader'],
    });
  });

  it('gets no groups, roles and grants of the organization', async () => {
    const ann = await stage.pendingOne();
    const group = await createGroup(admin, 'Staff', { organization_id: stage.organization.id });
    const own = await createRoleOf(admin, stage.organization, 'clerk');
    const user_ids = [ann.id];
    for (const path of [`/api/group/${group.id}/users`, `/api/role/${own.id}/users`]) {
      expect(problemsOf(await admin.post<Problem>(path, { user_ids }))).toEqual(['user_ids[0] unknown_user']);
    }
    const batch = { user_ids, organization_id: stage.organization.id };
    expect(problemsOf(await admin.post<Problem>(`/api/role/${stage.reader.id}/users`, batch))).toEqual([
      'user_ids[0] unknown_user',
    ]);
    const given = { role_ids: [stage.reader.id], organization_id: stage.organization.id };
    expect(problemsOf(await admin.post<Problem>(`/api/user/${ann.id}/roles`, given))).toEqual([
      'organization_id not_a_member',
    ]);
    const add = [{ permission_id: 'report:read', organization_id: stage.organization.id }];
    expect(problemsOf(await admin.patch<Problem>(`/api/user/${ann.id}/permissions`, { add }))).toEqual([
      'add[0].organization_id not_a_member',
    ]);
  });

  it('is left out of exports, and named as pending in the export of the own data', async () => {
    const ann = await stage.pendingOne(stage.reader);
    const users: { readonly id: string }[] = [];
    for await (const one of service.app.get(AccountExportService).users(false)) users.push(one);
    expect(users.find(({ id }) => id === ann.id)).toMatchObject({ organizations: [] });
    const own = (await ann.client.get('/api/auth/me/export')).text;
    expect(JSON.parse(own)).toMatchObject({ organizations: [{ slug: 'acme', status: 'pending' }] });
  });

  it('is listed for administrators, who change and withdraw it', async () => {
    const ann = await stage.pendingOne(stage.reader);
    const path = stage.path(ann.id);
    const { body } = await stage.boss.client.get<{ items: { id: string; status: string }[] }>(
      `${stage.path()}?page_size=100`,
    );
    expect(body.items.find(({ id }) => id === ann.id)?.status).toBe('pending');
    expect((await stage.boss.client.patch(path, { role_ids: [] })).body).toMatchObject({
      status: 'pending',
      role_ids: [],
    });
    const more = await createRole(admin, `more_${made++}`, 'report:admin');
    expectProblem(await stage.boss.client.patch(path, { role_ids: [more.id] }), 403, 'escalation_denied');
    await addMember(stage.boss.client, stage.organization, ann, stage.reader);
    await addMember(stage.boss.client, stage.organization, ann);
    expect((await stage.member(ann)).role_ids).toEqual([stage.reader.id]);
    expect((await stage.boss.client.delete(path)).status).toBe(204);
    expectProblem(await stage.accept(ann), 404, 'not_found');
    expect(await stage.actsOn(ann)).toEqual([
      ['organization.add_pending_member', stage.boss.id, null],
      ['organization.update_pending_member', stage.boss.id, null],
      ['organization.update_pending_member', stage.boss.id, null],
      ['organization.remove_pending_member', stage.boss.id, null],
    ]);
  });

  it('is not written beyond the budget of notices, which names its setting', async () => {
    const organization = await createOrganization(admin, `budget-${made++}`);
    const boss = await stage.bossOf(organization);
    const members = `/api/organization/${organization.id}/members`;
    await service.set(memberNoticesPerDayPerOrganization, 1);
    try {
      const [ann, bob] = [await anyUserWith(service, admin), await anyUserWith(service, admin)];
      const add = ({ id }: UserWithGrants, ...roles: string[]) =>
        boss.client.post<Problem>(members, { user_id: id, role_ids: roles });
      // What is refused for another reason does not count.
      const more = await createRole(admin, `more_${made++}`, 'report:admin');
      expectProblem(await add(ann, more.id), 403, 'escalation_denied');
      expect((await add(ann)).status).toBe(201);
      const rejected = await add(bob);
      expectProblem(rejected, 429, 'rate_limited');
      expect(rejected.body.params).toEqual({ limit: 'rate.member_notices_per_day_organization' });
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
      expect(await ownOrganizations(bob)).toEqual([]);
      expectProblem(await admin.get(`${members}/${bob.id}`), 404, 'not_found');
      // Who is pending already gets no notice.
      expect((await add(ann)).status).toBe(201);
      // Administrators of the service make members, who get none.
      await addMember(admin, organization, bob);
      expect(await ownOrganizations(bob)).toMatchObject([{ status: 'accepted' }]);
    } finally {
      await service.set(memberNoticesPerDayPerOrganization, memberNoticesPerDayPerOrganization.defaultValue);
    }
  });

  it('goes with the user, the role and the organization', async () => {
    const role = await createRole(admin, `gone_${made++}`, 'report:read');
    const ann = await stage.pendingOne(role);
    await admin.delete(`/api/role/${role.id}`);
    expect((await stage.member(ann)).role_ids).toEqual([]);
    expect((await admin.delete(`/api/user/${ann.id}`)).status).toBe(204);
    const other = await createOrganization(admin, `gone-${made++}`);
    const chief = await stage.bossOf(other);
    const bob = await anyUserWith(service, admin);
    await addMember(chief.client, other, bob);
    expect((await admin.delete(`/api/organization/${other.id}`)).status).toBe(204);
    expect(await ownOrganizations(bob)).toEqual([]);
  });
});
