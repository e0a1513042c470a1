import { allowedOrigins } from '../../../src/platform/http';
import { expectProblem } from '../../support/service/expect-problem';
import {
  begin,
  CallbackAnswer,
  comeBack,
  comeBackByForm,
  FakeProviders,
  locationOf,
  sessionCookies,
} from '../../support/oauth/fake-providers';
import { startWithProviders } from '../../support/oauth/service-with-providers';
import { Problem } from '../../support/service/test-client';
import { TestService } from '../../support/service/test-service';

let service: TestService;
let providers: FakeProviders;
let made = 0;

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
});

afterAll(() => service.stop());

const unique = (text: string): string => `callback_${text}_${++made}`;

describe('a browser that returns from a provider', () => {
  it('is redirected to its destination with the session only in cookies', async () => {
    const client = service.client();
    const provider = providers.door();
    const state = await begin(client, provider, '/settings?tab=logins');
    const answer = await client.get(
      `/api/oauth/callback/${provider.provider.name}?code=c&state=${state}&scope=x&session_state=y`,
    );
    expect([answer.status, locationOf(answer), answer.text]).toEqual([302, '/settings?tab=logins', '']);
    expect(sessionCookies(answer)).toHaveLength(2);
    expect((await client.get('/api/auth/me')).status).toBe(200);
  });

  it('is redirected to an allowed origin only', async () => {
    const provider = providers.door();
    const login = `/api/oauth/login/${provider.provider.name}?redirect=`;
    const there = encodeURIComponent('https://app.example.com/home');
    expect((await service.client().get<Problem>(login + there)).body.errors).toMatchObject([
      { field: 'redirect', code: 'redirect' },
    ]);
    await service.set(allowedOrigins, ['https://app.example.com']);
    const client = service.client();
    const [state, late] = [
      await begin(client, provider, 'https://app.example.com/home'),
      await begin(client, provider, 'https://app.example.com/home'),
    ];
    const back = `/api/oauth/callback/${provider.provider.name}?code=c&state=`;
    expect(locationOf(await client.get(back + state))).toBe('https://app.example.com/home');
    await service.set(allowedOrigins, []);
    expect(locationOf(await client.get(back + late))).toBe('/');
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'http:evil.example',
    'javascript:alert(1)',
    '/%5cevil.example',
    '',
    'https://localhost@evil.example',
  ])('is not redirected to %j', async (redirect) => {
    const provider = providers.door();
    const query = `?redirect=${encodeURIComponent(redirect)}`;
    const login = await service.client().get<Problem>(`/api/oauth/login/${provider.provider.name}${query}`);
    expect([login.status, login.body.errors?.[0]?.field]).toEqual([400, 'redirect']);
    const ann = await service.signUp(unique('ann'));
    const bind = await ann.post<Problem>('/api/oauth/bind/start', { name: provider.provider.name, redirect });
    expect([bind.status, bind.body.errors?.[0]?.field]).toEqual([400, 'redirect']);
    expect(provider.asked).toEqual([]);
  });

  it('is redirected to the account choice, with the link token in a cookie and not in an address', async () => {
    const client = service.client();
    const provider = providers.door({ autoRegister: false });
    const state = await begin(client, provider);
    const answer = await client.get(`/api/oauth/callback/${provider.provider.name}?code=c&state=${state}`);
    expect([answer.status, locationOf(answer), answer.text]).toEqual([302, '/bind', '']);
    const cookie = answer.setCookies.find((line) => line.startsWith('iam_bind='));
    expect(cookie).toMatch(/^iam_bind=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(sessionCookies(answer)).toEqual([]);
    const events = await service.query(
      `SELECT outcome, actor_id FROM audit_event WHERE action = 'oauth.bind_required' AND target_id = $1`,
      [provider.provider.id],
    );
    expect(events).toEqual([{ outcome: 'success', actor_id: null }]);
  });

  it.each([
    ['an invalid state', 'code=c&state=bad', 'state_invalid'],
    ['a duplicate state', 'code=c&state=a&state=b', 'validation_failed'],
    [
      'an error with an invalid state',
      'error=access_denied&error_description=<script>hunter2</script>&state=bad',
      'state_invalid',
    ],
    ['an error without a state', 'error=access_denied', 'state_invalid'],
    ['no parameters', '', 'state_invalid'],
  ])('is redirected to an error page that shows the code of %s and no text of the provider', async (_, query, code) => {
    const provider = providers.door();
    const answer = await service.client().get(`/api/oauth/callback/${provider.provider.name}?${query}`);
    expect([answer.status, locationOf(answer), answer.text]).toEqual([302, `/error?code=${code}`, '']);
  });

  it.each(['error=access_denied', 'code=c'])(
    'keeps the login of its application and its opener after %s',
    async (sent) => {
      const client = service.client();
      const provider = providers.door();
      const state = await begin(client, provider, '/login?interaction=uid-1&logged_in=');
      provider.complete = () => Promise.reject(new Error('The provider is down'));
      const answer = await client.get(`/api/oauth/callback/${provider.provider.name}?${sent}&state=${state}`);
      const code = sent === 'code=c' ? 'provider_failed' : 'provider_denied';
      expect(locationOf(answer)).toBe(`/error?code=${code}&interaction=uid-1`);
      const { headers } = await client.get(locationOf(answer));
      expect(headers['cross-origin-opener-policy']).toBe('unsafe-none');
    },
  );

  it('learns nothing of the login of another browser', async () => {
    const provider = providers.door();
    const state = await begin(service.client(), provider, '/login?interaction=uid-1&logged_in=');
    const path = `/api/oauth/callback/${provider.provider.name}?error=access_denied&state=${state}`;
    expect(locationOf(await service.client().get(path))).toBe('/error?code=state_invalid');
  });

  it.each(['text/html, application/json;q=0.1', 'application/json;q=0, text/html'])(
    'gets a page when it accepts %s',
    async (accept) => {
      const path = `/api/oauth/callback/${providers.door().provider.name}?error=access_denied&state=none`;
      const answer = await service.client().get(path, { headers: { accept } });
      expect([answer.status, locationOf(answer)]).toEqual([302, '/error?code=state_invalid']);
    },
  );

  it('gets JSON when it asks for it', async () => {
    const client = service.client();
    const provider = providers.door({ autoRegister: false });
    const headers = { accept: 'application/json' };
    const path = `/api/oauth/callback/${provider.provider.name}`;
    const answer = await client.get<CallbackAnswer>(`${path}?code=c&state=${await begin(client, provider)}`, {
      headers,
    });
    expect(answer.body).toMatchObject({ status: 'bind_required', temp_token: expect.any(String) as string });
    const denied = `${path}?error=access_denied&error_description=hunter2&state=${await begin(client, provider)}`;
    const rejected = await client.get<Problem>(denied, { headers });
    expectProblem(rejected, 400, 'provider_denied');
    expect(rejected.text).not.toContain('hunter2');
  });
});

describe('a provider that responds with a form post', () => {
  it('gets a SameSite=None cookie, as no other flow does', async () => {
    const client = service.client();
    const apple = providers.door();
    apple.answersByFormPost = true;
    const login = await client.get(`/api/oauth/login/${apple.provider.name}`);
    expect(login.setCookies).toEqual([
      expect.stringMatching(/^iam_oauth_post=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=None$/),
    ]);
    const state = new URL(locationOf(login)).searchParams.get('state')!;
    const headers = { origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site' };
    const answer = await comeBackByForm(
      client,
      `/api/oauth/callback/${apple.provider.name}`,
      { code: 'c', state, user: '{}' },
      { headers },
    );
    expect([answer.status, locationOf(answer)]).toEqual([302, '/']);
    expect(sessionCookies(answer).every((line) => line.includes('SameSite=Lax'))).toBe(true);
    expect(apple.completed[0]!.params).toEqual({ code: 'c', state, user: '{}' });
    const other = await service.client().get(`/api/oauth/login/${providers.door().provider.name}`);
    expect(other.setCookies).toEqual([
      expect.stringMatching(/^iam_oauth=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it.each([
    '/api/auth/login',
    '/api/auth/register',
    '/api/oauth/bind/start',
    '/api/oauth/bind/login',
    '/api/oauth/bind/register',
  ])('rejects a form at %s', async (path) => {
    expect((await comeBackByForm(service.client(), path, { username: 'x' })).status).toBe(415);
    const cross = await service.client().post<Problem>(path, {}, { headers: { origin: 'https://evil.example' } });
    expectProblem(cross, 403, 'csrf_rejected');
  });

  it.each([
    'application/json\ta',
    ' application/jsonx',
    'application/json x',
    'application/x-www-form-urlencoded x',
    'application/x-www-form-urlencoded\t',
    'text/plain',
    'multipart/form-data; boundary=x',
  ])('rejects the content type %j', async (type) => {
    const path = `/api/oauth/callback/${providers.door().provider.name}`;
    const answer = await service.client().send('POST', path, { raw: 'state=x', headers: { 'content-type': type } });
    expect(answer.status).toBe(415);
  });
});

describe('callback address', () => {
  const STRANGER = '203.0.113.9';
  const PROXY = '127.0.0.1';
  const forwarded = (host: string, proto: string): Record<string, string> => ({
    'x-forwarded-host': host,
    'x-forwarded-proto': proto,
  });

  it.each<[string, string, Record<string, string>, string | undefined]>([
    ['no header', PROXY, {}, 'http://localhost'],
    ['a trusted peer and an allowed host', PROXY, forwarded('id.example.com', 'https'), 'https://id.example.com'],
    [
      'the last value of a list',
      PROXY,
      forwarded('evil.example, id.example.com', 'http, https'),
      'https://id.example.com',
    ],
    ['an untrusted peer with an allowed host', STRANGER, forwarded('id.example.com', 'https'), 'http://localhost'],
    ['an untrusted peer with another host', STRANGER, forwarded('evil.example', 'https'), 'http://localhost'],
    ['a trusted peer with another host', PROXY, forwarded('evil.example', 'https'), undefined],
    ['an allowed host as the last of a list', PROXY, forwarded('id.example.com, evil.example', 'https'), undefined],
    ['credentials in the host', PROXY, forwarded('id.example.com@evil.example', 'https'), undefined],
    ['a path in the host', PROXY, forwarded('id.example.com/x', 'https'), undefined],
    ['an invalid scheme', PROXY, forwarded('id.example.com', 'javascript'), 'http://id.example.com'],
    ['another Host', PROXY, { host: 'evil.example' }, undefined],
  ])('is derived from %s', async (_, remoteAddress, headers, origin) => {
    const provider = providers.door();
    const { name } = provider.provider;
    const answer = await service.client().get(`/api/oauth/login/${name}`, { remoteAddress, headers });
    const expected = origin === undefined ? [400, []] : [302, [`${origin}/api/oauth/callback/${name}`]];
    expect([answer.status, provider.asked.map(({ redirectUri }) => redirectUri)]).toEqual(expected);
  });

  it('is the same at the code exchange, whatever address the callback has', async () => {
    const client = service.client();
    const provider = providers.door();
    const login = `/api/oauth/login/${provider.provider.name}`;
    const begun = await client.get(login, { headers: forwarded('localhost', 'https') });
    const state = new URL(locationOf(begun)).searchParams.get('state');
    const headers = forwarded('id.example.com', 'https');
    await client.post(`/api/oauth/callback/${provider.provider.name}`, { code: 'c', state }, { headers });
    expect(provider.completed[0]!.redirectUri).toBe(provider.asked[0]!.redirectUri);
  });
});

describe('log', () => {
  it('contains no code, state, token or name of a user', async () => {
    const client = service.client();
    const provider = providers.door({ autoRegister: false });
    provider.person('cAnArYsubject', { email: 'canary@example.com', nickname: 'cAnArYnick' });
    const state = await begin(client, provider);
    const answer = await comeBack(client, provider, state, { code: 'cAnArYcode' });
    await comeBack(client, provider, state, { code: 'cAnArYcode', error: 'cAnArYerror' });
    const shown = [state, answer.body.temp_token!, ...client.jar.values(), 'cAnArY', 'canary@'];
    expect(service.logLines.filter((line) => shown.some((secret) => line.includes(secret)))).toEqual([]);
  });
});
