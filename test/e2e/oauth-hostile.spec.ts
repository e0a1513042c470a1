import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { authorizationCodeGrant, Configuration, getDPoPHandle, refreshTokenGrant } from 'openid-client';
import { sha256 } from '../../src/platform/crypto';
import { SessionsEndedListener } from '../../src/oauth/server/logout/sessions-ended.listener';
import {
  dpopEnabled,
  parEnabled,
  tokenPerMinutePerClient,
  visitorsPerMinutePerAddress,
} from '../../src/oauth/server/core/authorization-server.settings';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import {
  authorize,
  basic,
  begin,
  decideAt,
  ISSUER,
  logInAt,
  post,
  register,
  registerApp,
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { Method, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let app: Registered;
let config: Configuration;

withService(async (started) => {
  ({ service, admin, app, config } = await registerApp(started));
  ann = await userWith(service, admin, 'ann', { permission_id: 'role:read', level: 1 });
});

const TOKEN = '/api/oauth/token';
const OFFLINE = { scope: 'openid email offline_access' };

describe('NUL characters', () => {
  const hint = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('{"aud":"\\u0000"}').toString('base64url')}.AAAA`;

  it.each(['state', 'nonce', 'login_hint', 'client_id', 'redirect_uri'])(
    'are a bad request in %s at the authorization endpoint',
    async (name) => {
      for (const browser of [service.client(), ann.client]) {
        const query = new URLSearchParams((await begin(config)).url.search);
        query.set(name, '\0a');
        const answer = await browser.get(`/api/oauth/authorize?${query.toString()}`);
        expect([answer.status, answer.text.includes('invalid_request')]).toEqual([400, true]);
      }
    },
  );

  it.each<[Method, string, string | undefined]>([
    ['GET', '/api/oauth/logout?state=%00', undefined],
    ['GET', '/api/oauth/logout?client_id=%00', undefined],
    ['GET', `/api/oauth/logout?id_token_hint=${hint}`, undefined],
    ['GET', '/api/oauth/logout/success?client_id=%00', undefined],
    ['POST', TOKEN, 'client_id=%00&grant_type=refresh_token&refresh_token=%00'],
    ['POST', '/api/oauth/revoke', 'client_id=%00&token=%00'],
    ['POST', '/api/oauth/introspect', 'client_id=%00&token=%00'],
  ])('are rejected at %s %s', async (method, url, payload) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { statusCode } = await service.app.inject({
      method: method as 'GET',
      url,
      ...(payload && { payload, headers }),
    });
    expect([400, 401]).toContain(statusCode);
  });

  it('return 404 as a client id of a consent', async () => {
    expect((await ann.client.delete('/api/oauth/consent/%00')).status).toBe(404);
  });

  it('are rejected in a pushed request', async () => {
    await service.set(parEnabled, true);
    const { url } = await begin(config, { state: '\0' });
    const answer = await post(service, '/api/oauth/par', url.search.slice(1), basic(app));
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_request']);
    await service.set(parEnabled, false);
  });
});

describe('a program that accepts text/html', () => {
  it.each<[Method, string]>([
    ['POST', 'token'],
    ['POST', 'token?x=%00'],
    ['POST', 'revoke'],
    ['POST', 'introspect'],
    ['GET', 'userinfo'],
  ])('gets errors as JSON at %s %s', async (method, route) => {
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await service.app.inject({ method: method as 'GET', url: `/api/oauth/${route}`, headers });
    expect(answer.statusCode).toBeLessThan(402);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(answer.payload)).toHaveProperty('error');
  });
});

describe('grants end when the client', () => {
  const rejected = (party: Configuration, token: string): Promise<void> =>
    expect(refreshTokenGrant(party, token)).rejects.toMatchObject({ error: 'invalid_grant' });

  it.each<[string, object, object]>([
    ['loses a scope', {}, { scopes: ['openid', 'offline_access'] }],
    ['is no longer first-party', { first_party: true }, { first_party: false }],
  ])('%s', async (_, made, change) => {
    const client = await register(admin, made);
    const party = await relyingParty(() => service, client);
    const tokens = await logInAt(party, ann.client, OFFLINE);
    expect((await admin.patch(`/api/oauth/client/${client.id}`, change)).status).toBe(200);
    await rejected(party, tokens.refresh_token!);
  });

  it('is disabled and enabled again', async () => {
    const client = await register(admin);
    const party = await relyingParty(() => service, client);
    const tokens = await logInAt(party, ann.client, OFFLINE);
    for (const enabled of [false, true]) await admin.patch(`/api/oauth/client/${client.id}`, { enabled });
    await rejected(party, tokens.refresh_token!);
  });

  it('gains a scope (and then do not end)', async () => {
    const client = await register(admin);
    const party = await relyingParty(() => service, client);
    const tokens = await logInAt(party, ann.client, OFFLINE);
    await admin.patch(`/api/oauth/client/${client.id}`, {
      scopes: ['openid', 'profile', 'email', 'phone', 'offline_access'],
    });
    expect((await refreshTokenGrant(party, tokens.refresh_token!)).access_token).toBeDefined();
    const page = await redirectOf(ann.client, (await begin(party, { scope: 'openid email phone' })).url);
    expect(page).toMatch(/^\/consent\?/);
  });

  it('asks for consent to scopes that only a first-party client had without asking', async () => {
    const client = await register(admin, { first_party: true });
    const party = await relyingParty(() => service, client);
    await logInAt(party, ann.client, OFFLINE);
    await admin.patch(`/api/oauth/client/${client.id}`, { first_party: false });
    expect(await redirectOf(ann.client, (await begin(party, OFFLINE)).url)).toMatch(/^\/consent\?/);
  });
});

describe('a second consent decision (prompt=consent)', () => {
  const resource = 'urn:castellan:iam';
  const wanted = { scope: 'openid email role:read', resource };
  let party: Configuration;
  let client: Registered;

  beforeEach(async () => {
    client = await register(admin, { scopes: ['openid', 'email', 'role:read'] });
    party = await relyingParty(() => service, client);
    await logInAt(party, ann.client, wanted);
  });

  const decide = async (scopes: string[]): Promise<string | undefined> => {
    const { url, checks } = await begin(party, { ...wanted, prompt: 'consent' });
    const page = await redirectOf(ann.client, url);
    const { redirect } = (await decideAt(ann.client, page, 'allow', { scopes })).body;
    const back = new URL(await redirectOf(ann.client, redirect));
    return (await authorizationCodeGrant(party, back, checks, { resource })).scope;
  };
  const remembered = async (): Promise<string[] | undefined> => {
    const { body } = await ann.client.get<{ items: { client: { id: string }; scopes: { name: string }[] }[] }>(
      '/api/oauth/consent',
    );
    const found = body.items.find((item) => item.client.id === client.client_id);
    return found?.scopes.map(({ name }) => name);
  };

  it('revokes scopes that are no longer allowed, permissions included, and remembers that', async () => {
    expect(await decide(['email'])).not.toContain('role:read');
    expect(await remembered()).toEqual(['email', 'openid']);
  });

  it('grants scopes that were rejected before', async () => {
    await decide(['email']);
    expect(await decide(['email', 'role:read'])).toContain('role:read');
    expect(await remembered()).toEqual(['email', 'openid', 'role:read']);
  });
});

describe('DPoP proof', () => {
  type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
  let pair: Pair;

  beforeAll(async () => {
    pair = await generateKeyPair('ES256', { extractable: true });
    await service.set(dpopEnabled, true);
  });

  afterAll(() => service.set(dpopEnabled, false));

  const proof = async (htm: string, path: string, more: object = {}): Promise<string> =>
    new SignJWT({ jti: randomUUID(), htm, htu: `${ISSUER}${path}`, ...more })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(pair.publicKey) })
      .setIssuedAt()
      .sign(pair.privateKey);

  const clientToken = (from: TestService, serviceClient: Registered, dpop: string): ReturnType<typeof post> =>
    post(from, TOKEN, { grant_type: 'client_credentials', scope: 'openid' }, { ...basic(serviceClient), dpop });

  it('is accepted once at the token endpoint, across parallel requests and instances', async () => {
    const serviceClient = await register(admin, { grant_types: ['client_credentials'], redirect_uris: [] });
    const other = await service.another();
    const once = await proof('POST', TOKEN);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, call) => clientToken(call % 2 ? other : service, serviceClient, once)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body['error']]).toEqual([400, 'invalid_dpop_proof']);
    }
    expect((await clientToken(other, serviceClient, once)).status).toBe(400);
    expect((await clientToken(other, serviceClient, await proof('POST', TOKEN))).status).toBe(200);
  });

  it('is accepted once at userinfo, only for its method, address and token', async () => {
    const { url, checks } = await begin(config, OFFLINE);
    const DPoP = getDPoPHandle(config, pair);
    const { access_token: token } = await authorizationCodeGrant(
      config,
      await authorize(ann.client, url),
      checks,
      undefined,
      { DPoP },
    );
    const ath = sha256(token);
    const ask = async (dpop: string): Promise<number> =>
      (await service.client().get('/api/oauth/userinfo', { headers: { authorization: `DPoP ${token}`, dpop } })).status;
    const good = await proof('GET', '/api/oauth/userinfo', { ath });
    expect(await ask(good)).toBe(200);
    expect(await ask(good)).toBe(401);
    for (const bad of [
      await proof('POST', '/api/oauth/userinfo', { ath }),
      await proof('GET', TOKEN, { ath }),
      await proof('GET', '/api/oauth/userinfo', { ath: 'x' }),
      await proof('GET', '/api/oauth/userinfo'),
    ]) {
      expect([400, 401]).toContain(await ask(bad));
    }
  });
});

describe('anonymous browsers', () => {
  const rows = async (): Promise<number> =>
    Number((await service.query<{ n: string }>('SELECT count(*) AS n FROM oauth_artifact'))[0]!.n);

  afterEach(() => service.set(visitorsPerMinutePerAddress, visitorsPerMinutePerAddress.defaultValue));

  it.each([
    ['login interactions', async () => (await begin(config)).url],
    ['logout requests', async () => new URL('/api/oauth/logout?state=x', ISSUER)],
  ])('store a limited number of %s per address for half an hour', async (_, address) => {
    await service.set(visitorsPerMinutePerAddress, 3);
    const flood = service.client();
    const before = await rows();
    const ask = async (browser: TestClient): ReturnType<TestClient['get']> => {
      const { pathname, search } = await address();
      return browser.get(`${pathname}${search}`);
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(flood)));
    expect(await rows()).toBe(before + 3);
    const rejected = answers.filter(
      ({ headers, status }) => status === 429 || /temporarily_unavailable/.test(String(headers['location'])),
    );
    expect(rejected).toHaveLength(7);
    for (const { headers } of rejected) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const other = await ask(service.client());
    expect([200, 302]).toContain(other.status);
    expect(String(other.headers['location'])).not.toContain('temporarily_unavailable');
    const [longest] = await service.query<{ seconds: number }>(
      `SELECT max(extract(epoch FROM expires_at - now()))::int AS seconds FROM oauth_artifact
       WHERE user_id IS NULL AND model IN ('Session', 'Interaction')`,
    );
    expect(longest!.seconds).toBeLessThanOrEqual(1_800);
  });

  it('leave no stored requests after expiry', async () => {
    await redirectOf(service.client(), (await begin(config)).url);
    await service.query(`UPDATE oauth_artifact SET expires_at = now() - interval '1 second' WHERE user_id IS NULL`);
    await service.app.get(SessionsEndedListener, { strict: false }).clean();
    expect(await service.query('SELECT 1 FROM oauth_artifact WHERE expires_at < now()')).toEqual([]);
  });

  it('push a limited number of requests in the name of a public client', async () => {
    await service.set(parEnabled, true);
    await service.set(tokenPerMinutePerClient, 2);
    const spa = await register(admin, { is_public: true });
    const { url } = await begin(await relyingParty(() => service, spa));
    const statuses = [];
    for (let call = 0; call < 3; call++) {
      statuses.push((await post(service, '/api/oauth/par', url.search.slice(1))).status);
    }
    expect(statuses).toEqual([201, 201, 429]);
    await service.set(tokenPerMinutePerClient, tokenPerMinutePerClient.defaultValue);
    await service.set(parEnabled, false);
  });
});
