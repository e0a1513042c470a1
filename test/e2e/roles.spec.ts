import { createRole, userWith, RoleAnswer } from '../support/accounts/holders';
import { Problem, TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';
import { createGroup } from '../support/accounts/groups';
import { withService } from '../support/service/with-service';

interface RoleList {
  items: RoleAnswer[];
  total: number;
  page: number;
  page_size: number;
}

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

describe('roles', () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  const audited = (id: string): Promise<{ action: string; before: unknown; after: unknown }[]> =>
    service.query('SELECT action, before, after FROM audit_event WHERE target_id = $1 ORDER BY id', [id]);

  describe('creation', () => {
    it('stores all fields, with grants by scope and permission', async () => {
      const answer = await admin.post<RoleAnswer>('/api/role', {
        name: 'editor.A-1_b',
        description: 'Edits reports',
        scope: 'crm',
        mfa_required: false,
        permissions: [
          { permission_id: 'report:update', level: 3 },
          { scope: 'crm', permission_id: 'report:*' },
          { permission_id: 'crm:note:read', level: 1 },
          { permission_id: '*' },
        ],
      });
      expect(answer.status).toBe(201);
      const { id, created_at, updated_at, ...role } = answer.body;
      expect(role).toEqual({
        name: 'editor.A-1_b',
        description: 'Edits reports',
        scope: 'crm',
        mfa_required: false,
        is_system: false,
        user_count: 0,
        permissions: [
          { scope: 'crm', permission_id: 'note:read', level: 1 },
          { scope: 'crm', permission_id: 'report:*', level: 7 },
          { scope: 'iam', permission_id: '*:*', level: 7 },
          { scope: 'iam', permission_id: 'report:update', level: 3 },
        ],
      });
      expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(updated_at).toBe(created_at);
      expect((await admin.get<RoleAnswer>(`/api/role/${id}`)).body).toEqual(answer.body);
      expect(await audited(id)).toMatchObject([
        { action: 'role.create', before: null, after: { name: 'editor.A-1_b' } },
      ]);
    });

    it("needs only a name, and creates a role without permissions in the service's own scope", async () => {
      expect(await createRole(admin, 'bare')).toMatchObject({ scope: 'iam', description: '', permissions: [] });
    });

    it('rejects a duplicate name in a scope, but not in another scope or case', async () => {
      await createRole(admin, 'twice');
      expectProblem(await admin.post('/api/role', { name: 'twice' }), 409, 'name_taken');
      expect((await admin.post('/api/role', { name: 'twice', scope: 'crm' })).status).toBe(201);
      expect((await admin.post('/api/role', { name: 'Twice' })).status).toBe(201);
    });

    it.each([
      ['too short a name', { name: 'a' }, 'name', 'min_length'],
      ['too long a name', { name: 'a'.repeat(51) }, 'name', 'max_length'],
      ['a name with other characters', { name: 'a b' }, 'name', 'role_name'],
      ['no name', {}, 'name', 'required'],
      ['a malformed scope', { name: 'bad', scope: 'CRM' }, 'scope', 'scope'],
      ['an empty scope', { name: 'bad', scope: '' }, 'scope', 'scope'],
      ['a response field', { name: 'bad', is_system: true }, 'is_system', 'unknown_field'],
      ['too long a description', { name: 'bad', description: 'd'.repeat(501) }, 'description', 'max_length'],
    ])('rejects %s', async (_, body, field, code) => {
      const answer = await admin.post<Problem>('/api/role', body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([{ field, code }]);
    });

    it.each([
      [{ permission_id: 'role' }, 'permission_id', 'permission'],
      [{ permission_id: 'role:' }, 'permission_id', 'permission'],
      [{ permission_id: 'ROLE:*' }, 'permission_id', 'permission'],
      [{ permission_id: 'role:*:x:y' }, 'permission_id', 'permission'],
      [{ permission_id: 'rol*:read' }, 'permission_id', 'permission'],
      [{ permission_id: ' role:read' }, 'permission_id', 'permission'],
      [{ permission_id: '' }, 'permission_id', 'permission'],
      [{ scope: '', permission_id: 'role:read' }, 'scope', 'scope'],
      [{ scope: 'iam', permission_id: 'crm:role:read' }, 'scope', 'scope_disagrees'],
      [{ permission_id: 'role:read', level: 0 }, 'level', 'min'],
      [{ permission_id: 'role:read', level: 8 }, 'level', 'max'],
      [{ permission_id: 'role:read', level: 1.5 }, 'level', 'type_integer'],
      [{ permission_id: 'role:read', grantable: true }, 'grantable', 'unknown_field'],
      [{}, 'permission_id', 'required'],
    ])('rejects the grant %j', async (grant, member, code) => {
      const body = { name: 'never', permissions: [{ permission_id: 'fine:read' }, grant] };
      const answer = await admin.post<Problem>('/api/role', body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([{ field: `permissions[1].${member}`, code }]);
    });

    it('rejects a duplicate permission in any spelling', async () => {
      const permissions = [
        { permission_id: 'a:read', level: 1 },
        { permission_id: 'iam:a:read', level: 2 },
      ];
      const answer = await admin.post<Problem>('/api/role', { name: 'never', permissions });
      expect(answer.body.errors).toMatchObject([{ field: 'permissions[1]', code: 'unique' }]);
    });
  });

  describe('list', () => {
    beforeAll(async () => {
      for (const name of ['zeta', 'Beta', 'alpha_1', 'alphaX1']) {
        await admin.post('/api/role', { name, scope: 'listed' });
      }
    });

    const names = async (query: string): Promise<string[]> =>
      (await admin.get<RoleList>(`/api/role?${query}`)).body.items.map(({ name }) => name);

    it('is sorted by scope and name, with pages', async () => {
      const all = await admin.get<RoleList>('/api/role?page_size=100');
      const keys = all.body.items.map(({ scope, name }) => `${scope}\n${name}`);
      expect(keys).toEqual([...keys].sort());
      expect(all.body).toMatchObject({ total: keys.length, page: 1, page_size: 100 });
      expect(await names('scope=listed')).toEqual(['Beta', 'alphaX1', 'alpha_1', 'zeta']);
      const second = await admin.get<RoleList>('/api/role?scope=listed&page=2&page_size=3');
      expect(second.body).toMatchObject({ items: [{ name: 'zeta' }], total: 4, page: 2, page_size: 3 });
      expect((await admin.get<RoleList>('/api/role?scope=listed&page=3&page_size=3')).body).toMatchObject({
        items: [],
        total: 4,
      });
    });

    it('is filtered by a literal part of the name in any case', async () => {
      expect(await names('scope=listed&keyword=BET')).toEqual(['Beta']);
      expect(await names('scope=listed&keyword=a_1')).toEqual(['alpha_1']);
      expect(await names('scope=listed&keyword=%25')).toEqual([]);
    });

    it.each(['page=0', 'page_size=101', 'page_size=x', 'sort=name', 'cursor=', 'page=1&page=2', 'scope=X'])(
      'rejects ?%s',
      async (query) => {
        expect((await admin.get(`/api/role?${query}`)).status).toBe(400);
      },
    );

    it('includes the number of users', async () => {
      const role = await createRole(admin, 'counted');
      const ann = await userWith(service, admin, 'counted_ann');
      await admin.put(`/api/role/${role.id}/users`, { user_ids: [ann.id] });
      const { body } = await admin.get<RoleList>('/api/role?keyword=counted');
      expect(body.items).toMatchObject([{ id: role.id, user_count: 1 }]);
    });
  });

  describe('change', () => {
    const permissionsOf = async (id: string): Promise<string[]> =>
      (await admin.get<RoleAnswer>(`/api/role/${id}`)).body.permissions.map(
        ({ scope, permission_id, level }) => `${scope}:${permission_id}@${level}`,
      );

    it('adds and removes single grants: a present one gets the new level, a missing one is no error', async () => {
      const role = await createRole(admin, 'steps', { permission_id: 'a:read', level: 1 }, 'b:read', 'crm:c:read');
      const answer = await admin.patch<RoleAnswer>(`/api/role/${role.id}`, {
        add: [
          { permission_id: 'a:read', level: 5 },
          { scope: 'crm', permission_id: 'd:read' },
        ],
        remove: ['b:read', 'c:read', 'nothing:read'],
      });
      expect(answer.status).toBe(200);
      // `c:read` without a scope belongs to the service's own scope, so the grant of crm stays.
      expect(await permissionsOf(role.id)).toEqual(['crm:c:read@7', 'crm:d:read@7', 'iam:a:read@5']);
      await admin.patch(`/api/role/${role.id}`, { remove: ['crm:c:read', 'crm:d:read'] });
      expect(await permissionsOf(role.id)).toEqual(['iam:a:read@5']);
    });

    it('replaces all grants with `permissions`, also with none', async () => {
      const role = await createRole(admin, 'whole', 'a:read', 'b:read');
      await admin.patch(`/api/role/${role.id}`, { permissions: [{ permission_id: 'c:read', level: 2 }] });
      expect(await permissionsOf(role.id)).toEqual(['iam:c:read@2']);
      await admin.patch(`/api/role/${role.id}`, { permissions: [] });
      expect(await permissionsOf(role.id)).toEqual([]);
    });

    it.each([{ add: [] }, { remove: [] }, { add: [{ permission_id: 'x:read' }] }])(
      'rejects permissions beside %j',
      async (step) => {
        const role = await createRole(admin, `both_${Object.keys(step)[0]}_${JSON.stringify(step).length}`, 'a:read');
        const answer = await admin.patch<Problem>(`/api/role/${role.id}`, { permissions: [], ...step });
        expect(answer.status).toBe(400);
        expect(answer.body.errors).toMatchObject([{ field: 'permissions', code: 'one_mode' }]);
        expect(await permissionsOf(role.id)).toEqual(['iam:a:read@7']);
      },
    );

    it('rejects an added and removed permission, and a malformed one', async () => {
      const role = await createRole(admin, 'contradiction');
      const errors = async (body: object): Promise<unknown> =>
        (await admin.patch<Problem>(`/api/role/${role.id}`, body)).body.errors;
      expect(await errors({ add: [{ permission_id: 'a:read' }], remove: ['iam:a:read'] })).toMatchObject([
        { field: 'remove[0]', code: 'unique' },
      ]);
      expect(await errors({ remove: ['a:read', 'nonsense'] })).toMatchObject([
        { field: 'remove[1]', code: 'permission' },
      ]);
      expect(await errors({ remove: [7] })).toMatchObject([{ field: 'remove[0]', code: 'type_text' }]);
      expect(await errors({ scope: 'crm' })).toMatchObject([{ field: 'scope', code: 'unknown_field' }]);
    });

    it('sets name, description and time, but neither time nor audit without a change', async () => {
      const role = await createRole(admin, 'named', 'a:read');
      const same = await admin.patch<RoleAnswer>(`/api/role/${role.id}`, {
        name: 'named',
        add: [{ permission_id: 'a:read' }],
      });
      expect(same.body).toEqual(role);
      const renamed = await admin.patch<RoleAnswer>(`/api/role/${role.id}`, { name: 'renamed', description: 'new' });
      expect(renamed.body).toMatchObject({ name: 'renamed', description: 'new', permissions: role.permissions });
      expect(renamed.body.updated_at >= role.updated_at).toBe(true);
      expect((await admin.patch(`/api/role/${role.id}`, { description: null })).body).toMatchObject({
        description: '',
      });
      expect(await audited(role.id)).toMatchObject([
        { action: 'role.create' },
        {
          action: 'role.update',
          before: { name: 'named', description: '' },
          after: { name: 'renamed', description: 'new' },
        },
        { action: 'role.update', after: { description: '' } },
      ]);
    });

    it('rejects a name that is taken in the scope', async () => {
      await createRole(admin, 'taken_name');
      const role = await createRole(admin, 'free_name');
      expectProblem(await admin.patch(`/api/role/${role.id}`, { name: 'taken_name' }), 409, 'name_taken');
      expectProblem(await admin.patch(`/api/role/${role.id}`, { name: 'admin' }), 409, 'name_taken');
    });

    it('is effective on the next request here, and within a second on other instances', async () => {
      const other = await service.another();
      const role = await createRole(admin, 'binding', 'role:read');
      const { id, client } = await userWith(service, admin, 'bound');
      const elsewhere = await other.logIn('bound');
      const listed = (): Promise<number> => client.get('/api/role').then(({ status }) => status);
      const listedElsewhere = (): Promise<number> => elsewhere.get('/api/role').then(({ status }) => status);
      expect([await listed(), await listedElsewhere()]).toEqual([403, 403]);
      await admin.put(`/api/role/${role.id}/users`, { user_ids: [id] });
      expect(await listed()).toBe(200);
      await eventually(listedElsewhere, (status) => status === 200, 1.2);
      await admin.patch(`/api/role/${role.id}`, { remove: ['role:read'] });
      expect(await listed()).toBe(403);
      await eventually(listedElsewhere, (status) => status === 403, 1.2);
      await admin.patch(`/api/role/${role.id}`, { add: [{ permission_id: 'role:read' }] });
      expect(await listed()).toBe(200);
      await admin.delete(`/api/role/${role.id}`);
      expect(await listed()).toBe(403);
    });
  });

  describe('deletion', () => {
    it('removes the permissions of the role and audits its previous state', async () => {
      const role = await createRole(admin, 'goner', 'role:read');
      const { id, client } = await userWith(service, admin, 'goner_user');
      await admin.put(`/api/role/${role.id}/users`, { user_ids: [id] });
      const group = await createGroup(admin, 'Goner group', { role_ids: [role.id] });
      expect((await client.get('/api/role')).status).toBe(200);
      expect((await admin.delete(`/api/role/${role.id}`)).status).toBe(204);
      expect((await client.get('/api/role')).status).toBe(403);
      expect((await admin.get(`/api/role/${role.id}`)).status).toBe(404);
      expect((await admin.delete(`/api/role/${role.id}`)).status).toBe(404);
      expect((await audited(role.id)).at(-1)).toMatchObject({
        action: 'role.delete',
        before: {
          name: 'goner',
          user_count: 1,
          group_count: 1,
          group_ids: [group.id],
          permissions: [{ permission_id: 'role:read' }],
        },
        after: null,
      });
    });
  });

  describe('order of checks', () => {
    it('is permission, then fields, then existence', async () => {
      const ann = await userWith(service, admin, 'orderly');
      expect((await ann.client.patch(`/api/role/${UNKNOWN}`, { nonsense: 1 })).status).toBe(403);
      expect((await admin.patch(`/api/role/${UNKNOWN}`, { nonsense: 1 })).status).toBe(400);
      expect((await admin.patch(`/api/role/${UNKNOWN}`, { permissions: [], add: [] })).status).toBe(400);
      expect((await admin.patch(`/api/role/${UNKNOWN}`, {})).status).toBe(404);
      expect((await admin.patch('/api/role/not-an-id', {})).status).toBe(404);
      expect((await admin.get(`/api/role/${UNKNOWN}/users?page=0`)).status).toBe(400);
      expect((await admin.get(`/api/role/${UNKNOWN}/users`)).status).toBe(404);
    });
  });
});
