import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as oidc from 'openid-client';
import {
  authorize,
  basic,
  CALLBACK,
  ISSUER,
  logInAt,
  post,
  register,
  Registered,
  relyingParty,
} from '../support/oauth/oauth';
import { eventually } from '../support/service/eventually';
import { expectProblem } from '../support/service/expect-problem';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const TOKEN = '/api/oauth/token';
const INTROSPECT = '/api/oauth/introspect';
const IAM = 'urn:castellan:iam';
const CRM = 'urn:castellan:crm';
const SERVICE_CLIENT = { redirect_uris: [], grant_types: ['client_credentials'] };

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  ann = await userWith(service, admin, 'ann', { permission_id: 'role:read', level: 1 });
  await admin.post('/api/permission', { scope: 'crm', permission_id: 'contact:read', description: 'Read contacts' });
});

const change = (client: Registered, body: object) => admin.patch<Problem>(`/api/oauth/client/${client.id}`, body);
const rejectedFields = async (body: object): Promise<unknown> =>
  (await admin.post<Problem>('/api/oauth/client', { name: 'App', redirect_uris: [CALLBACK], ...body })).body.errors;

describe('id_token_signed_response_alg', () => {
  it('signs ID tokens and logout tokens with the algorithm of the client, by default RS256', async () => {
    const { body } = await service.client().get<Record<string, unknown>>('/.well-known/openid-configuration');
    expect(body['id_token_signing_alg_values_supported']).toEqual(['ES256', 'RS256']);
    const notices: string[] = [];
    const application = createServer((request, response) => {
      request.on('data', (part: Buffer) => notices.push(part.toString()));
      request.on('end', () => response.end());
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
    const { port } = application.address() as AddressInfo;
    const uri = { backchannel_logout_uri: `http://127.0.0.1:${port}/logout` };
    const algorithmOf = (token: string): unknown => decodeProtectedHeader(token).alg;
    for (const algorithm of ['RS256', 'ES256']) {
      const more = algorithm === 'RS256' ? {} : { id_token_signed_response_alg: algorithm };
      const client = await register(admin, { ...uri, ...more });
      const config = await relyingParty(() => service, client, undefined, algorithm);
      const browser = await service.logIn(ann.username);
      const tokens = await logInAt(config, browser);
      expect(algorithmOf(tokens.id_token!)).toBe(algorithm);
      await browser.post('/api/auth/logout');
      const [notice] = await eventually(
        async () => notices.splice(0),
        (all) => all.length > 0,
      );
      expect(algorithmOf(new URLSearchParams(notice).get('logout_token')!)).toBe(algorithm);
    }
    await new Promise((resolve) => application.close(resolve));
  });

  it('accepts no other algorithm', async () => {
    expect(await rejectedFields({ id_token_signed_response_alg: 'none' })).toMatchObject([
      { field: 'id_token_signed_response_alg', code: 'one_of' },
    ]);
  });

  it('still accepts an ID token of the previous algorithm as id_token_hint at logout', async () => {
    const client = await register(admin, { post_logout_redirect_uris: ['https://app.example.com/'] });
    const { id_token: hint } = await logInAt(await relyingParty(() => service, client), ann.client);
    await change(client, { id_token_signed_response_alg: 'ES256' });
    const query = new URLSearchParams({ id_token_hint: hint!, post_logout_redirect_uri: 'https://app.example.com/' });
    expect((await ann.client.get(`/api/oauth/logout?${query.toString()}`)).status).toBe(200);
  });
});

describe('require_pkce', () => {
  const withoutChallenge = async (client: Registered): Promise<URL> => {
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
    });
    return authorize(ann.client, new URL(`${ISSUER}/api/oauth/authorize?${query.toString()}`));
  };

  it('lets a confidential client log users in without a challenge when it is off', async () => {
    const client = await register(admin, { require_pkce: false });
    const code = (await withoutChallenge(client)).searchParams.get('code')!;
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    const { status, body } = await post(service, TOKEN, form, basic(client));
    expect([status, typeof body['id_token']]).toEqual([200, 'string']);
  });

  it('rejects a verifier for a code that was requested without a challenge', async () => {
    const client = await register(admin, { require_pkce: false });
    const code = (await withoutChallenge(client)).searchParams.get('code')!;
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: 'v'.repeat(43) };
    expect((await post(service, TOKEN, form, basic(client))).body['error']).toBe('invalid_grant');
  });

  it('is on by default, and turning it on invalidates codes that were requested without a challenge', async () => {
    const client = await register(admin);
    expect((await withoutChallenge(client)).searchParams.get('error')).toBe('invalid_request');
    await change(client, { require_pkce: false });
    const code = (await withoutChallenge(client)).searchParams.get('code')!;
    await change(client, { require_pkce: true });
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    expect((await post(service, TOKEN, form, basic(client))).body['error']).toBe('invalid_grant');
  });

  it('cannot be off for a public client', async () => {
    expect(await rejectedFields({ is_public: true, require_pkce: false })).toMatchObject([
      { field: 'require_pkce', code: 'pkce_needed' },
    ]);
    const spa = await register(admin, { is_public: true });
    expect((await change(spa, { require_pkce: false })).body.errors).toMatchObject([{ code: 'pkce_needed' }]);
  });

  it('causes a doctor warning when it is off', async () => {
    const client = await register(admin, { name: 'Old Intranet', require_pkce: false });
    const check = async (): Promise<unknown> => {
      const { body } = await admin.get<{ checks: { check: string; state: string; detail: string }[] }>('/api/doctor');
      return body.checks.find((each) => each.check === 'pkce');
    };
    expect(await check()).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('Old Intranet') as string,
    });
    await service.query('UPDATE oauth_client SET require_pkce = true');
    expect(await check()).toMatchObject({ state: 'ok' });
    await admin.delete(`/api/oauth/client/${client.id}`);
  });
});

describe('id_token_claims', () => {
  it('puts the claims of the granted scopes into the ID token, also after a refresh', async () => {
    const client = await register(admin, { id_token_claims: true });
    const config = await relyingParty(() => service, client);
    const tokens = await logInAt(config, ann.client, { scope: 'openid profile offline_access' });
    expect(tokens.claims()).toMatchObject({ sub: ann.id, preferred_username: 'ann', name: 'ann' });
    expect(tokens.claims()).not.toHaveProperty('email');
    const fresh = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
    expect(fresh.claims()).toMatchObject({ sub: ann.id, preferred_username: 'ann' });
    const narrow = await oidc.refreshTokenGrant(config, fresh.refresh_token!, { scope: 'openid' });
    expect(narrow.claims()).not.toHaveProperty('preferred_username');
  });

  it('leaves the claims to userinfo by default', async () => {
    const tokens = await logInAt(await relyingParty(() => service, await register(admin)), ann.client);
    expect(tokens.claims()).not.toHaveProperty('preferred_username');
  });
});

describe('client credentials', () => {
  const tokenOf = (client: Registered, form: Record<string, string>) =>
    post(service, TOKEN, { grant_type: 'client_credentials', ...form }, basic(client));

  it('do not grant openid to a client that lacks it', async () => {
    const serviceClient = await register(admin, { ...SERVICE_CLIENT, scopes: ['role:read'] });
    expect(await tokenOf(serviceClient, { scope: 'openid' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
  });

  it('issue a token for the single resource of the scopes', async () => {
    const serviceClient = await register(admin, { ...SERVICE_CLIENT, scopes: ['role:read', 'crm:contact:read'] });
    for (const [scope, audience] of [
      ['role:read', IAM],
      ['crm:contact:read', 'urn:castellan:crm'],
    ] as const) {
      const { status, body } = await tokenOf(serviceClient, { scope });
      expect([status, body['scope']]).toEqual([200, scope]);
      expect(decodeJwt(body['access_token'] as string).aud).toBe(audience);
    }
  });

  it('require the resource parameter when the scopes belong to several resources', async () => {
    const serviceClient = await register(admin, { ...SERVICE_CLIENT, scopes: ['role:read', 'crm:contact:read'] });
    const { status, body } = await tokenOf(serviceClient, { scope: 'role:read crm:contact:read' });
    expect([status, body['error']]).toEqual([400, 'invalid_target']);
    expect(body['error_description']).toContain('resource');
  });
});

describe('introspection_resources', () => {
  const ask = async (by: Registered, token: string): Promise<Record<string, unknown>> =>
    (await post(service, INTROSPECT, { token }, basic(by))).body;
  const tokenFor = async (client: Registered, scope: string, resource: string): Promise<string> =>
    (await post(service, TOKEN, { grant_type: 'client_credentials', scope, resource }, basic(client))).body[
      'access_token'
    ] as string;

  let resourceServer: Registered;
  let caller: Registered;

  beforeAll(async () => {
    resourceServer = await register(admin, {
      ...SERVICE_CLIENT,
      scopes: ['role:read'],
      introspection_resources: [IAM],
    });
    caller = await register(admin, { ...SERVICE_CLIENT, scopes: ['role:read', 'crm:contact:read'] });
  });

  it('lets a resource server introspect tokens of its resource, whatever client received them', async () => {
    const token = await tokenFor(caller, 'role:read', IAM);
    const { exp, iat, jti } = decodeJwt(token);
    const known = { client_id: caller.client_id, sub: caller.client_id, aud: IAM, iss: ISSUER, exp, iat, jti };
    const answer = { active: true, scope: 'role:read', token_type: 'Bearer', ...known };
    expect(await ask(resourceServer, token)).toEqual(answer);
    expect(await ask(caller, token)).toEqual({ active: false });
  });

  it('hides tokens of other resources, opaque tokens of other clients and invalid tokens', async () => {
    const other = await tokenFor(caller, 'crm:contact:read', 'urn:castellan:crm');
    const app = await register(admin);
    const { access_token: opaque, id_token: idToken } = await logInAt(
      await relyingParty(() => service, app),
      ann.client,
    );
    for (const token of [other, opaque, idToken!, 'x', 'x.y.z', `${other}x`]) {
      expect(await ask(resourceServer, token)).toEqual({ active: false });
    }
  });

  it('reports a user’s token as not active after its user, session, permission or client is gone', async () => {
    const app = await register(admin, { scopes: ['openid', 'role:read'] });
    const userOf = async (name: string): Promise<[UserWithGrants, string]> => {
      const holder = await userWith(service, admin, name, { permission_id: 'role:read', level: 1 });
      const config = await relyingParty(() => service, app);
      const tokens = await logInAt(config, holder.client, { scope: 'openid role:read', resource: IAM });
      expect(await ask(resourceServer, tokens.access_token)).toMatchObject({ active: true, sub: holder.id });
      return [holder, tokens.access_token];
    };
    const ends: Record<string, (holder: UserWithGrants) => Promise<unknown>> = {
      disabled: ({ id }) => admin.patch(`/api/user/${id}`, { status: 'disabled' }),
      ended: ({ id }) => admin.delete(`/api/user/${id}/sessions`),
      demoted: ({ id }) => admin.patch(`/api/user/${id}/permissions`, { remove: ['role:read'] }),
    };
    for (const [name, end] of Object.entries(ends)) {
      const [holder, token] = await userOf(name);
      await end(holder);
      expect([name, await ask(resourceServer, token)]).toEqual([name, { active: false }]);
    }
    const [, token] = await userOf('left');
    await change(app, { enabled: false });
    expect(await ask(resourceServer, token)).toEqual({ active: false });
  });

  it('binds the token of a user to the session of its login', async () => {
    const app = await register(admin, { scopes: ['openid', 'role:read'] });
    const config = await relyingParty(() => service, app);
    const [first, second] = [ann.client, await service.logIn(ann.username)];
    const tokenIn = async (browser: TestClient): Promise<string> =>
      (await logInAt(config, browser, { scope: 'openid role:read', resource: IAM })).access_token;
    const tokens = [await tokenIn(first), await tokenIn(second)];
    const active = async (): Promise<unknown[]> =>
      Promise.all(tokens.map(async (token) => (await ask(resourceServer, token))['active']));
    expect(await active()).toEqual([true, true]);
    await second.post('/api/auth/logout');
    expect(await active()).toEqual([true, false]);
  });

  it.each<[string, (setter: UserWithGrants) => Promise<{ status: number }>]>([
    [
      'lost a permission in the resource',
      ({ id }) => admin.patch(`/api/user/${id}/permissions`, { remove: ['crm:*:*'] }),
    ],
    ['was disabled', ({ id }) => admin.patch(`/api/user/${id}`, { status: 'disabled' })],
    ['was deleted', ({ id }) => admin.delete(`/api/user/${id}`)],
  ])('ends after the user who set it %s, until another sets it again', async (name, end) => {
    const everything = { scope: 'crm', permission_id: '*:*', level: 7 };
    const username = `setter_${name.split(' ')[1]}`;
    const setter = await userWith(service, admin, username, 'oauth_client:create', everything);
    const owned = await register(setter.client, { ...SERVICE_CLIENT, scopes: ['crm:contact:read'] });
    await setter.client.patch(`/api/oauth/client/${owned.id}`, { introspection_resources: [CRM] });
    const token = await tokenFor(caller, 'crm:contact:read', CRM);
    expect(await ask(owned, token)).toMatchObject({ active: true });
    expect((await end(setter)).status).toBeLessThan(300);
    expect((await change(owned, { enabled: true })).status).toBe(200);
    expect(await ask(owned, token)).toEqual({ active: false });
    expect((await change(owned, { introspection_resources: [CRM] })).status).toBe(200);
    expect(await ask(owned, token)).toMatchObject({ active: true });
  });

  it('can be set only by a caller with all permissions in the resource, and only for a confidential client', async () => {
    const maker = await userWith(service, admin, 'maker', 'oauth_client:create', {
      permission_id: 'role:read',
      level: 1,
    });
    const body = { name: 'Spy', ...SERVICE_CLIENT, scopes: ['role:read'] };
    const rejected = await maker.client.post<Problem>('/api/oauth/client', { ...body, introspection_resources: [IAM] });
    expectProblem(rejected, 403, 'escalation_denied');
    const own = await maker.client.post<Registered>('/api/oauth/client', body);
    const changed = { introspection_resources: [IAM] };
    const later = await maker.client.patch<Problem>(`/api/oauth/client/${own.body.id}`, changed);
    expectProblem(later, 403, 'escalation_denied');
    expect(await rejectedFields({ is_public: true, introspection_resources: [IAM] })).toMatchObject([
      { field: 'introspection_resources', code: 'confidential_client_needed' },
    ]);
    expect(
      await rejectedFields({ introspection_resources: [IAM, 'urn:castellan:nobody', 'urn:castellan:*'] }),
    ).toMatchObject([1, 2].map((index) => ({ field: `introspection_resources[${index}]`, code: 'unknown_resource' })));
  });
});
