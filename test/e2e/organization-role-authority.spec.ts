import { logInLongAgo } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import { createRoleOf, OrganizationRoleAnswer } from '../support/organizations/organization-roles';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { Answer, Problem, SendOptions, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

type Send = (as: TestClient, options: SendOptions) => Promise<Answer<Problem>>;

interface GivableRoles {
  items: { id: string; name: string; organization_id?: string }[];
  next_cursor: string | null;
}

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';

let service: TestService;
let admin: TestClient;
let [home, away]: OrganizationAnswer[] = [];
/** Manages roles and members of `home`, and otherwise holds `plan:read` there, at level 1. */
let lead: UserWithGrants;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  [home, away] = [await createOrganization(admin, 'home'), await createOrganization(admin, 'away')];
  const leads = await createRole(admin, 'role_lead', 'role:*', 'organization_member:*');
  const plans = await admin.post<RoleAnswer>('/api/role', {
    name: 'planner',
    permissions: [{ permission_id: 'plan:read', level: 1 }],
  });
  lead = await memberOf(home, leads, plans.body);
});

const newName = (): string => `led_role_${made++}`;

async function memberOf(organization: OrganizationAnswer, ...roles: { id: string }[]): Promise<UserWithGrants> {
  const member = await anyUserWith(service, admin);
  await addMember(admin, organization, member, ...roles);
  return member;
}

const roleOf = (organization: OrganizationAnswer, ...permissions: string[]): Promise<OrganizationRoleAnswer> =>
  createRoleOf(admin, organization, newName(), permissions);
const usersOf = ({ id }: RoleAnswer): string => `/api/role/${id}/users`;
const givable = ({ id }: OrganizationAnswer): string => `/api/organization/${id}/roles`;

async function pagesFor(as: TestClient, size: number): Promise<GivableRoles[]> {
  const pages: GivableRoles[] = [];
  for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.next_cursor) {
    const path = `${givable(home!)}?page_size=${size}&cursor=${encodeURIComponent(cursor)}`;
    pages.push((await as.get<GivableRoles>(path)).body);
  }
  return pages;
}

const plan = (level = 1): object => ({ permission_id: 'plan:read', level });

const stored = async (): Promise<unknown> => ({
  roles: await service.query(
    'SELECT id, scope, name, description, mfa_required, organization_id FROM role ORDER BY id',
  ),
  grants: await service.query('SELECT * FROM role_grant ORDER BY role_id, scope, permission_id'),
  given: await service.query('SELECT * FROM organization_member_role ORDER BY organization_id, user_id, role_id'),
  everywhere: await service.query('SELECT user_id, role_id FROM user_role ORDER BY user_id, role_id'),
});

/** Every act on a role that exists. */
const actsOn = (role: RoleAnswer, userId: string): [string, Send][] => [
  ['show', (as, there) => as.get(`/api/role/${role.id}`, there)],
  ['rename', (as, there) => as.patch(`/api/role/${role.id}`, { name: newName() }, there)],
  ['grant', (as, there) => as.patch(`/api/role/${role.id}`, { add: [plan()] }, there)],
  ['list users', (as, there) => as.get(usersOf(role), there)],
  ['list users by cursor', (as, there) => as.get(`${usersOf(role)}?cursor=`, there)],
  ['add a user', (as, there) => as.post(usersOf(role), { user_ids: [userId] }, there)],
  ['replace the users', (as, there) => as.put(usersOf(role), { user_ids: [userId] }, there)],
  ['remove a user', (as, there) => as.delete(`${usersOf(role)}/${userId}`, there)],
  ['delete', (as, there) => as.delete(`/api/role/${role.id}`, there)],
];

describe('an administrator of the roles of one organization', () => {
  it('manages them by naming the organization', async () => {
    const there = within(home!);
    const member = await memberOf(home!);
    const role = await createRoleOf(lead.client, home!, newName(), [{ permission_id: 'plan:read', level: 1 }], there);
    for (const [act, send] of actsOn(role, member.id)) {
      expect([act, (await send(lead.client, there)).status < 300]).toEqual([act, true]);
    }
    const other = await createRoleOf(lead.client, home!, newName(), [], there);
    const list = await lead.client.get<{ items: RoleAnswer[] }>(`/api/role?organization_id=${home!.id}`, there);
    expect(list.body.items.map(({ id }) => id)).toContain(other.id);
  });

  it('sees who has a role only with the permission to see members', async () => {
    const [role, member] = [await roleOf(home!), await memberOf(home!)];
    await addMember(admin, home!, member, role);
    const reader = await memberOf(home!, await createRole(admin, newName(), 'role:read'));
    const everywhere = await anyUserWith(service, admin, 'role:read');
    await addMember(admin, home!, everywhere, await createRole(admin, newName(), 'organization_member:read'));
    expect((await everywhere.client.get(usersOf(role), within(home!))).status).toBe(200);
    for (const query of ['', '?cursor=']) {
      const path = `${usersOf(role)}${query}`;
      const denied = [
        await reader.client.get<Problem>(path, within(home!)),
        await everywhere.client.get<Problem>(path),
      ];
      for (const answer of denied) {
        expectProblem(answer, 403, 'permission_denied');
        expect(answer.body.detail).toContain('organization_member:read');
      }
      const listed = await lead.client.get<{ items: { id: string }[] }>(path, within(home!));
      expect(listed.body.items.map(({ id }) => id)).toEqual([member.id]);
    }
    expect((await reader.client.get(`/api/role/${role.id}`, within(home!))).status).toBe(200);
    const anywhere = await createRole(admin, newName());
    expect((await everywhere.client.get(usersOf(anywhere))).status).toBe(200);
  });

  it('holds nothing without naming it', async () => {
    const role = await roleOf(home!);
    for (const [, send] of actsOn(role, lead.id)) expectProblem(await send(lead.client, {}), 403, 'permission_denied');
    for (const query of ['', `?organization_id=${home!.id}`]) {
      expectProblem(await lead.client.get(`/api/role${query}`), 403, 'permission_denied');
    }
    const body = { name: newName(), organization_id: home!.id };
    expectProblem(await lead.client.post('/api/role', body), 403, 'permission_denied');
  });

  it('finds no role of another organization or of the service', async () => {
    const stranger = await memberOf(away!);
    const [there, anywhere] = [await roleOf(away!), await createRole(admin, newName())];
    const before = await stored();
    for (const role of [there, anywhere, { ...there, id: UNKNOWN }]) {
      for (const userId of [stranger.id, lead.id]) {
        for (const [act, send] of actsOn(role, userId)) {
          const { status, body } = await send(lead.client, within(home!));
          expect([act, status, body.code]).toEqual([act, 404, 'not_found']);
        }
      }
    }
    expect(await stored()).toEqual(before);
    expectProblem(await lead.client.get(`/api/role?organization_id=${away!.id}`, within(home!)), 404, 'not_found');
    expectProblem(await lead.client.get('/api/role', within(home!)), 403, 'permission_denied');
    const body = { name: there.name, organization_id: away!.id };
    expectProblem(await lead.client.post('/api/role', body, within(home!)), 404, 'not_found');
  });

  it('learns from no conflict which names others use', async () => {
    const [there, anywhere] = [await roleOf(away!), await createRole(admin, newName())];
    const mine = await createRoleOf(lead.client, home!, newName(), [], within(home!));
    for (const { name } of [there, anywhere]) {
      const renamed = await lead.client.patch(`/api/role/${mine.id}`, { name }, within(home!));
      expect(renamed.status).toBe(200);
    }
  });

  it('makes no role of the service by leaving out what the header names', async () => {
    const before = await stored();
    expectProblem(await lead.client.post('/api/role', { name: newName() }, within(home!)), 403, 'permission_denied');
    expect(await stored()).toEqual(before);
  });

  it('gives no more than they hold there, at no higher level and by no wildcard', async () => {
    const [plain, strong] = [await roleOf(home!), await roleOf(home!, 'bill:read')];
    const [member, biller] = [await memberOf(home!, strong), await memberOf(home!)];
    await addMember(admin, home!, biller, await createRole(admin, newName(), 'bill:read'));
    // What the administrator holds in another organization does not count.
    await addMember(admin, away!, lead, await createRole(admin, newName(), 'bill:read'));
    const create =
      (permissions: object[]): Send =>
      (as, there) =>
        as.post<Problem>('/api/role', { name: newName(), organization_id: home!.id, permissions }, there);
    const change =
      (role: RoleAnswer, body: object): Send =>
      (as, there) =>
        as.patch<Problem>(`/api/role/${role.id}`, body, there);
    const acts: [string, Send][] = [
      ['create with more', create([{ permission_id: 'bill:read' }])],
      ['create at a higher level', create([plan(2)])],
      ['create for all actions', create([{ permission_id: 'plan:*', level: 1 }])],
      ['create for all resources', create([{ permission_id: '*:read', level: 1 }])],
      ['create for all scopes', create([{ scope: '*', permission_id: 'plan:read', level: 1 }])],
      ['create for everything', create([{ permission_id: '*' }])],
      ['add more', change(plain, { add: [{ permission_id: 'bill:read' }] })],
      ['raise the level', change(plain, { permissions: [plan(7)] })],
      ['take away', change(strong, { remove: ['bill:read'] })],
      ['replace', change(strong, { permissions: [] })],
      ['rename what is stronger', change(strong, { name: newName() })],
      ['delete', (as, there) => as.delete(`/api/role/${strong.id}`, there)],
      ['give to others', (as, there) => as.post(usersOf(strong), { user_ids: [lead.id] }, there)],
      ['take from others', (as, there) => as.delete(`${usersOf(strong)}/${member.id}`, there)],
      ['replace the users', (as, there) => as.put(usersOf(strong), { user_ids: [] }, there)],
      ['give to one who holds more', (as, there) => as.post(usersOf(plain), { user_ids: [biller.id] }, there)],
      [
        'give by the membership',
        (as, there) => as.patch(`/api/organization/${home!.id}/members/${lead.id}`, { role_ids: [strong.id] }, there),
      ],
    ];
    const before = await stored();
    for (const [act, send] of acts) {
      const { status, body } = await send(lead.client, within(home!));
      expect([act, status, body.code]).toEqual([act, 403, 'escalation_denied']);
    }
    expect(await stored()).toEqual(before);
  });

  it('gives a role of the organization whatever the member holds elsewhere', async () => {
    const [role, member] = [await roleOf(home!), await memberOf(home!)];
    await addMember(admin, away!, member, await createRole(admin, newName(), 'bill:read'));
    await admin.patch(`/api/user/${member.id}/permissions`, { add: [{ permission_id: 'user:admin' }] });
    const added = await lead.client.post(usersOf(role), { user_ids: [member.id] }, within(home!));
    expect(added).toMatchObject({ status: 200, body: { added: 1 } });
    expect((await lead.client.delete(`${usersOf(role)}/${member.id}`, within(home!))).status).toBe(204);
  });

  it('needs a recent login to end the requirement of second factors, for a role and for a member', async () => {
    const { body: strict } = await admin.post<RoleAnswer>('/api/role', {
      name: newName(),
      organization_id: home!.id,
      mfa_required: true,
    });
    const member = await memberOf(home!, strict);
    const stale = await logInLongAgo(service, lead.username);
    const acts: Send[] = [
      (as, there) => as.patch(`/api/role/${strict.id}`, { mfa_required: false }, there),
      (as, there) => as.delete(`/api/role/${strict.id}`, there),
      (as, there) => as.delete(`${usersOf(strict)}/${member.id}`, there),
      (as, there) => as.put(usersOf(strict), { user_ids: [] }, there),
    ];
    for (const act of acts) expectProblem(await act(stale, within(home!)), 401, 'reauthentication_required');
    const recent = await service.logIn(lead.username, PASSWORD);
    expect((await recent.delete(`${usersOf(strict)}/${member.id}`, within(home!))).status).toBe(204);
  });

  it('is refused at once when they lose the permission', async () => {
    const temporary = await memberOf(home!);
    const role = await createRole(admin, newName(), 'role:read');
    const read = (): Promise<Answer> => temporary.client.get(`/api/role?organization_id=${home!.id}`, within(home!));
    const give = (role_ids: string[]): Promise<Answer> =>
      admin.patch(`/api/organization/${home!.id}/members/${temporary.id}`, { role_ids });
    expect((await read()).status).toBe(403);
    await give([role.id]);
    expect((await read()).status).toBe(200);
    await give([]);
    expect((await read()).status).toBe(403);
  });
});

describe('the list of roles to give in an organization', () => {
  it('has what the caller may hand out there, roles of the organization first, without system roles', async () => {
    const organization = await createOrganization(admin, 'giving');
    const [own, strong] = [await roleOf(organization, 'plan:read'), await roleOf(organization, 'bill:read')];
    const [plain, tooMuch] = [
      await createRole(admin, newName(), 'plan:read'),
      await createRole(admin, newName(), 'bill:read'),
    ];
    const foreign = await roleOf(away!, 'plan:read');
    const holds = await createRole(admin, newName(), 'plan:*', 'organization_member:update');
    const giver = await memberOf(organization, holds);
    const { status, body } = await giver.client.get<GivableRoles>(`${givable(organization)}?page_size=100`);
    expect(status).toBe(200);
    const ids = body.items.map(({ id }) => id);
    expect(ids[0]).toBe(own.id);
    expect(ids).toEqual(expect.arrayContaining([own.id, plain.id, holds.id]));
    for (const { id } of [strong, tooMuch, foreign]) expect(ids).not.toContain(id);
    expect(body.items.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['admin']));
    expect(body.items.filter(({ organization_id }) => organization_id !== undefined)).toMatchObject([
      { id: own.id, organization_id: organization.id },
    ]);
    for (const { id } of body.items) {
      const path = `/api/organization/${organization.id}/members/${(await memberOf(organization)).id}`;
      expect((await giver.client.patch(path, { role_ids: [id] })).status).toBe(200);
    }
  });

  it('is paged without a gap or a repeat', async () => {
    for (let role = 0; role < 4; role++) await roleOf(home!);
    const all = (await admin.get<GivableRoles>(`${givable(home!)}?page_size=100`)).body.items.map(({ id }) => id);
    expect((await pagesFor(admin, 2)).flatMap(({ items }) => items.map(({ id }) => id))).toEqual(all);
  });

  it('names no role in its cursors that it does not show', async () => {
    const hidden = await createRole(admin, newName(), 'bill:read');
    const giver = await memberOf(home!, await createRole(admin, newName(), 'organization_member:update'));
    for (const { items, next_cursor: cursor } of await pagesFor(giver.client, 1)) {
      expect(JSON.stringify(items) + Buffer.from(cursor ?? '', 'base64url').toString()).not.toContain(hidden.name);
    }
  });

  it.each([
    'organization_member:update',
    'group:create',
    'group:update',
    'invitation:create',
    'organization_domain:update',
  ])('is open to a holder of %s there', async (permission) => {
    const giver = await memberOf(home!, await createRole(admin, newName(), permission));
    expect((await giver.client.get(givable(home!))).status).toBe(200);
    expectProblem(await giver.client.get(givable(away!)), 404, 'not_found');
  });

  it('is closed to other members, to strangers and for unknown organizations', async () => {
    const [member, stranger] = [
      await memberOf(home!, await createRole(admin, newName(), 'role:read')),
      await memberOf(away!),
    ];
    expectProblem(await member.client.get(givable(home!)), 403, 'permission_denied');
    expectProblem(await stranger.client.get(givable(home!)), 404, 'not_found');
    expectProblem(await stranger.client.get(`/api/organization/${UNKNOWN}/roles`), 404, 'not_found');
    expectProblem(await admin.get(`/api/organization/${UNKNOWN}/roles`), 404, 'not_found');
    expectProblem(await admin.get(`${givable(home!)}?cursor=forged`), 400, 'validation_failed');
  });
});

describe('an administrator of roles everywhere', () => {
  it('manages the roles of every organization without naming one in the header', async () => {
    const everywhere = await anyUserWith(service, admin, 'role:*', 'organization_member:read', {
      permission_id: 'plan:read',
      level: 1,
    });
    const [role, member] = [await roleOf(home!), await memberOf(home!)];
    const list = await everywhere.client.get<{ total: number }>(`/api/role?organization_id=${home!.id}`);
    expect(list.body.total).toBeGreaterThan(0);
    for (const [act, send] of actsOn(role, member.id)) {
      expect([act, (await send(everywhere.client, {})).status < 300]).toEqual([act, true]);
    }
  });
});
