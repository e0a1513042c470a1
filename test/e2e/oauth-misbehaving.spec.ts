import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { IdentityProviderRegistry } from '../../src/oauth/login';
import { expectProblem } from '../support/service/expect-problem';
import { CLIENT_SECRET, claimsOf, json, ProviderSimulator, signIdToken } from '../support/provider-simulator';
import { freePort } from '../support/servers/redis-server';
import { bringBack, consent, logInThrough } from '../support/oauth/simulated-login';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let simulator: ProviderSimulator;
let admin: TestClient;
let made = 0;

withService(async (started) => {
  service = started;
  simulator = await ProviderSimulator.start();
  admin = await service.admin();
});

afterAll(() => simulator.stop());

/** Creates a provider from the template with a new name. */
async function simulated(template: string): Promise<{ name: string }> {
  const name = `p${++made}`;
  const answer = await admin.post('/api/oauth/provider', simulator.configuration(template, { name }));
  if (answer.status !== 201) throw new Error(answer.text);
  return { name };
}

describe('a misbehaving provider', () => {
  afterEach(() => {
    simulator.restore();
  });

  const fails = async (name: string): Promise<void> => {
    const users = await service.query('SELECT id FROM user_account');
    const answer = await logInThrough(service.client(), simulator, name);
    expectProblem(answer, 502, 'provider_failed');
    expect(answer.text).not.toMatch(/token|127\.0\.0\.1/i);
    expect(await service.query('SELECT id FROM user_account')).toEqual(users);
  };

  it.each<[string, string, Parameters<ProviderSimulator['override']>[1]]>([
    ['token status 500', 'POST /oauth2/token', () => json({ error: 'server_error' }, 500)],
    [
      'an HTML page as token response',
      'POST /oauth2/token',
      () => ({ type: 'text/html', body: '<html>access_token=x</html>' }),
    ],
    ['an error with status 200', 'POST /oauth2/token', () => json({ error: 'bad_code', access_token: 'x' })],
    ['no token', 'POST /oauth2/token', () => json({ access_token: '' })],
    ['a token that is a list', 'POST /oauth2/token', () => json({ access_token: ['x'] })],
    ...['null', '5', '"x"', '[]'].map((body): [string, string, Parameters<ProviderSimulator['override']>[1]] => [
      `${body} for a token`,
      'POST /oauth2/token',
      () => ({ type: 'application/json', body }),
    ]),
    ['a redirect', 'GET /oauth2/me', () => ({ status: 302, headers: { location: '/oauth2/me' }, body: '' })],
    ['an HTML page as profile', 'GET /oauth2/me', () => ({ type: 'text/html', body: '<html>' })],
    ['a list as profile', 'GET /oauth2/me', () => json([])],
    ['no subject', 'GET /oauth2/me', () => json({ name: 'x' })],
    ['a subject that is a list', 'GET /oauth2/me', () => json({ sub: ['4711'] })],
    ['an empty subject', 'GET /oauth2/me', () => json({ sub: ' ' })],
    ['an overlong subject', 'GET /oauth2/me', () => json({ sub: 'x'.repeat(256) })],
    ['a subject with a NUL character', 'GET /oauth2/me', () => json({ sub: 'a\0b' })],
    ['a lone surrogate as subject', 'GET /oauth2/me', () => json({ sub: 'a\ud800' })],
  ])('with %s causes provider_failed', async (_, route, handler) => {
    const { name } = await simulated('oauth2');
    simulator.override(route, handler);
    await fails(name);
  });

  it.each<[string, Parameters<ProviderSimulator['override']>[1]]>([
    ['hangs', () => undefined],
    ['closes the connection', (_, response) => void response.destroy()],
    [
      'drips',
      (_, response) => {
        const dripping = setInterval(() => response.write(' '), 100);
        response.on('close', () => {
          clearInterval(dripping);
        });
        return undefined;
      },
    ],
    [
      'never finishes',
      (_, response) => {
        const pour = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', pour);
        pour();
        return undefined;
      },
    ],
  ])('that %s ends the login in time', async (_, handler) => {
    const { name } = await simulated('oauth2');
    simulator.override('GET /oauth2/me', handler);
    const started = performance.now();
    await fails(name);
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  it('that is down ends the login', async () => {
    const name = `p${++made}`;
    const anonymous = `http://127.0.0.1:${await freePort()}/token`;
    await admin.post('/api/oauth/provider', simulator.configuration('oauth2', { name, token_url: anonymous }));
    await fails(name);
  });

  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  type Claims = Record<string, unknown>;
  const unsigned = (claims: Claims): string =>
    [{ alg: 'none', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.') + '.';

  it('that behaves correctly logs the user in, so that the other cases fail for their own reason', async () => {
    const { name } = await simulated('oidc');
    simulator.override('POST /oidc/token', async ({ form }) => {
      const grant = simulator.spend(form['code'], { verifier: form['code_verifier'] })!;
      const token = await signIdToken(claimsOf(grant, `${simulator.url}/oidc`));
      return json({ access_token: simulator.token(grant), token_type: 'Bearer', id_token: token });
    });
    expect((await logInThrough(service.client(), simulator, name)).body.status).toBe('bind_required');
  });

  it.each<[string, (claims: Claims) => Promise<string> | string]>([
    ['another issuer', (claims) => signIdToken({ ...claims, iss: 'https://evil.example' })],
    ['another audience', (claims) => signIdToken({ ...claims, aud: 'another client' })],
    [
      'several audiences and no authorized party',
      (claims) => signIdToken({ ...claims, aud: [claims['aud'], 'another'] }),
    ],
    ['another authorized party', (claims) => signIdToken({ ...claims, azp: 'another client' })],
    ['an expiry in the past', (claims) => signIdToken({ ...claims, exp: Math.floor(Date.now() / 1_000) - 60 })],
    ['no expiry', ({ exp: _exp, ...claims }) => signIdToken(claims)],
    ['another nonce', (claims) => signIdToken({ ...claims, nonce: 'another' })],
    ['no nonce', ({ nonce: _nonce, ...claims }) => signIdToken(claims)],
    ['no subject', ({ sub: _sub, ...claims }) => signIdToken(claims)],
    ['a subject that is a list', (claims) => signIdToken({ ...claims, sub: ['4711'] })],
    ['the key of another provider', (claims) => signIdToken(claims, { key: stranger })],
    ['an unknown key', (claims) => signIdToken(claims, { key: stranger, kid: 'key-2' })],
    ['no signature', (claims) => unsigned(claims)],
    ['another subject than userinfo', (claims) => signIdToken({ ...claims, sub: '4712' })],
    ['rubbish', () => 'rubbish'],
  ])('with %s in its id_token causes provider_failed', async (_, make) => {
    const { name } = await simulated('oidc');
    simulator.override('POST /oidc/token', async ({ form }) => {
      const grant = simulator.spend(form['code'], { verifier: form['code_verifier'] })!;
      const token = await make(claimsOf(grant, `${simulator.url}/oidc`));
      return json({ access_token: simulator.token(grant), token_type: 'Bearer', id_token: token });
    });
    await fails(name);
  });

  it('with an id_token signed by its public key or the client secret causes provider_failed', async () => {
    const { name } = await simulated('oidc');
    simulator.override('POST /oidc/token', async ({ form }) => {
      const grant = simulator.spend(form['code'], { verifier: form['code_verifier'] })!;
      const key = createSecretKey(Buffer.from(CLIENT_SECRET.padEnd(32, '.')));
      const claims = claimsOf(grant, `${simulator.url}/oidc`);
      return json({ access_token: simulator.token(grant), id_token: await signIdToken(claims, { key, alg: 'HS256' }) });
    });
    await fails(name);
  });

  it.each<[string, Record<string, unknown>]>([
    ['another issuer', { issuer: 'https://evil.example' }],
    ['keys at another host', { jwks_uri: 'file:///etc/passwd' }],
    ['a javascript: authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('with %s in its discovery document never receives the browser', async (_, lie) => {
    const { name } = await simulated('oidc');
    const at = `${simulator.url}/oidc`;
    const document = {
      issuer: at,
      authorization_endpoint: `${at}/authorize`,
      token_endpoint: `${at}/token`,
      jwks_uri: `${at}/keys`,
    };
    simulator.override('GET /oidc/.well-known/openid-configuration', () => json({ ...document, ...lie }));
    const answer = await service
      .client()
      .get<Problem>(`/api/oauth/login/${name}`, { headers: { accept: 'application/json' } });
    expect([String(answer.headers['location'] ?? ''), answer.text].join(' ')).toContain('provider_failed');
  });

  it('with a callback that names another issuer is a mix-up, also without discovery', async () => {
    const configuration = simulator.configuration('oauth2', { name: `p${++made}`, issuer: 'https://house.example' });
    const { body } = await admin.post<{ name: string }>('/api/oauth/provider', configuration);
    for (const [issuer, status] of [
      ['https://evil.example', 502],
      ['https://house.example', 200],
    ] as const) {
      const client = service.client();
      const callback = await consent(client, simulator, body.name);
      const url = new URL(callback.url);
      url.searchParams.set('iss', issuer);
      expect((await bringBack(client, { ...callback, url: url.href })).status).toBe(status);
    }
  });

  it.each(['another issuer', 'no issuer'])('with a callback that names %s is a mix-up', async (which) => {
    const { name } = await simulated('oidc');
    const client = service.client();
    const callback = await consent(client, simulator, name);
    const url = new URL(callback.url);
    if (which === 'no issuer') url.searchParams.delete('iss');
    else url.searchParams.set('iss', 'https://evil.example');
    expectProblem(await bringBack(client, { ...callback, url: url.href }), 502, 'provider_failed');
  });

  it.each<[unknown, boolean, string]>([
    [true, true, 'oauth2'],
    ['true', false, 'oauth2'],
    [1, false, 'oauth2'],
    [{}, false, 'oauth2'],
    [undefined, false, 'oauth2'],
  ])('with the email_verified value %j is verified: %s', async (email_verified, expected, template) => {
    const { name } = await simulated(template);
    simulator.override('GET /oauth2/me', () => json({ sub: '1', email: 'a@idp.example', email_verified }));
    const { identityProvider } = (await service.app.get(IdentityProviderRegistry, { strict: false }).find(name))!;
    const common = { redirectUri: 'https://id.example.com/cb', nonce: 'n', codeVerifier: 'v'.repeat(43) };
    const { params } = await simulator.visit(await identityProvider.authorizeUrl({ ...common, state: 's' }));
    expect((await identityProvider.complete({ ...common, params })).emailVerified).toBe(expected);
  });
});
