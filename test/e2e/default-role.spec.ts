import { createRole, userWith } from '../support/accounts/holders';
import { Problem, TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';
import { withService } from '../support/service/with-service';

describe('default role of new users', () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  afterEach(() => admin.put('/api/setting', { updates: [{ key: 'register.default_role', value: null }] }));

  it('cannot be deleted', async () => {
    const role = await createRole(admin, 'newcomers', 'welcome:read');
    await admin.put('/api/setting', { updates: [{ key: 'register.default_role', value: 'newcomers' }] });
    expectProblem(await admin.delete(`/api/role/${role.id}`), 409, 'in_use');
    await admin.put('/api/setting', { updates: [{ key: 'register.default_role', value: null }] });
    expect((await admin.delete(`/api/role/${role.id}`)).status).toBe(204);
  });

  it('keeps its setting when it is renamed, on every instance at once', async () => {
    const other = await service.another();
    const role = await createRole(admin, 'starters', 'starter:read');
    await admin.put('/api/setting', { updates: [{ key: 'register.default_role', value: 'starters' }] });
    const rolesOf = async (username: string): Promise<string[]> => {
      const rows = await service.query<{ role_id: string }>(
        'SELECT role_id FROM user_role JOIN user_account ON id = user_id WHERE username = $1',
        [username],
      );
      return rows.map(({ role_id }) => role_id);
    };
    // The other instance now has the old name in its cache.
    await eventually(
      async () => {
        const username = `starter_${performance.now().toString().replace('.', '_')}`;
        await other.register(username);
        return rolesOf(username);
      },
      (roles) => roles[0] === role.id,
    );
    await admin.patch(`/api/role/${role.id}`, { name: 'beginners' });
    const impostor = await createRole(admin, 'starters', 'everything:admin');
    await other.register('late_starter');
    expect(await rolesOf('late_starter')).toEqual([role.id]);
    const { body } = await admin.get<{ items: { key: string; value: unknown }[] }>('/api/setting?category=register');
    expect(body.items).toContainEqual(expect.objectContaining({ key: 'register.default_role', value: 'beginners' }));
    await admin.delete(`/api/role/${impostor.id}`);
  });

  it.each([
    ['admin', 'default_role'],
    ['no_such_role', 'default_role'],
  ])('cannot be %s', async (value, code) => {
    const answer = await admin.put<Problem>('/api/setting', { updates: [{ key: 'register.default_role', value }] });
    expectProblem(answer, 400, 'settings_update_failed');
    expect(answer.body.errors).toMatchObject([{ field: 'updates[0].value', code }]);
  });

  it('can be set only by a caller who holds its permissions', async () => {
    await createRole(admin, 'mighty', 'billing:admin');
    const { client } = await userWith(service, admin, 'settler', 'setting:update');
    const updates = [{ key: 'register.default_role', value: 'mighty' }];
    const answer = await client.put<Problem>('/api/setting', { updates });
    expect(answer.body.errors).toMatchObject([{ field: 'updates[0].value', code: 'escalation_denied' }]);
  });
});
