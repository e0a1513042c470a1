import { ProfileService } from '../../src/auth/profile.service';
import { accessOf } from '../support/session-tokens';
import type { Answer, Problem, TestClient } from '../support/test-client';
import { eventually, TestService } from '../support/test-service';

describe('the own account, where all of it is remembered', () => {
  let service: TestService;
  let handled: jest.SpyInstance;

  beforeAll(async () => {
    service = await TestService.start();
    handled = jest.spyOn(service.app.get(ProfileService), 'find');
  });

  beforeEach(() => handled.mockClear());

  afterAll(() => service.stop());

  /** What a page asks again and again, until it is answered without the handler. */
  const atOnce = async (client: TestClient): Promise<Answer<unknown>> => {
    const ask = async (): Promise<Answer<unknown> | undefined> => {
      const before = handled.mock.calls.length;
      const answer = await client.get('/api/auth/me');
      return handled.mock.calls.length === before ? answer : undefined;
    };
    return (await eventually(ask, (answer) => answer !== undefined))!;
  };

  it('is answered before its handler, in the very words and headers of the handler', async () => {
    const ann = await service.signUp('ann');
    const slow = await ann.get('/api/auth/me?lang=en');
    expect(handled).toHaveBeenCalledTimes(1);
    const fast = await atOnce(ann);
    expect([fast.status, fast.text]).toEqual([200, slow.text]);
    const told = ({ headers }: typeof fast): object => ({ ...headers, date: '', 'x-request-id': '' });
    expect(told(fast)).toEqual(told(slow));
  });

  it('is not answered to whoever was logged out or never known', async () => {
    const bob = await service.signUp('bob');
    const cookie = `iam_access=${accessOf(bob)}`;
    expect((await service.client().get('/api/auth/me', { cookie })).status).toBe(200);
    await bob.post('/api/auth/logout');
    expect(await service.client().get<Problem>('/api/auth/me', { cookie })).toMatchObject({
      status: 401,
      body: { code: 'session_revoked' },
    });
    expect(await service.client().get<Problem>('/api/auth/me')).toMatchObject({ status: 401 });
  });

  it('has the changes of a moment ago', async () => {
    const cid = await service.signUp('cid');
    await atOnce(cid);
    await cid.patch('/api/auth/me', { nickname: 'El Cid' });
    expect(await atOnce(cid)).toMatchObject({ body: { nickname: 'El Cid' } });
  });
});
