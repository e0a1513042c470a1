import { actAsEnabled } from '../../src/session';
import { expectProblem } from '../support/service/expect-problem';
import { actAs, ACT_AS } from '../support/accounts/acting';
import { createGroup, GroupAnswer, joinGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import { register } from '../support/oauth/oauth';
import { createRoleOf } from '../support/organizations/organization-roles';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { actOn, IMPERSONATING, NEW_PASSWORD } from '../support/accounts/user-acts';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let helpDesk: UserWithGrants;
let target: UserWithGrants;
let staff: RoleAnswer;
let team: GroupAnswer;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  await service.set(actAsEnabled, true);
});

const newName = (): string => `payroll_${made++}`;

beforeEach(async () => {
  await service.query('DELETE FROM oauth_client');
  helpDesk = await anyUserWith(service, admin, 'user:admin', ACT_AS);
  target = await anyUserWith(service, admin);
  staff = await createRole(admin, newName());
  team = await createGroup(admin, newName());
});

const giveRole = (role: RoleAnswer, ...users: UserWithGrants[]): Promise<Answer<Problem>> =>
  admin.post<Problem>(`/api/role/${role.id}/users`, { user_ids: users.map(({ id }) => id) });
const restricted = (access: object): Promise<unknown> => register(admin, { access: { mode: 'restricted', ...access } });
const claimOf = (from: string, filter?: string): Promise<unknown> =>
  register(admin, { claims: [{ name: from, from, in: ['id_token'], ...(filter !== undefined && { filter }) }] });
const setPassword = (by: UserWithGrants, of = target): Promise<Answer<Problem>> =>
  by.client.put<Problem>(`/api/user/${of.id}/password`, { new_password: NEW_PASSWORD });

const TRUSTS: [string, () => Promise<unknown>][] = [
  [
    'admits a role of the user',
    async () => [await giveRole(staff, target), await restricted({ role_ids: [staff.id] })],
  ],
  [
    'admits a role of a group of the user',
    async () => {
      const group = await createGroup(admin, newName(), { role_ids: [staff.id] });
      const below = await createGroup(admin, newName(), { parent_id: group.id });
      await joinGroup(admin, below.id, target.id);
      return restricted({ role_ids: [staff.id] });
    },
  ],
  [
    'admits a group',
    async () => {
      await joinGroup(admin, team.id, target.id);
      return restricted({ group_ids: [team.id] });
    },
  ],
  ['admits the user', () => restricted({ user_ids: [target.id] })],
  [
    'is owned by a user who may give such roles',
    async () => {
      const owner = await anyUserWith(service, admin, 'oauth_client:create', 'role:update');
      return register(owner.client, { access: { mode: 'restricted', user_ids: [target.id] } });
    },
  ],
  [
    'is shown a role in an organization',
    async () => {
      const organization = await createOrganization(admin, `tenant-${made++}`);
      await addMember(admin, organization, target, staff);
      return register(admin, { scopes: ['openid', 'organization'] });
    },
  ],
  [
    'is shown a role of an organization',
    async () => {
      const organization = await createOrganization(admin, `tenant-${made++}`);
      await addMember(admin, organization, target, await createRoleOf(admin, organization, newName()));
      return register(admin, { scopes: ['openid', 'organization'] });
    },
  ],
  [
    'is shown a role through a group of an organization',
    async () => {
      const organization = await createOrganization(admin, `tenant-${made++}`);
      await addMember(admin, organization, target);
      const group = await createGroup(admin, newName(), { organization_id: organization.id, role_ids: [staff.id] });
      await joinGroup(admin, group.id, target.id);
      return register(admin, { scopes: ['openid', 'organization'] });
    },
  ],
  ['is given roles', async () => [await giveRole(staff, target), await claimOf('roles')]],
  ['is given some roles', async () => [await giveRole(staff, target), await claimOf('roles', 'payroll_')]],
  [
    'is given groups',
    async () => {
      await joinGroup(admin, team.id, target.id);
      return claimOf('groups');
    },
  ],
];

const NO_TRUSTS: [string, () => Promise<unknown>][] = [
  [
    'is shown no organization',
    async () => {
      const organization = await createOrganization(admin, `tenant-${made++}`);
      await addMember(admin, organization, target, staff);
      return register(admin);
    },
  ],
  [
    'is owned by a user who may not give such roles',
    async () => {
      await joinGroup(admin, team.id, target.id);
      const owner = await anyUserWith(service, admin, 'oauth_client:create');
      const access = { mode: 'restricted', user_ids: [target.id], group_ids: [team.id] };
      return register(owner.client, { access });
    },
  ],
  ['admits everybody', async () => [await giveRole(staff, target), await register(admin)]],
  ['admits another user', () => restricted({ user_ids: [helpDesk.id] })],
  ['is given other roles', async () => [await giveRole(staff, target), await claimOf('roles', 'crm_')]],
  ['is given the default role', () => claimOf('roles')],
  [
    'is given permissions, which the cover judges',
    async () => [await giveRole(staff, target), await claimOf('permissions')],
  ],
  [
    'admits a role whose permissions the administrator holds',
    async () => {
      const role = await createRole(admin, newName(), 'user:admin');
      return [await giveRole(role, target), await restricted({ role_ids: [role.id] })];
    },
  ],
  [
    'admits a role that the administrator has, too',
    async () => [await giveRole(staff, target, helpDesk), await restricted({ role_ids: [staff.id] })],
  ],
];

describe('what an application gives a user by name', () => {
  it.each(TRUSTS)('is held by the user for a change of the account: it %s', async (_, arrange) => {
    expect((await setPassword(helpDesk)).status).toBe(204);
    await arrange();
    expectProblem(await setPassword(helpDesk), 403, 'escalation_denied');
    const complete = await anyUserWith(service, admin, 'user:admin', 'role:update');
    expect((await setPassword(complete)).status).toBe(204);
  });

  it.each(NO_TRUSTS)('is nothing where it %s', async (_, arrange) => {
    await arrange();
    expect((await setPassword(helpDesk)).status).toBe(204);
  });

  it('protects the user from every act through which another one could become the user', async () => {
    await giveRole(staff, target);
    await restricted({ role_ids: [staff.id] });
    for (const act of IMPERSONATING) {
      const { status, body } = await actOn(helpDesk.client, target.id, act);
      expect([act[0], status, body.code]).toEqual([act[0], 403, 'escalation_denied']);
    }
    expectProblem(await actAs(helpDesk.client, target), 403, 'escalation_denied');
    const [{ lacking } = {}] = await service.query<{ lacking?: unknown }>(
      `SELECT after -> 'lacking' AS lacking FROM audit_event WHERE action = 'permission.escalate' AND actor_id = $1`,
      [helpDesk.id],
    );
    expect(lacking).toMatchObject([{ scope: 'iam', permission_id: 'role:update' }]);
    for (const status of ['disabled', 'active']) {
      expect((await helpDesk.client.patch(`/api/user/${target.id}`, { status })).status).toBe(200);
    }
  });

  it('ends an acting session when it begins', async () => {
    expect((await actAs(helpDesk.client, target)).status).toBe(201);
    expect((await helpDesk.client.get('/api/auth/me')).status).toBe(200);
    await restricted({ user_ids: [target.id] });
    expectProblem(await helpDesk.client.get('/api/auth/me'), 401, 'session_revoked');
  });

  describe('is given with a group only by those who may give such names', () => {
    const GROUP_TRUSTS: [string, (group: GroupAnswer) => Promise<unknown>][] = [
      ['admits the group', (group) => restricted({ group_ids: [group.id] })],
      ['is given groups', () => claimOf('groups')],
      ['is given some groups', () => claimOf('groups', 'payroll_')],
    ];
    const join = (by: UserWithGrants, group: GroupAnswer): Promise<Answer<Problem>> =>
      by.client.post<Problem>(`/api/group/${group.id}/users`, { user_ids: [target.id] });
    const put = (by: UserWithGrants, group: GroupAnswer): Promise<Answer<Problem>> =>
      by.client.put<Problem>(`/api/group/${group.id}/users`, { user_ids: [target.id] });
    const manager = (...more: string[]): Promise<UserWithGrants> =>
      anyUserWith(service, admin, 'group:create', 'group:read', 'group:update', ...more);

    it.each(GROUP_TRUSTS)('to a new member: an application %s', async (_, arrange) => {
      const by = await manager();
      const below = await createGroup(admin, newName(), { parent_id: team.id });
      expect((await join(by, team)).status).toBe(200);
      await by.client.delete(`/api/group/${team.id}/users/${target.id}`);
      await arrange(team);
      for (const group of [team, below]) {
        expectProblem(await join(by, group), 403, 'escalation_denied');
        expectProblem(await put(by, group), 403, 'escalation_denied');
        expect((await by.client.get<{ items: object[] }>(`/api/group/${group.id}/users`)).body.items).toEqual([]);
      }
      expect((await join(await manager('role:update'), below)).status).toBe(200);
      // Who leaves loses only.
      expect((await by.client.delete(`/api/group/${below.id}/users/${target.id}`)).status).toBe(204);
    });

    it('by a group that is moved below it, or gets its name', async () => {
      const by = await manager();
      const own = await createGroup(by.client, `plain_${made++}`);
      expect((await join(by, own)).status).toBe(200);
      await restricted({ group_ids: [team.id] });
      await claimOf('groups', 'payroll_');
      const change = (body: object) => by.client.patch<Problem>(`/api/group/${own.id}`, body);
      expectProblem(await change({ parent_id: team.id }), 403, 'escalation_denied');
      expectProblem(await change({ name: newName() }), 403, 'escalation_denied');
      expect((await change({ name: `plain_${made++}` })).status).toBe(200);
      expect((await join(by, own)).status).toBe(200);
    });

    it('except within an organization, whose groups no application sees', async () => {
      const organization = await createOrganization(admin, `tenant-${made++}`);
      await addMember(admin, organization, target);
      const by = await manager();
      const group = await createGroup(admin, newName(), { organization_id: organization.id });
      await claimOf('groups');
      expect((await join(by, group)).status).toBe(200);
    });
  });

  it('limits no user who changes the own account', async () => {
    await restricted({ user_ids: [helpDesk.id] });
    const { id } = helpDesk;
    expect((await helpDesk.client.patch(`/api/user/${id}`, { nickname: 'Desk' })).status).toBe(200);
  });
});
