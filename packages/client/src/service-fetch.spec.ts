import { createCastellanClient, type CastellanClient } from './client';
import { FakeService } from './fake-service';
import { isProblem } from './problem';
import { createServiceFetch, type ServiceFetch } from './service-fetch';

const BILLING = 'https://billing.example.com';

describe('createServiceFetch', () => {
  let castellan: FakeService;
  let client: CastellanClient;
  let billing: ServiceFetch;
  /** What the service received. */
  let received: { url: string; init: RequestInit }[];
  /** Responses of the service, in order. Without one: 200. */
  let responses: Response[];

  beforeEach(() => {
    castellan = new FakeService();
    received = [];
    responses = [];
    client = createCastellanClient({ baseUrl: 'https://id.example.com', fetch: castellan.send });
    billing = createServiceFetch(client, {
      baseUrl: BILLING,
      audience: 'urn:castellan:billing',
      fetch: async ({ href: url }, init) => {
        received.push({ url, init });
        return responses.shift() ?? Response.json([]);
      },
    });
  });

  afterEach(() => jest.restoreAllMocks());

  const tokens = (): (string | null)[] => received.map(({ init }) => new Headers(init.headers).get('authorization'));
  const exchanges = (): unknown[] =>
    castellan.requests.filter(({ path }) => path === '/api/auth/assertion').map(({ body }) => body);
  const rejection = (code: string): Response => Response.json({ title: code, status: 401, code }, { status: 401 });

  it('sends an assertion for the service as bearer token, and no cookies', async () => {
    const response = await billing('/invoices?page=2', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(200);
    expect(exchanges()).toEqual(['{"audience":"urn:castellan:billing"}']);
    expect(received).toMatchObject([
      { url: `${BILLING}/invoices?page=2`, init: { method: 'POST', body: '{}', credentials: 'omit' } },
    ]);
    expect([...new Headers(received[0]?.init.headers)]).toEqual([
      ['authorization', 'Bearer assertion-1'],
      ['content-type', 'application/json'],
    ]);
  });

  it('shares one exchange among concurrent and later calls', async () => {
    await Promise.all([billing('/a'), billing('/b'), billing('/c')]);
    await billing('/d');
    expect(tokens()).toEqual(Array(4).fill('Bearer assertion-1'));
    expect(exchanges()).toHaveLength(1);
  });

  it('replaces an assertion ten seconds before it expires', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    await billing('/a');
    now.mockReturnValue(49_999);
    await billing('/b');
    now.mockReturnValue(50_000);
    await billing('/c');
    expect(tokens()).toEqual(['Bearer assertion-1', 'Bearer assertion-1', 'Bearer assertion-2']);
  });

  it.each(['token_expired', 'session_revoked', 'unauthenticated'])(
    'repeats a request once with another assertion after %s',
    async (code) => {
      responses = [rejection(code)];
      expect((await billing('/a', { method: 'PUT', body: 'x' })).status).toBe(200);
      expect(tokens()).toEqual(['Bearer assertion-1', 'Bearer assertion-2']);
      expect(received[1]?.init).toMatchObject({ method: 'PUT', body: 'x' });
      responses = [rejection(code), rejection(code)];
      expect((await billing('/b')).status).toBe(401);
      expect(received).toHaveLength(4);
    },
  );

  it.each([
    ['a 401 of the application', () => new Response('no', { status: 401 })],
    ['a 403', () => Response.json({ title: 'no', status: 403, code: 'permission_denied' }, { status: 403 })],
  ])('returns %s', async (_, respond) => {
    responses = [respond()];
    expect((await billing('/a')).ok).toBe(false);
    expect(received).toHaveLength(1);
  });

  it('does not repeat a stream', async () => {
    responses = [rejection('token_expired')];
    expect((await billing('/a', { method: 'POST', body: new ReadableStream() })).status).toBe(401);
    expect(received).toHaveLength(1);
    await billing('/b');
    expect(tokens().at(-1)).toBe('Bearer assertion-2');
  });

  it("returns Castellan's error when it issues no assertion, and asks again for the next call", async () => {
    castellan.rejectRequests(401, 'session_revoked');
    const response = await billing('/a');
    const body: unknown = await response.json();
    expect([response.status, isProblem(body) && body.code]).toEqual([401, 'session_revoked']);
    expect(received).toEqual([]);
    castellan.rejectRequests(undefined);
    expect((await billing('/a')).status).toBe(200);
  });

  it('refreshes an expired session for the exchange', async () => {
    castellan.expire();
    expect((await billing('/a')).status).toBe(200);
    expect(castellan.refreshes).toBe(1);
  });

  it('drops the assertion of a user who logs out, and one that was on its way when another logged in', async () => {
    await billing('/a');
    await client.POST('/api/auth/logout');
    const release = castellan.holdNext();
    const late = billing('/b');
    await client.POST('/api/auth/login', { body: { type: 'password', username: 'bob', password: 'secret' } });
    release();
    await late;
    await billing('/c');
    expect(tokens()).toEqual(['Bearer assertion-1', 'Bearer assertion-2', 'Bearer assertion-3']);
  });

  const ann = { id: 'a', username: 'ann' };
  const acted = { ...ann, actor: { id: 's', username: 'sam' } };
  const seeAs = async (account: object): Promise<void> => {
    castellan.answerNext(account);
    await client.GET('/api/auth/me');
  };
  const actAs = (): Promise<unknown> =>
    client.POST('/api/user/{id}/act-as', { params: { path: { id: 'a' } }, body: { reason: 'Ticket 4711' } });

  it.each<[string, () => Promise<unknown>]>([
    ['an administrator begins to act as a user', actAs],
    ['an administrator stops acting', () => client.DELETE('/api/auth/act-as')],
    ['the service names an actor', () => seeAs(acted)],
    ['the service names another user', () => seeAs({ ...ann, id: 'b' })],
    ['the service names no account', () => seeAs([])],
  ])('drops the assertion when %s', async (_, change) => {
    await seeAs(ann);
    await billing('/a');
    await change();
    await billing('/b');
    expect(tokens()).toEqual(['Bearer assertion-1', 'Bearer assertion-2']);
  });

  it('drops an assertion of unknown user when it learns who the user is, and keeps that of the same', async () => {
    await billing('/a');
    await seeAs(acted);
    await billing('/b');
    await seeAs(acted);
    await billing('/c');
    expect(tokens()).toEqual(['Bearer assertion-1', 'Bearer assertion-2', 'Bearer assertion-2']);
  });

  it('drops one that was on its way when an administrator began to act', async () => {
    const release = castellan.holdNext();
    const late = billing('/a');
    await actAs();
    release();
    await late;
    await billing('/b');
    expect(tokens()).toEqual(['Bearer assertion-1', 'Bearer assertion-2']);
  });

  it('calls no other origin', async () => {
    await expect(billing('https://evil.example/invoices')).rejects.toThrow('is not the service');
    await expect(billing('//evil.example/invoices')).rejects.toThrow('is not the service');
    expect([received, exchanges()]).toEqual([[], []]);
  });
});
