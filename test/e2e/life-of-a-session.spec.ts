import { expectProblem } from '../support/service/expect-problem';
import { accessOf, refreshOf } from '../support/accounts/session-tokens';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('session lifecycle', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  it('registers, logs in, refreshes, lists its sessions and logs out', async () => {
    const ann = await service.register('ann', { nickname: 'Ann', email: 'Ann@Example.com' });
    expect(ann.jar.size).toBe(0);

    const login = await ann.post<{ user: { username: string; email: string }; session: { id: string } }>(
      '/api/auth/login',
      {
        type: 'password',
        username: 'ANN',
        password: PASSWORD,
      },
    );
    expect(login.body.user).toMatchObject({ username: 'ann', email: 'Ann@Example.com' });

    const me = await ann.get<{ permissions: unknown[] }>('/api/auth/me');
    expect(me.body.permissions).toEqual([
      { scope: 'iam', permission_id: 'profile:read', level: 1 },
      { scope: 'iam', permission_id: 'profile:update', level: 3 },
    ]);

    const refreshed = await ann.post<{ session: { id: string } }>('/api/auth/refresh');
    expect(refreshed.body.session.id).toBe(login.body.session.id);

    const sessions = await ann.get<{ items: { id: string; current: boolean }[] }>('/api/auth/sessions');
    expect(sessions.body.items).toMatchObject([{ id: login.body.session.id, current: true }]);

    const before = ann.cookie;
    expect((await ann.post('/api/auth/logout')).status).toBe(204);
    expect(ann.jar.has('iam_access')).toBe(false);
    expectProblem(await ann.get('/api/auth/me'), 401, 'unauthenticated');
    expectProblem(await ann.get('/api/auth/me', { cookie: before }), 401, 'session_revoked');
    expectProblem(await ann.post('/api/auth/refresh', undefined, { cookie: before }), 401, 'session_revoked');
  });

  it('is refreshed by a browser that has lost the access cookie', async () => {
    const client = await service.signUp('lost_access');
    const cookie = `iam_refresh=${refreshOf(client)}`;
    expectProblem(await service.client().get('/api/auth/me', { cookie }), 401, 'token_expired');
    expectProblem(await service.client().get('/api/auth/me'), 401, 'unauthenticated');
    const headers = { authorization: `Bearer ${accessOf(client)}` };
    expectProblem(await service.client().get('/api/auth/me', { cookie, headers }), 401, 'unauthenticated');
  });
});
