import { accessOf } from '../support/session-tokens';
import type { Problem } from '../support/test-client';
import { TestService } from '../support/test-service';
import { expectProblem } from '../support/expect-problem';

describe('GET /api/auth/me', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });

  afterAll(() => service.stop());

  it('returns the account as JSON with its permissions, cached or not', async () => {
    const ann = await service.signUp('ann');
    const first = await ann.get('/api/auth/me');
    expect(first).toMatchObject({ status: 200, body: { username: 'ann', permissions: expect.any(Array) as unknown } });
    expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
    const second = await ann.get('/api/auth/me?lang=en');
    expect(second.text).toBe(first.text);
    const comparable = ({ headers }: typeof first): object => ({ ...headers, date: '', 'x-request-id': '' });
    expect(comparable(second)).toEqual(comparable(first));
  });

  it('rejects an ended session and a request without one', async () => {
    const bob = await service.signUp('bob');
    const cookie = `iam_access=${accessOf(bob)}`;
    expect((await service.client().get('/api/auth/me', { cookie })).status).toBe(200);
    await bob.post('/api/auth/logout');
    expectProblem(await service.client().get<Problem>('/api/auth/me', { cookie }), 401, 'session_revoked');
    expect(await service.client().get<Problem>('/api/auth/me')).toMatchObject({ status: 401 });
  });

  it('returns changes of the profile and of grants immediately', async () => {
    const cid = await service.signUp('cid');
    const { body: before } = await cid.get<{ id: string; permissions: unknown[] }>('/api/auth/me');
    await cid.patch('/api/auth/me', { nickname: 'El Cid' });
    expect(await cid.get('/api/auth/me')).toMatchObject({ body: { nickname: 'El Cid' } });
    const admin = await service.admin();
    await admin.patch(`/api/user/${before.id}/permissions`, { add: [{ permission_id: 'report:read' }] });
    const { body: after } = await cid.get<{ permissions: unknown[] }>('/api/auth/me');
    expect(after.permissions).toHaveLength(before.permissions.length + 1);
  });
});
