import { Transactions } from '../../src/platform/database';
import { ImportedRolesService } from '../../src/rbac';
import { expectProblem } from '../support/service/expect-problem';
import { createRole, RoleAnswer, systemRole } from '../support/accounts/holders';
import { Answer, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('system roles', () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  it.each(['admin', 'user'] as const)('reject change, deletion and bulk assignment: %s', async (name) => {
    const role = await systemRole(admin, name);
    const expectProtected = (answer: Answer): void => {
      expectProblem(answer, 403, 'system_role_protected');
    };
    expectProtected(await admin.patch(`/api/role/${role.id}`, {}));
    expectProtected(await admin.patch(`/api/role/${role.id}`, { name: 'other' }));
    expectProtected(await admin.patch(`/api/role/${role.id}`, { permissions: [] }));
    expectProtected(await admin.delete(`/api/role/${role.id}`));
    expectProtected(await admin.get(`/api/role/${role.id}/users`));
    expectProtected(await admin.put(`/api/role/${role.id}/users`, { user_ids: [] }));
    expect((await admin.get<RoleAnswer>(`/api/role/${role.id}`)).body).toEqual(role);
  });

  it('have the permissions of the code', async () => {
    expect((await systemRole(admin, 'admin')).permissions).toEqual([{ scope: '*', permission_id: '*:*', level: 7 }]);
    expect((await systemRole(admin, 'user')).permissions).toEqual([
      { scope: 'iam', permission_id: 'profile:read', level: 1 },
      { scope: 'iam', permission_id: 'profile:update', level: 3 },
    ]);
  });

  // `direct` marks a grant without a role in responses.
  it.each(['admin', 'user', 'direct', 'Admin', 'ADMIN', 'uSer', 'Direct'])(
    'reserve the name %s in every scope',
    async (name) => {
      expectProblem(await admin.post('/api/role', { name, scope: 'crm' }), 409, 'name_taken');
      const { id } = await createRole(admin, `mere-${name}`);
      expectProblem(await admin.patch(`/api/role/${id}`, { name }), 409, 'name_taken');
      expect((await admin.get<RoleAnswer>(`/api/role/${id}`)).body.name).toBe(`mere-${name}`);
    },
  );

  it('reserve their names for imports in any case', async () => {
    const { body: me } = await admin.get<{ id: string }>('/api/auth/me');
    const wanted = ['Admin', 'USER', 'Editor'].map((roleName) => ({ userId: me.id, roleName }));
    const [transactions, imports] = [service.app.get(Transactions), service.app.get(ImportedRolesService)];
    const leftOut = await transactions.run(() => imports.join('elsewhere', wanted));
    expect(leftOut.map(({ roleName }) => roleName)).toEqual(['Admin', 'USER']);
    const rows = await service.query<{ name: string }>(`SELECT name FROM role WHERE scope = 'elsewhere'`);
    expect(rows).toEqual([{ name: 'Editor' }]);
  });

  describe('in another scope', () => {
    const start = (scope: string): Promise<TestService> => service.another({ environment: { SERVICE_SCOPE: scope } });
    const stored = (scope: string): Promise<{ name: string; is_system: boolean }[]> =>
      service.query('SELECT name, is_system FROM role WHERE scope = $1 ORDER BY name', [scope]);

    it('never replace a role that a user created: the start fails and explains it', async () => {
      await service.query(
        `INSERT INTO role (id, scope, name, description) VALUES (gen_random_uuid(), 'old', 'admin', 'Made by hand')`,
      );
      await expect(start('old')).rejects.toMatchObject({
        name: 'EnvironmentError',
        problems: [{ variable: 'SERVICE_SCOPE', problem: expect.stringContaining('"admin"') as string }],
      });
      expect(await stored('old')).toEqual([{ name: 'admin', is_system: false }]);
    });

    it('are confused with no role that has such a name: a start warns of it', async () => {
      await service.query(
        `INSERT INTO role (id, scope, name) VALUES (gen_random_uuid(), 'shop', 'Admin'), (gen_random_uuid(), 'iam', 'USER')`,
      );
      const { logLines } = await start('calm');
      const [warning, ...more] = logLines.filter((line) => line.includes('the name of a system role'));
      expect(more).toEqual([]);
      expect(JSON.parse(warning ?? '{}')).toMatchObject({ level: 'warn', roles: 'iam:USER, old:admin, shop:Admin' });
    });

    it('are confused with more roles than one warning names', async () => {
      await service.query(
        `INSERT INTO role (id, scope, name) SELECT gen_random_uuid(), 'shop' || number, 'Admin' FROM generate_series(1, 25) AS number`,
      );
      const { logLines } = await start('calm');
      const warning = logLines.find((line) => line.includes('the name of a system role')) ?? '{}';
      expect((JSON.parse(warning) as { roles: string }).roles.split(', ')).toHaveLength(20);
    });

    it('are created when missing', async () => {
      await start('crm');
      expect(await stored('crm')).toEqual([
        { name: 'admin', is_system: true },
        { name: 'user', is_system: true },
      ]);
    });
  });

  it('are restored at the start, with one audit event that has the previous state', async () => {
    const { id } = await systemRole(admin, 'user');
    await service.query('UPDATE role_grant SET level = 7 WHERE role_id = $1', [id]);
    const syncs = (): Promise<{ before: unknown; after: unknown }[]> =>
      service.query(`SELECT before, after FROM audit_event WHERE action = 'role.sync' AND target_id = $1 ORDER BY id`, [
        id,
      ]);
    const past = await syncs();
    await service.another();
    await service.another();
    const events = (await syncs()).slice(past.length);
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events[0]?.before)).toContain('"level":7');
    expect(JSON.stringify(events[0]?.after)).not.toContain('"level":7');
  });
});
