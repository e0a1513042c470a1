import { calculatePKCECodeChallenge, Configuration, randomPKCECodeVerifier } from 'openid-client';
import { refreshGrace, tokenPerMinutePerClient } from '../../src/oauth/server/core/authorization-server.settings';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import {
  authorize,
  basic,
  begin,
  CALLBACK,
  logInAt,
  post,
  register,
  registerApp,
  Registered,
} from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

/** Tests have the names of OpenID conformance modules where one exists, and of requirements F01–F08. */
let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let app: Registered;
let config: Configuration;

withService(async (started) => {
  ({ service, admin, app, config } = await registerApp(started));
  ann = await userWith(service, admin, 'ann');
});

const TOKEN = '/api/oauth/token';

interface Code {
  readonly code: string;
  readonly verifier: string;
}

async function codeFor(parameters: Record<string, string> = {}): Promise<Code> {
  const { url, verifier } = await begin(config, parameters);
  return { code: (await authorize(ann.client, url)).searchParams.get('code')!, verifier };
}

const redeem = ({ code, verifier }: Code, more: Record<string, string> = {}, client = app): ReturnType<typeof post> =>
  post(
    service,
    TOKEN,
    { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier, ...more },
    basic(client),
  );

const refresh = (token: unknown, client = app): ReturnType<typeof post> =>
  post(service, TOKEN, { grant_type: 'refresh_token', refresh_token: String(token) }, basic(client));

const userinfo = async (token: unknown): Promise<number> =>
  (await service.client().get('/api/oauth/userinfo', { headers: { authorization: `Bearer ${String(token)}` } })).status;

const asks = async (
  parameters: Record<string, string>,
): Promise<{ status: number; location: string | undefined; text: string }> => {
  const query = new URLSearchParams({
    client_id: app.client_id,
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid',
    code_challenge: await calculatePKCECodeChallenge(randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
    state: 's',
    ...parameters,
  });
  for (const [name, value] of Object.entries(parameters)) if (value === '') query.delete(name);
  const answer = await ann.client.get(`/api/oauth/authorize?${query.toString()}`);
  return { status: answer.status, location: answer.headers['location'] as string | undefined, text: answer.text };
};

/** Error code in the query, or in the fragment for response types that return tokens there. */
function errorIn(location: string | undefined): string | null {
  const { searchParams, hash } = new URL(String(location));
  return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error');
}

describe('F01 oidcc-ensure-registered-redirect-uri', () => {
  it.each([
    `${CALLBACK}/more`,
    'https://app.example.com/',
    'https://app.example.com/Callback',
    'https://APP.example.com/callback',
    'https://app.example.com/x/../callback',
    `${CALLBACK}?x=1`,
    `${CALLBACK}#x`,
    `${CALLBACK}#`,
    'https://app.example.com@evil.example/callback',
    'https://app.example.com\\@evil.example/callback',
    'https://app.example.com%2fcallback',
    'https://app.example.com./callback',
    'https://app.example.com:444/callback',
    'http://app.example.com/callback',
    'javascript:alert(1)',
  ])('shows an error for %s and does not redirect', async (uri) => {
    const { status, location, text } = await asks({ redirect_uri: uri });
    expect([status, location]).toEqual([400, undefined]);
    expect(text).toContain('invalid_redirect_uri');
  });

  it('accepts any loopback port for a public client and no other difference (RFC 8252 §7.3)', async () => {
    const redirect_uris = ['http://127.0.0.1:1234/cb'];
    const [app1, server] = [
      await register(admin, { is_public: true, redirect_uris }),
      await register(admin, { redirect_uris }),
    ];
    const at = async (client: Registered, uri: string): Promise<number> =>
      (await asks({ client_id: client.client_id, redirect_uri: uri })).status;
    expect(await at(app1, 'http://127.0.0.1:5678/cb')).toBe(302);
    expect(await at(app1, 'http://127.0.0.1:5678/other')).toBe(400);
    expect(await at(app1, 'http://127.0.0.2:1234/cb')).toBe(400);
    expect(await at(server, 'http://127.0.0.1:5678/cb')).toBe(400);
  });

  it('requires a redirect_uri even when only one is registered', async () => {
    expect((await asks({ redirect_uri: '' })).location).toBeUndefined();
  });
});

describe('F02 oidcc-codereuse', () => {
  it('accepts one of 20 parallel redemptions, and a replay revokes its tokens', async () => {
    const code = await codeFor({ scope: 'openid offline_access' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body['error']]).toEqual([400, 'invalid_grant']);
    }
    const { access_token: access, refresh_token: token } = answers.find(({ status }) => status === 200)!.body;
    expect((await redeem(code)).body['error']).toBe('invalid_grant');
    expect(await userinfo(access)).toBe(401);
    expect((await refresh(token)).body['error']).toBe('invalid_grant');
    expect(
      await service.query(`SELECT DISTINCT outcome FROM audit_event WHERE action = 'oauth_grant.revoke_replayed'`),
    ).toEqual([{ outcome: 'failure' }]);
  });

  it('oidcc-codereuse-30seconds: revokes the tokens also after a long time', async () => {
    const code = await codeFor();
    const { body } = await redeem(code);
    expect(await userinfo(body['access_token'])).toBe(200);
    await service.query(
      `UPDATE oauth_artifact SET consumed_at = consumed_at - interval '30 seconds' WHERE consumed_at IS NOT NULL`,
    );
    expect((await redeem(code)).body['error']).toBe('invalid_grant');
    expect(await userinfo(body['access_token'])).toBe(401);
  });
});

it('F03 expires a code after one minute', async () => {
  const [young, old] = [await codeFor(), await codeFor()];
  const age = (seconds: number): Promise<unknown> =>
    service.query(
      `UPDATE oauth_artifact SET expires_at = expires_at - make_interval(secs => $1::int) WHERE model = 'AuthorizationCode'`,
      [seconds],
    );
  await age(50);
  expect((await redeem(young)).status).toBe(200);
  await age(10);
  expect((await redeem(old)).body['error']).toBe('invalid_grant');
});

describe('F04 PKCE', () => {
  it.each([
    ['no challenge', { code_challenge: '', code_challenge_method: '' }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method', { code_challenge_method: '' }],
  ])('rejects a request with %s', async (_, parameters) => {
    expect(errorIn((await asks(parameters)).location)).toBe('invalid_request');
  });

  it('rejects a code without its verifier or with another', async () => {
    expect((await redeem(await codeFor(), { code_verifier: randomPKCECodeVerifier() })).body['error']).toBe(
      'invalid_grant',
    );
    const { code } = await codeFor();
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    expect((await post(service, TOKEN, form, basic(app))).status).toBe(400);
  });

  it('rejects another redirect_uri than in the authorization request', async () => {
    const answer = await redeem(await codeFor(), { redirect_uri: 'https://app.example.com/other' });
    expect(answer.body['error']).toBe('invalid_grant');
  });
});

describe('F05', () => {
  it.each(['token', 'id_token', 'code token', 'none'])(
    'oidcc-response-type-missing, unsupported: rejects %s',
    async (type) => {
      expect(errorIn((await asks({ response_type: type })).location)).toBe('unsupported_response_type');
    },
  );

  it('offers no password grant, and no grant type that the client lacks', async () => {
    const of = async (grant: string): Promise<unknown> =>
      (await post(service, TOKEN, { grant_type: grant, username: 'ann', password: 'x' }, basic(app))).body['error'];
    expect(await of('password')).toBe('unsupported_grant_type');
    expect(await of('implicit')).toBe('unsupported_grant_type');
    expect(await of('client_credentials')).toBe('unauthorized_client');
  });
});

describe('F06 oidcc-refresh-token', () => {
  const family = async (): Promise<string> =>
    String((await logInAt(config, ann.client, { scope: 'openid offline_access' })).refresh_token);
  const age = (seconds: number): Promise<unknown> =>
    service.query('UPDATE oauth_artifact SET consumed_at = consumed_at - make_interval(secs => $1::int)', [seconds]);

  it('returns the same successor to parallel refreshes', async () => {
    const first = await family();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(first)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(answers.map(({ body }) => body['refresh_token'])).size).toBe(1);
  });

  it('treats a token after the grace period as a replay and revokes the family', async () => {
    const first = await family();
    const { body } = await refresh(first);
    await age(31);
    expect((await refresh(first)).body['error']).toBe('invalid_grant');
    expect((await refresh(body['refresh_token'])).body['error']).toBe('invalid_grant');
    expect(await userinfo(body['access_token'])).toBe(401);
  });

  it('treats a token two rotations old as a replay, also within the grace period', async () => {
    const first = await family();
    const second = (await refresh(first)).body['refresh_token'];
    const third = (await refresh(second)).body['refresh_token'];
    expect((await refresh(first)).body['error']).toBe('invalid_grant');
    expect((await refresh(third)).body['error']).toBe('invalid_grant');
  });

  it('accepts no token twice when the grace period is 0', async () => {
    await service.set(refreshGrace, 0);
    const first = await family();
    expect((await refresh(first)).status).toBe(200);
    expect((await refresh(first)).body['error']).toBe('invalid_grant');
    await service.set(refreshGrace, 30);
  });

  it('accepts a refresh token only from its client', async () => {
    const other = await register(admin);
    const token = await family();
    expect((await refresh(token, other)).body['error']).toBe('invalid_grant');
    expect((await refresh(token)).status).toBe(200);
  });
});

describe('F07', () => {
  const token = (headers: Record<string, string>, form: Record<string, string> = {}): ReturnType<typeof post> =>
    post(service, TOKEN, { grant_type: 'client_credentials', ...form }, headers);
  const wrong = (): Record<string, string> => basic({ ...app, client_secret: 'wrong' });

  it('returns 401 with WWW-Authenticate for a wrong secret or an unknown client', async () => {
    for (const headers of [wrong(), basic({ ...app, client_id: 'nobody' })]) {
      const answer = await token(headers);
      expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client']);
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
    }
    for (const path of ['/api/oauth/revoke', '/api/oauth/introspect']) {
      expect((await post(service, path, { token: 'x' }, wrong())).status).toBe(401);
    }
  });

  it('rejects two authentication methods at once, and a confidential client without any', async () => {
    const both = await token(basic(app), { client_secret: app.client_secret!, client_id: app.client_id });
    expect([both.status, both.body['error']]).toEqual([400, 'invalid_request']);
    expect((await token({}, { client_id: app.client_id })).body['error']).toBe('invalid_client');
  });

  it('rejects a disabled client immediately, and the previous secret after its overlap', async () => {
    const serviceClient = await register(admin, { grant_types: ['client_credentials'], redirect_uris: [] });
    const works = async (client: Registered): Promise<boolean> =>
      (await token(basic(client), { scope: 'openid' })).status === 200;
    expect(await works(serviceClient)).toBe(true);
    const next = await admin.post<Registered>(`/api/oauth/client/${serviceClient.id}/secret`, { overlap_seconds: 60 });
    const renewed = { ...serviceClient, client_secret: next.body.client_secret! };
    expect([await works(renewed), await works(serviceClient)]).toEqual([true, true]);
    await admin.post(`/api/oauth/client/${serviceClient.id}/secret`, {});
    expect([await works(renewed), await works(serviceClient)]).toEqual([false, false]);
    const usable = await register(admin, { grant_types: ['client_credentials'], redirect_uris: [] });
    expect(await works(usable)).toBe(true);
    expect(
      (await admin.get<{ last_used_at: string }>(`/api/oauth/client/${usable.id}`)).body.last_used_at,
    ).not.toBeNull();
    await admin.patch(`/api/oauth/client/${usable.id}`, { enabled: false });
    expect(await works(usable)).toBe(false);
  });

  it('counts token requests of a client before it evaluates them', async () => {
    await service.set(tokenPerMinutePerClient, 2);
    const serviceClient = await register(admin, { grant_types: ['client_credentials'], redirect_uris: [] });
    const ask = (): ReturnType<typeof post> => token(basic(serviceClient), { scope: 'openid' });
    for (let call = 0; call < 2; call++) expect((await ask()).status).toBe(200);
    const rejected = await ask();
    expect([rejected.status, rejected.body['error']]).toEqual([429, 'temporarily_unavailable']);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    await service.set(tokenPerMinutePerClient, 600);
  });
});

describe('F08', () => {
  it('returns tokens as uncacheable JSON and accepts only forms', async () => {
    const { status, headers } = await redeem(await codeFor());
    expect([status, headers['cache-control'], headers['content-type']]).toEqual([
      200,
      'no-store',
      'application/json; charset=utf-8',
    ]);
    const json = { 'content-type': 'application/json', ...basic(app) };
    expect((await post(service, TOKEN, '{"grant_type":"client_credentials"}', json)).body['error']).toBe(
      'invalid_request',
    );
  });

  it('rejects a duplicate parameter and a body that is too large', async () => {
    const twice = `grant_type=refresh_token&refresh_token=a&refresh_token=b`;
    expect((await post(service, TOKEN, twice, basic(app))).body['error']).toBe('invalid_request');
    const answer = await ann.client.get(`/api/oauth/authorize?client_id=${app.client_id}&scope=openid&scope=email`);
    expect(answer.status).toBe(400);
    expect((await post(service, TOKEN, `x=${'y'.repeat(70_000)}`, basic(app))).status).toBe(400);
  });
});
