import { allowedOrigins } from '../../../src/platform/http';
import {
  begin,
  CallbackAnswer,
  comeBack,
  comeBackByForm,
  FakeProviders,
  locationOf,
  sessionCookies,
} from '../../support/fake-providers';
import { startWithProviders } from '../../support/service-with-providers';
import { Problem } from '../../support/test-client';
import { TestService } from '../../support/test-service';

let service: TestService;
let providers: FakeProviders;
let made = 0;

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
});

afterAll(() => service.stop());

const unique = (text: string): string => `callback_${text}_${++made}`;

describe('a browser that comes back', () => {
  it('is sent to where it wanted to go, with its session in cookies alone', async () => {
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

  it('is sent to an allowed origin, and there alone', async () => {
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
  ])('is sent nowhere else: %j', async (redirect) => {
    const provider = providers.door();
    const query = `?redirect=${encodeURIComponent(redirect)}`;
    const login = await service.client().get<Problem>(`/api/oauth/login/${provider.provider.name}${query}`);
    expect([login.status, login.body.errors?.[0]?.field]).toEqual([400, 'redirect']);
    const ann = await service.signUp(unique('ann'));
    const bind = await ann.post<Problem>('/api/oauth/bind/start', { name: provider.provider.name, redirect });
    expect([bind.status, bind.body.errors?.[0]?.field]).toEqual([400, 'redirect']);
    expect(provider.asked).toEqual([]);
  });

  it('is sent to choose an account, with the temp token in a cookie and in no address', async () => {
    const client = service.client();
    const provider = providers.door({ autoRegister: false });
    const state = await begin(client, provider);
    const answer = await client.get(`/api/oauth/callback/${provider.provider.name}?code=c&state=${state}`);
    expect([answer.status, locationOf(answer), answer.text]).toEqual([302, '/bind', '']);
    const cookie = answer.setCookies.find((line) => line.startsWith('iam_bind='));
    expect(cookie).toMatch(/^iam_bind=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(sessionCookies(answer)).toEqual([]);
  });

  it.each([
    ['a bad state', 'code=c&state=bad', 'state_invalid'],
    ['a state given twice', 'code=c&state=a&state=b', 'validation_failed'],
    ['a refusal', 'error=access_denied&error_description=<script>hunter2</script>&state=bad', 'provider_denied'],
    ['nothing at all', '', 'state_invalid'],
  ])('is sent to a page that tells the code of %s, and nothing the provider said', async (_, query, code) => {
    const provider = providers.door();
    const answer = await service.client().get(`/api/oauth/callback/${provider.provider.name}?${query}`);
    expect([answer.status, locationOf(answer), answer.text]).toEqual([302, `/error?code=${code}`, '']);
  });

  it('is told in JSON where it asks for it', async () => {
    const client = service.client();
    const provider = providers.door({ autoRegister: false });
    const headers = { accept: 'application/json' };
    const path = `/api/oauth/callback/${provider.provider.name}`;
    const answer = await client.get<CallbackAnswer>(`${path}?code=c&state=${await begin(client, provider)}`, {
      headers,
    });
    expect(answer.body).toMatchObject({ status: 'bind_required', temp_token: expect.any(String) as string });
    const refused = await client.get<Problem>(`${path}?error=access_denied&error_description=hunter2`, { headers });
    expect([refused.status, refused.body.code]).toEqual([400, 'provider_denied']);
    expect(refused.text).not.toContain('hunter2');
  });
});

describe('a provider that answers by a form', () => {
  it('gets a cookie that comes along, and only for this', async () => {
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
  ])('opens %s to no form', async (path) => {
    expect((await comeBackByForm(service.client(), path, { username: 'x' })).status).toBe(415);
    const cross = await service.client().post<Problem>(path, {}, { headers: { origin: 'https://evil.example' } });
    expect(cross.body.code).toBe('csrf_rejected');
  });

  it.each([
    'application/json\ta',
    ' application/jsonx',
    'application/json x',
    'application/x-www-form-urlencoded x',
    'application/x-www-form-urlencoded\t',
    'text/plain',
    'multipart/form-data; boundary=x',
  ])('and nothing else: %j', async (type) => {
    const path = `/api/oauth/callback/${providers.door().provider.name}`;
    const answer = await service.client().send('POST', path, { raw: 'state=x', headers: { 'content-type': type } });
    expect(answer.status).toBe(415);
  });
});

describe('the address of the callback', () => {
  const STRANGER = '203.0.113.9';
  const PROXY = '127.0.0.1';
  const forwarded = (host: string, proto: string): Record<string, string> => ({
    'x-forwarded-host': host,
    'x-forwarded-proto': proto,
  });

  it.each<[string, string, Record<string, string>, string | undefined]>([
    ['no header', PROXY, {}, 'http://localhost'],
    ['a trusted peer and an allowed host', PROXY, forwarded('id.example.com', 'https'), 'https://id.example.com'],
    ['the last of a list', PROXY, forwarded('evil.example, id.example.com', 'http, https'), 'https://id.example.com'],
    ['a stranger who names an allowed host', STRANGER, forwarded('id.example.com', 'https'), 'http://localhost'],
    ['a stranger who names another', STRANGER, forwarded('evil.example', 'https'), 'http://localhost'],
    ['a trusted peer and another host', PROXY, forwarded('evil.example', 'https'), undefined],
    ['a host that is the last of a list', PROXY, forwarded('id.example.com, evil.example', 'https'), undefined],
    ['credentials in the host', PROXY, forwarded('id.example.com@evil.example', 'https'), undefined],
    ['a path in the host', PROXY, forwarded('id.example.com/x', 'https'), undefined],
    ['rubbish for a scheme', PROXY, forwarded('id.example.com', 'javascript'), 'http://id.example.com'],
    ['another Host', PROXY, { host: 'evil.example' }, undefined],
  ])('follows %s', async (_, remoteAddress, headers, origin) => {
    const provider = providers.door();
    const { name } = provider.provider;
    const answer = await service.client().get(`/api/oauth/login/${name}`, { remoteAddress, headers });
    const expected = origin === undefined ? [400, []] : [302, [`${origin}/api/oauth/callback/${name}`]];
    expect([answer.status, provider.asked.map(({ redirectUri }) => redirectUri)]).toEqual(expected);
  });

  it('is the same when the code is traded, wherever the callback arrives', async () => {
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

describe('the log', () => {
  it('holds no code, state, token or name of anybody who came through', async () => {
    const client = service.client();
    const provider = providers.door({ autoRegister: false });
    provider.person('cAnArYsubject', { email: 'canary@example.com', nickname: 'cAnArYnick' });
    const state = await begin(client, provider);
    const answer = await comeBack(client, provider, state, { code: 'cAnArYcode' });
    await comeBack(client, provider, state, { code: 'cAnArYcode', error: 'cAnArYerror' });
    const told = [state, answer.body.temp_token!, ...client.jar.values(), 'cAnArY', 'canary@'];
    expect(service.logLines.filter((line) => told.some((secret) => line.includes(secret)))).toEqual([]);
  });
});
