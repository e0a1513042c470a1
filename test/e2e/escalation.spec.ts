import { createRole, GrantInput, UserWithGrants, userWith, RoleAnswer, systemRole } from '../support/accounts/holders';
import { Answer, TestClient } from '../support/service/test-client';
import { raceRounds } from '../support/service/race-rounds';
import { TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';
import { withService } from '../support/service/with-service';

type Send = (as: TestClient) => Promise<Answer<{ code?: string }>>;

describe('privilege escalation guard', () => {
  let service: TestService;
  let admin: TestClient;
  /**
   * Holds every permission that the routes require, but only up to level 3, and otherwise only `report:*` up to level
   * 3.
   */
  let clerk: UserWithGrants;
  let below: UserWithGrants;
  let above: UserWithGrants;
  let weak: RoleAnswer;
  let strong: RoleAnswer;
  let adminRole: RoleAnswer;

  const CLERK: GrantInput[] = [
    { permission_id: 'role:*', level: 4 },
    { permission_id: 'user:admin', level: 7 },
    { permission_id: 'permission:*', level: 4 },
    { permission_id: 'report:*', level: 3 },
  ];

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    clerk = await userWith(service, admin, 'clerk', ...CLERK);
    below = await userWith(service, admin, 'below', { permission_id: 'report:read', level: 1 });
    above = await userWith(service, admin, 'above', { permission_id: 'billing:read', level: 1 });
    weak = await createRole(admin, 'weak', { permission_id: 'report:read', level: 1 });
    strong = await createRole(
      admin,
      'strong',
      { permission_id: 'report:read', level: 1 },
      { permission_id: 'report:read', scope: 'crm' },
    );
    adminRole = await systemRole(admin, 'admin');
  });

  /** All data that determines permissions. */
  const everything = async (): Promise<unknown> => ({
    roles: await service.query('SELECT id, scope, name, description FROM role ORDER BY id'),
    roleGrants: await service.query('SELECT * FROM role_grant ORDER BY role_id, scope, permission_id'),
    userGrants: await service.query('SELECT * FROM user_grant ORDER BY user_id, scope, permission_id'),
    members: await service.query('SELECT user_id, role_id FROM user_role ORDER BY user_id, role_id'),
    catalogue: await service.query('SELECT scope, permission_id FROM catalogue_entry ORDER BY scope, permission_id'),
  });

  const wider: [string, GrantInput][] = [
    ['a higher level', { permission_id: 'report:read', level: 4 }],
    ['an omitted level, which means 7', { permission_id: 'report:read' }],
    ['another scope', { scope: 'crm', permission_id: 'report:read', level: 1 }],
    ['every scope', { scope: '*', permission_id: 'report:read', level: 1 }],
    ['another resource', { permission_id: 'billing:read', level: 1 }],
    ['every resource', { permission_id: '*:read', level: 1 }],
    ['everything', { permission_id: '*', level: 1 }],
    ['everything in every scope', { scope: '*', permission_id: '*:*', level: 7 }],
  ];

  describe.each(wider)('a grant of %s', (_, grant) => {
    const paths: [string, Send][] = [
      ['in a new role', (as) => as.post('/api/role', { name: 'grabbed', permissions: [grant] })],
      [
        'as the second grant of a new role',
        (as) =>
          as.post('/api/role', { name: 'grabbed', permissions: [{ permission_id: 'report:update', level: 3 }, grant] }),
      ],
      ['by an addition to a role', (as) => as.patch(`/api/role/${weak.id}`, { add: [grant] })],
      ['by replacing the grants of a role', (as) => as.patch(`/api/role/${weak.id}`, { permissions: [grant] })],
      ['to another user', (as) => as.patch(`/api/user/${below.id}/permissions`, { add: [grant] })],
      ['to the caller', (as) => as.patch(`/api/user/${clerk.id}/permissions`, { add: [grant] })],
    ];

    it.each(paths)('is denied %s', async (_path, send) => {
      const before = await everything();
      expectProblem(await send(clerk.client), 403, 'escalation_denied');
      expect(await everything()).toEqual(before);
    });
  });

  const acts: [string, Send][] = [
    ['renaming a role with more permissions', (as) => as.patch(`/api/role/${strong.id}`, { name: 'stolen' })],
    ['describing a role with more permissions', (as) => as.patch(`/api/role/${strong.id}`, { description: 'mine' })],
    [
      'adding to a role with more permissions',
      (as) => as.patch(`/api/role/${strong.id}`, { add: [{ permission_id: 'report:update', level: 1 }] }),
    ],
    [
      'removing from a role a permission that the caller lacks',
      (as) => as.patch(`/api/role/${strong.id}`, { remove: ['crm:report:read'] }),
    ],
    ['emptying a role with more permissions', (as) => as.patch(`/api/role/${strong.id}`, { permissions: [] })],
    ['deleting a role with more permissions', (as) => as.delete(`/api/role/${strong.id}`)],
    [
      'putting another user into a role with more permissions',
      (as) => as.put(`/api/role/${strong.id}/users`, { user_ids: [below.id] }),
    ],
    [
      'putting the caller into a role with more permissions',
      (as) => as.put(`/api/role/${strong.id}/users`, { user_ids: [clerk.id] }),
    ],
    ['removing the users of such a role', (as) => as.put(`/api/role/${strong.id}/users`, { user_ids: [] })],
    [
      'putting a user with more permissions into a role',
      (as) => as.put(`/api/role/${weak.id}/users`, { user_ids: [below.id, above.id] }),
    ],
    ['giving a role with more permissions', (as) => as.post(`/api/user/${below.id}/roles`, { role_ids: [strong.id] })],
    ['giving such a role second', (as) => as.post(`/api/user/${below.id}/roles`, { role_ids: [weak.id, strong.id] })],
    ['taking such a role', (as) => as.post(`/api/user/${clerk.id}/roles`, { role_ids: [strong.id] })],
    ['giving the role admin', (as) => as.post(`/api/user/${below.id}/roles`, { role_ids: [adminRole.id] })],
    ['taking the role admin', (as) => as.post(`/api/user/${clerk.id}/roles`, { role_ids: [adminRole.id] })],
    [
      'giving a role to a user with more permissions',
      (as) => as.post(`/api/user/${above.id}/roles`, { role_ids: [weak.id] }),
    ],
    [
      'granting a permission to a user with more permissions',
      (as) => as.patch(`/api/user/${above.id}/permissions`, { add: [{ permission_id: 'report:read', level: 1 }] }),
    ],
    [
      'removing a grant from a user with more permissions',
      (as) => as.patch(`/api/user/${above.id}/permissions`, { remove: ['billing:read'] }),
    ],
    ['an empty change of a user with more permissions', (as) => as.patch(`/api/user/${above.id}/permissions`, {})],
    [
      'adding to the catalogue of another scope',
      (as) => as.post('/api/permission', { scope: 'crm', permission_id: 'report:publish', required_level: 1 }),
    ],
  ];

  it.each(acts)('denies %s and changes nothing', async (_, send) => {
    const before = await everything();
    expectProblem(await send(clerk.client), 403, 'escalation_denied');
    expect(await everything()).toEqual(before);
  });

  it('denies removing the role admin from an administrator', async () => {
    const { body } = await admin.get<{ id: string }>('/api/auth/me');
    const answer = await clerk.client.delete(`/api/user/${body.id}/roles/${adminRole.id}`);
    expectProblem(answer, 403, 'escalation_denied');
  });

  it('denies removing a user with more permissions from a role', async () => {
    await admin.put(`/api/role/${weak.id}/users`, { user_ids: [above.id] });
    const emptied = await clerk.client.put(`/api/role/${weak.id}/users`, { user_ids: [] });
    expectProblem(emptied, 403, 'escalation_denied');
    const taken = await clerk.client.delete(`/api/user/${above.id}/roles/${weak.id}`);
    expectProblem(taken, 403, 'escalation_denied');
    await admin.put(`/api/role/${weak.id}/users`, { user_ids: [] });
  });

  it('allows granting and revoking what the caller holds', async () => {
    const role = await createRole(clerk.client, 'clerks_own', { permission_id: 'report:update', level: 3 });
    expect(
      (
        await clerk.client.patch(`/api/role/${role.id}`, {
          name: 'renamed_own',
          add: [{ permission_id: 'report:read', level: 2 }],
        })
      ).status,
    ).toBe(200);
    expect((await clerk.client.put(`/api/role/${role.id}/users`, { user_ids: [below.id, clerk.id] })).status).toBe(200);
    expect((await clerk.client.delete(`/api/user/${below.id}/roles/${role.id}`)).status).toBe(204);
    expect(
      (
        await clerk.client.patch(`/api/user/${below.id}/permissions`, {
          add: [{ permission_id: 'report:*', level: 3 }],
        })
      ).status,
    ).toBe(200);
    expect((await clerk.client.patch(`/api/user/${below.id}/permissions`, { remove: ['report:*'] })).status).toBe(200);
    expect((await clerk.client.delete(`/api/role/${role.id}`)).status).toBe(204);
  });

  it('applies full permissions of one scope neither to another scope nor to the role admin', async () => {
    const lord = await userWith(service, admin, 'lord', { permission_id: '*', level: 7 });
    const crm = { name: 'crm_role', permissions: [{ scope: 'crm', permission_id: 'a:read', level: 1 }] };
    expectProblem(await lord.client.post('/api/role', crm), 403, 'escalation_denied');
    const give = await lord.client.post(`/api/user/${lord.id}/roles`, { role_ids: [adminRole.id] });
    expectProblem(give, 403, 'escalation_denied');
  });

  it('does not treat full permissions below level 7 as all permissions', async () => {
    const almost = await userWith(service, admin, 'almost', { scope: '*', permission_id: '*', level: 6 }, 'user:admin');
    const give = await almost.client.post(`/api/user/${almost.id}/roles`, { role_ids: [adminRole.id] });
    expectProblem(give, 403, 'escalation_denied');
  });

  describe('under concurrency', () => {
    it('never assigns more than the assigner holds, even when the role grows in the meantime', async () => {
      const grown: GrantInput = { permission_id: 'billing:admin', level: 7 };
      for (let round = 0; round < 15; round++) {
        const role = await createRole(admin, `growing_${round}`, { permission_id: 'report:read', level: 1 });
        const [given] = await Promise.all([
          clerk.client.post<{ items?: RoleAnswer[] }>(`/api/user/${below.id}/roles`, { role_ids: [role.id] }),
          admin.patch(`/api/role/${role.id}`, { add: [grown] }),
        ]);
        // A 200 means the role was assigned before it grew. The response must then not contain the new permission.
        const seen = given.body.items?.find(({ id }) => id === role.id)?.permissions ?? [];
        expect([200, 403]).toContain(given.status);
        expect(seen.map(({ permission_id }) => permission_id)).not.toContain('billing:admin');
        await admin.delete(`/api/role/${role.id}`);
      }
    });

    it('lets one of two users who revoke the same permission from each other keep it', async () => {
      const ann = await userWith(service, admin, 'race_ann', 'user:admin', 'role:update', 'race:admin');
      const bob = await userWith(service, admin, 'race_bob', 'user:admin', 'role:update', 'race:admin');
      const strip = (as: UserWithGrants, from: UserWithGrants): Promise<Answer> =>
        as.client.patch(`/api/user/${from.id}/permissions`, { remove: ['race:admin'] });
      for (let round = 0; round < 15; round++) {
        const statuses = (await Promise.all([strip(ann, bob), strip(bob, ann)])).map(({ status }) => status);
        expect(statuses.sort()).toEqual([200, 403]);
        for (const { id } of [ann, bob]) {
          await admin.patch(`/api/user/${id}/permissions`, { add: [{ permission_id: 'race:admin' }] });
        }
      }
    });
  });
});

describe('last administrator', () => {
  let service: TestService;
  let first: TestClient;
  let role: RoleAnswer;
  let firstId: string;

  withService(async (started) => {
    service = started;
    await service.query(`INSERT INTO setting (key, value) VALUES ('rate.admin_writes_per_minute_user', '100000')`);
    first = await service.admin();
    role = await systemRole(first, 'admin');
    firstId = (await first.get<{ id: string }>('/api/auth/me')).body.id;
  });

  const demote = (as: TestClient, id: string): Promise<Answer> => as.delete(`/api/user/${id}/roles/${role.id}`);
  const promote = async (as: TestClient, id: string): Promise<void> => {
    expect((await as.post(`/api/user/${id}/roles`, { role_ids: [role.id] })).status).toBe(200);
  };

  it('cannot give up the role while no other administrator can log in', async () => {
    expectProblem(await demote(first, firstId), 409, 'last_admin');
    const idle = await userWith(service, first, 'idle');
    await promote(first, idle.id);
    for (const unable of [`status = 'disabled'`, `status = 'active', password_hash = NULL`]) {
      await service.query(`UPDATE user_account SET ${unable} WHERE id = $1`, [idle.id]);
      expectProblem(await demote(first, firstId), 409, 'last_admin');
    }
    expectProblem(await first.delete('/api/auth/me'), 409, 'last_admin');
    expect((await demote(first, idle.id)).status).toBe(204);
  });

  it('can give up the role when another administrator can log in, behind many who cannot', async () => {
    const able = await userWith(service, first, 'able');
    await promote(first, able.id);
    // These users are active but have no credential, and their ids sort before all others.
    await service.query(
      `WITH unable AS (INSERT INTO user_account (id, username)
         SELECT ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, 'unable_' || number
         FROM generate_series(1, 1001) AS number RETURNING id)
       INSERT INTO user_role (role_id, user_id) SELECT $1, id FROM unable`,
      [role.id],
    );
    expect((await demote(first, firstId)).status).toBe(204);
    const { client } = able;
    await promote(client, firstId);
    expect((await demote(client, able.id)).status).toBe(204);
    await service.query(`DELETE FROM user_account WHERE username LIKE 'unable%'`);
  });

  it('can be changed by a caller who holds every permission without the role', async () => {
    const peer = await userWith(service, first, 'peer', { scope: '*', permission_id: '*:*', level: 7 });
    await promote(peer.client, peer.id);
    expect((await demote(peer.client, peer.id)).status).toBe(204);
    expectProblem(await demote(peer.client, firstId), 409, 'last_admin');
  });

  describe('under concurrency', () => {
    let other: UserWithGrants;
    let elsewhere: TestClient;

    beforeAll(async () => {
      // Both users hold the required permissions directly, so only the role decides each round.
      const direct = ['user:admin', 'role:update'].map((permission_id) => ({ permission_id }));
      other = await userWith(service, first, 'other_admin', ...direct);
      expect((await first.patch(`/api/user/${firstId}/permissions`, { add: direct })).status).toBe(200);
      elsewhere = await (await service.another()).logIn(other.username);
    });

    beforeEach(async () => {
      await service.query('DELETE FROM user_role WHERE role_id = $1 AND user_id <> $2', [role.id, firstId]);
    });

    /** Writes both administrators directly to the table, so that each round starts immediately. */
    const reinstate = (): Promise<unknown> =>
      service.query(
        `INSERT INTO user_role (role_id, user_id) SELECT $1, id FROM unnest($2::uuid[]) AS both_of_them (id)
         ON CONFLICT DO NOTHING`,
        [role.id, [firstId, other.id]],
      );
    const administrators = async (): Promise<number> =>
      (await service.query('SELECT 1 FROM user_role WHERE role_id = $1', [role.id])).length;
    const outcome = ({ status, body }: Answer): string =>
      `${status} ${(body as { code?: string } | undefined)?.code ?? ''}`;

    it('remains when two administrators demote each other on two instances', async () => {
      for (let round = 0; round < raceRounds(200); round++) {
        await reinstate();
        const answers = await Promise.all([demote(first, other.id), demote(elsewhere, firstId)]);
        expect({ round, left: await administrators(), outcomes: answers.map(outcome).sort() }).toEqual({
          round,
          left: 1,
          outcomes: ['204 ', '403 escalation_denied'],
        });
      }
    }, 120_000);

    it('remains when two administrators give up the role on two instances', async () => {
      for (let round = 0; round < raceRounds(50); round++) {
        await reinstate();
        const answers = await Promise.all([demote(first, firstId), demote(elsewhere, other.id)]);
        expect({ round, left: await administrators(), outcomes: answers.map(outcome).sort() }).toEqual({
          round,
          left: 1,
          outcomes: ['204 ', '409 last_admin'],
        });
      }
    }, 60_000);
  });
});
