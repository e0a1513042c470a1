import { Problem, SendOptions, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';

const PROXY = '10.0.0.1';
const STRANGER = '203.0.113.9';

interface LoggedIn {
  readonly session: { readonly ip: string };
}

const logIn = (client: TestClient, options: SendOptions = {}, username = 'ann') =>
  client.post<LoggedIn & Problem>('/api/auth/login', { type: 'password', username, password: PASSWORD }, options);

describe('client address', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ environment: { TRUSTED_PROXIES: 'loopback,10.0.0.0/8,2001:db8:ffff::/48' } });
    await service.register('ann');
  });

  afterAll(() => service.stop());

  it.each([
    ['no header', PROXY, undefined, PROXY],
    ['an untrusted peer with X-Forwarded-For', STRANGER, '198.51.100.1', STRANGER],
    ['one trusted proxy', PROXY, '198.51.100.1', '198.51.100.1'],
    ['forged entries in front', PROXY, '1.1.1.1, 2.2.2.2, 198.51.100.2', '198.51.100.2'],
    ['two trusted proxies', PROXY, '198.51.100.3, 10.9.9.9', '198.51.100.3'],
    ['nothing but trusted proxies', PROXY, '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['rubbish', PROXY, 'rubbish', PROXY],
    ['an invalid entry beside the right one', PROXY, '198.51.100.4, rubbish', PROXY],
    ['an empty header', PROXY, '', PROXY],
    ['an octal address', PROXY, '0177.0.0.1', PROXY],
    ['a name', PROXY, 'localhost', PROXY],
    ['an address with a port', PROXY, '198.51.100.5:1234', '198.51.100.5'],
    ['IPv6 in brackets with a port', PROXY, '[2001:db8::7]:443', '2001:db8::7'],
    ['IPv6 in a long spelling', PROXY, '2001:0DB8:0:0:0:0:0:8', '2001:db8::8'],
    ['a mapped IPv4 address', PROXY, '::ffff:198.51.100.6', '198.51.100.6'],
    ['a mapped trusted peer', `::ffff:${PROXY}`, '198.51.100.7', '198.51.100.7'],
    ['a trusted IPv6 peer', '2001:db8:ffff::1', '2001:db8:1::9', '2001:db8:1::9'],
    ['an untrusted IPv6 peer', '2001:db8:1::1', '198.51.100.1', '2001:db8:1::1'],
    ['thousands of entries', PROXY, `${'1.2.3.4,'.repeat(1_500)}198.51.100.8`, '198.51.100.8'],
  ])('%s', async (_, remoteAddress, header, ip) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'x-forwarded-for': header };
    const client = service.client();
    const answer = await logIn(client, { remoteAddress, headers });
    expect(answer.body.session.ip).toBe(ip);
    const sessions = await client.get<{ items: { current: boolean; ip: string }[] }>('/api/auth/sessions');
    expect(sessions.body.items.find(({ current }) => current)?.ip).toBe(ip);
  });

  it('is read from several header lines as from one list', async () => {
    const response = await service.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress: PROXY,
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': ['198.51.100.1', '198.51.100.9'] as unknown as string,
      },
      payload: JSON.stringify({ type: 'password', username: 'ann', password: PASSWORD }),
    });
    expect(response.json<LoggedIn>().session.ip).toBe('198.51.100.9');
  });

  it.each(['forwarded', 'x-real-ip', 'client-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'])(
    'ignores %s',
    async (name) => {
      const answer = await logIn(service.client(), { remoteAddress: PROXY, headers: { [name]: '198.51.100.99' } });
      expect(answer.body.session.ip).toBe(PROXY);
    },
  );
});

describe('rate limit per address', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ environment: { TRUSTED_PROXIES: '10.0.0.1' } });
  });

  afterAll(() => service.stop());

  const knock = async (options: SendOptions): Promise<number> => {
    const answer = await service
      .client()
      .post<Problem>('/api/auth/register', { username: 'knock', password: 'password' }, options);
    if (answer.status === 429) {
      expectProblem(answer, 429, 'rate_limited');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    return answer.status;
  };
  const knockFrom = (address: string): Promise<number> =>
    knock({ remoteAddress: PROXY, headers: { 'x-forwarded-for': address } });

  it('counts an untrusted peer by its own address, whatever the header says', async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 60; count++) {
      statuses.add(await knock({ remoteAddress: STRANGER, headers: { 'x-forwarded-for': `198.51.100.${count}` } }));
    }
    expect([...statuses]).toEqual([400]);
    expect(await knock({ remoteAddress: STRANGER, headers: { 'x-forwarded-for': '192.0.2.1' } })).toBe(429);
    expect(await knock({ remoteAddress: '203.0.113.10' })).toBe(400);
  });

  it('counts IPv6 by its /64, and a mapped address as its IPv4 address', async () => {
    for (let count = 0; count < 60; count++) {
      expect(await knockFrom(`2001:db8:0:1:${count.toString(16)}::${count + 1}`)).toBe(400);
    }
    expect(await knockFrom('2001:db8:0:1:ffff:ffff:ffff:ffff')).toBe(429);
    expect(await knockFrom('2001:db8:0:2::1')).toBe(400);

    const spellings = [
      '198.51.100.1',
      '::ffff:198.51.100.1',
      '::FFFF:c633:6401',
      '0:0:0:0:0:ffff:198.51.100.1',
      '198.51.100.1:99',
    ];
    for (let count = 0; count < 60; count++) expect(await knockFrom(spellings[count % spellings.length]!)).toBe(400);
    expect(await knockFrom('198.51.100.1')).toBe(429);
    expect(await knockFrom('198.51.100.2')).toBe(400);
  });

  it('counts a NAT64 address as the IPv4 address in it, apart from the rest of that network', async () => {
    for (let count = 0; count < 60; count++) {
      expect(await knockFrom(count % 2 === 0 ? '64:ff9b::198.51.100.64' : '64:ff9b::c633:6440')).toBe(400);
    }
    expect(await knockFrom('64:ff9b::198.51.100.64')).toBe(429);
    expect(await knockFrom('198.51.100.64')).toBe(429);
    expect(await knockFrom('64:ff9b::198.51.100.65')).toBe(400);
  });
});

describe('own address', () => {
  const services: TestService[] = [];

  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });

  const start = async (environment: Record<string, string>): Promise<TestService> => {
    const service = await TestService.start({ environment });
    services.push(service);
    await service.register('ann');
    return service;
  };

  interface Found {
    readonly icon: string;
  }

  /** Own address of the service, as its responses show it. */
  async function ownAddress(service: TestService, options: SendOptions): Promise<string> {
    const client = await service.logIn('ann');
    const answer = await client.post<Found[]>('/api/auth/users', { keyword: 'ann' }, options);
    expect(answer.status).toBe(200);
    return new URL(answer.body[0]!.icon).origin;
  }

  it('is the last value of a trusted proxy, otherwise that of the request', async () => {
    const service = await start({ TRUSTED_PROXIES: PROXY });
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'id.example.com' };
    expect(await ownAddress(service, { remoteAddress: PROXY, headers: forwarded })).toBe('https://id.example.com');
    expect(await ownAddress(service, { remoteAddress: STRANGER, headers: forwarded })).toBe('http://localhost');
    const lists = { 'x-forwarded-proto': 'http, https', 'x-forwarded-host': 'evil.example, id.example.com' };
    expect(await ownAddress(service, { remoteAddress: PROXY, headers: lists })).toBe('https://id.example.com');
    expect(await ownAddress(service, { remoteAddress: STRANGER, headers: { host: 'other.example:8080' } })).toBe(
      'http://other.example:8080',
    );
  });

  it('is the allowed origin of browsers', async () => {
    const service = await start({ TRUSTED_PROXIES: PROXY });
    const at = (origin: string, remoteAddress: string) =>
      logIn(service.client(), {
        remoteAddress,
        headers: {
          origin,
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'id.example.com',
          'x-forwarded-for': '198.51.100.1',
        },
      });
    expect((await at('https://id.example.com', PROXY)).status).toBe(200);
    expectProblem(await at('http://id.example.com', PROXY), 403, 'csrf_rejected');
    expectProblem(await at('http://localhost', PROXY), 403, 'csrf_rejected');
    expectProblem(await at('https://id.example.com', STRANGER), 403, 'csrf_rejected');
  });

  it('makes cookies Secure only when a trusted proxy reports https', async () => {
    const service = await start({ TRUSTED_PROXIES: PROXY });
    const cookies = async (remoteAddress: string): Promise<boolean[]> => {
      const { setCookies } = await logIn(service.client(), {
        remoteAddress,
        headers: { 'x-forwarded-proto': 'https' },
      });
      expect(setCookies.length).toBeGreaterThan(0);
      return setCookies.map((line) => /; Secure/i.test(line));
    };
    expect(new Set(await cookies(PROXY))).toEqual(new Set([true]));
    expect(new Set(await cookies(STRANGER))).toEqual(new Set([false]));
  });

  it('must be in ALLOWED_HOSTS, otherwise the request is rejected first', async () => {
    const service = await start({ ALLOWED_HOSTS: 'id.example.com,localhost', TRUSTED_PROXIES: PROXY });
    const client = service.client();
    const ask = (options: SendOptions) => client.get<Problem>('/api/info', options);
    for (const host of ['id.example.com', 'ID.example.com', 'id.example.com:8443']) {
      expect([host, (await ask({ remoteAddress: STRANGER, headers: { host } })).status]).toEqual([host, 200]);
    }
    const strange = [
      'evil.example',
      'id.example.com.evil.example',
      'user@id.example.com',
      'id.example.com/x',
      'id.example.com:99999',
      'a b',
      '0x7f.1',
    ];
    for (const host of strange) {
      const direct = await ask({ remoteAddress: STRANGER, headers: { host } });
      expect([host, direct.body]).toMatchObject([host, { status: 400, code: 'host_rejected' }]);
      const forwarded = await ask({ remoteAddress: PROXY, headers: { 'x-forwarded-host': host } });
      expect([host, forwarded.body.code]).toEqual([host, 'host_rejected']);
      expect(direct.text + forwarded.text).not.toContain(host);
    }
    const login = await logIn(client, { remoteAddress: STRANGER, headers: { host: 'evil.example' } });
    expect([login.status, login.setCookies]).toEqual([400, []]);
    const passkeys = (host: string) =>
      client.post<Problem & { rpId?: string }>('/api/auth/login/passkey/options', {}, { headers: { host } });
    expectProblem(await passkeys('evil.example'), 400, 'host_rejected');
    expect((await passkeys('id.example.com')).body.rpId).toBe('id.example.com');
  });

  it('must be in ALLOWED_HOSTS or PUBLIC_URL when both are set, except for probes', async () => {
    const service = await start({ PUBLIC_URL: 'https://id.example.com', ALLOWED_HOSTS: 'internal.example,localhost' });
    const ask = (url: string, host: string) => service.client().get<Problem>(url, { headers: { host } });
    for (const host of ['id.example.com', 'internal.example']) expect((await ask('/api/info', host)).status).toBe(200);
    for (const url of ['/api/info', '/api/nothing', '/.well-known/jwks.json', '/api/health/live']) {
      expectProblem(await ask(url, 'evil.example'), 400, 'host_rejected');
    }
    for (const url of ['/health/live', '/health/ready']) {
      expect((await ask(url, '10.1.2.3:4000')).status).toBe(200);
    }
    expect((await ask('/metrics', '10.1.2.3:4000')).status).not.toBe(400);
  });

  it('is not checked for probes when only ALLOWED_HOSTS is set', async () => {
    const service = await start({ ALLOWED_HOSTS: 'id.example.com,localhost' });
    expect((await service.client().get('/health/live', { headers: { host: '10.1.2.3:4000' } })).status).toBe(200);
  });

  it('is PUBLIC_URL when that is set, whatever the request contains', async () => {
    const service = await start({ PUBLIC_URL: 'https://id.example.com', TRUSTED_PROXIES: PROXY });
    const told: Record<string, string>[] = [
      { host: 'id.example.com' },
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    ];
    for (const headers of told) {
      expect(await ownAddress(service, { remoteAddress: PROXY, headers })).toBe('https://id.example.com');
    }
    const login = await logIn(service.client(), { headers: { origin: 'https://id.example.com' } });
    expect(login.status).toBe(200);
    expect(login.setCookies.every((line) => line.includes('Secure'))).toBe(true);
    expectProblem(await logIn(service.client(), { headers: { origin: 'http://localhost' } }), 403, 'csrf_rejected');
  });
});
