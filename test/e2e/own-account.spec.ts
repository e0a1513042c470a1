import { accessOf } from '../support/accounts/session-tokens';
import type { Problem } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';
import { withService } from '../support/service/with-service';

describe('GET /api/auth/me', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

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

  it('returns the levels of the catalogue that matter for the grants, and the scope of short codes', async () => {
    const admin = await service.admin();
    const entries = ['offer:publish', 'offer:print'].map((permission_id) => ({ scope: 'market', permission_id }));
    for (const entry of entries) await admin.post('/api/permission', { ...entry, required_level: 3 });
    const levels = async (...add: object[]): Promise<unknown> => {
      const client = await service.signUp(`dan_${add.length}`);
      const { body } = await client.get<{ id: string }>('/api/auth/me');
      await admin.patch(`/api/user/${body.id}/permissions`, { add });
      return (await client.get('/api/auth/me')).body;
    };
    expect(await levels()).toMatchObject({ default_scope: 'iam', required_levels: [] });
    const publish = { ...entries[0], level: 3 };
    expect(await levels(publish, { permission_id: 'report:read' })).toMatchObject({ required_levels: [publish] });
  });
});
