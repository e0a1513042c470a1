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
} from '../support/oauth';
import { Holder, holderOf } from '../support/holders';
import { Problem, TestClient } from '../support/test-client';
import { TestService } from '../support/test-service';

const TOKEN = '/api/oauth/token';
const INTROSPECT = '/api/oauth/introspect';
const IAM = 'urn:castellan:iam';
const MACHINE = { redirect_uris: [], grant_types: ['client_credentials'] };

let service: TestService;
let admin: TestClient;
let ann: Holder;

beforeAll(async () => {
  service = await TestService.start();
  admin = await service.admin();
  ann = await holderOf(service, admin, 'ann', { permission_id: 'role:read', level: 1 });
  await admin.post('/api/permission', { scope: 'crm', permission_id: 'contact:read', description: 'Read contacts' });
});

afterAll(() => service.stop());

const change = (client: Registered, body: object) => admin.patch<Problem>(`/api/oauth/client/${client.id}`, body);
const refusedFields = async (body: object): Promise<unknown> =>
  (await admin.post<Problem>('/api/oauth/client', { name: 'App', redirect_uris: [CALLBACK], ...body })).body.errors;

describe('id_token_signed_response_alg', () => {
  it('signs ID and logout tokens as the client asks, and leaves RS256 to all others', async () => {
    const { body } = await service.client().get<Record<string, unknown>>('/.well-known/openid-configuration');
    expect(body['id_token_signing_alg_values_supported']).toEqual(['ES256', 'RS256']);
    for (const algorithm of ['RS256', 'ES256']) {
      const client = await register(admin, algorithm === 'RS256' ? {} : { id_token_signed_response_alg: algorithm });
      const config = await relyingParty(() => service, client, undefined, algorithm);
      const tokens = await logInAt(config, ann.client);
      expect(decodeProtectedHeader(tokens.id_token!).alg).toBe(algorithm);
    }
  });

  it('takes no other algorithm', async () => {
    expect(await refusedFields({ id_token_signed_response_alg: 'none' })).toMatchObject([
      { field: 'id_token_signed_response_alg', code: 'one_of' },
    ]);
  });

  it('still takes an ID token of the former algorithm as a hint of which application logs out', async () => {
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

  it('lets a confidential client without it log people in without a challenge', async () => {
    const client = await register(admin, { require_pkce: false });
    const code = (await withoutChallenge(client)).searchParams.get('code')!;
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    const { status, body } = await post(service, TOKEN, form, basic(client));
    expect([status, typeof body['id_token']]).toEqual([200, 'string']);
  });

  it('takes no verifier for a code that was asked for without a challenge', async () => {
    const client = await register(admin, { require_pkce: false });
    const code = (await withoutChallenge(client)).searchParams.get('code')!;
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: 'v'.repeat(43) };
    expect((await post(service, TOKEN, form, basic(client))).body['error']).toBe('invalid_grant');
  });

  it('is on by default, and once it is on again ends codes that were asked for without', async () => {
    const client = await register(admin);
    expect((await withoutChallenge(client)).searchParams.get('error')).toBe('invalid_request');
    await change(client, { require_pkce: false });
    const code = (await withoutChallenge(client)).searchParams.get('code')!;
    await change(client, { require_pkce: true });
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
    expect((await post(service, TOKEN, form, basic(client))).body['error']).toBe('invalid_grant');
  });

  it('cannot be off for a public client', async () => {
    expect(await refusedFields({ is_public: true, require_pkce: false })).toMatchObject([
      { field: 'require_pkce', code: 'pkce_needed' },
    ]);
    const spa = await register(admin, { is_public: true });
    expect((await change(spa, { require_pkce: false })).body.errors).toMatchObject([{ code: 'pkce_needed' }]);
  });

  it('is a warning of the doctor where it is off', async () => {
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

  it('leaves them to userinfo by default', async () => {
    const tokens = await logInAt(await relyingParty(() => service, await register(admin)), ann.client);
    expect(tokens.claims()).not.toHaveProperty('preferred_username');
  });
});

describe('a machine', () => {
  const tokenOf = (client: Registered, form: Record<string, string>) =>
    post(service, TOKEN, { grant_type: 'client_credentials', ...form }, basic(client));

  it('is not granted openid, which it does not have', async () => {
    const machine = await register(admin, { ...MACHINE, scopes: ['role:read'] });
    expect(await tokenOf(machine, { scope: 'openid' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
  });

  it('gets a token for the one resource that its scopes belong to', async () => {
    const machine = await register(admin, { ...MACHINE, scopes: ['role:read', 'crm:contact:read'] });
    for (const [scope, audience] of [
      ['role:read', IAM],
      ['crm:contact:read', 'urn:castellan:crm'],
    ] as const) {
      const { status, body } = await tokenOf(machine, { scope });
      expect([status, body['scope']]).toEqual([200, scope]);
      expect(decodeJwt(body['access_token'] as string).aud).toBe(audience);
    }
  });

  it('has to name the resource where its scopes belong to several', async () => {
    const machine = await register(admin, { ...MACHINE, scopes: ['role:read', 'crm:contact:read'] });
    const { status, body } = await tokenOf(machine, { scope: 'role:read crm:contact:read' });
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
    resourceServer = await register(admin, { ...MACHINE, scopes: ['role:read'], introspection_resources: [IAM] });
    caller = await register(admin, { ...MACHINE, scopes: ['role:read', 'crm:contact:read'] });
  });

  it('lets a resource server introspect the tokens of its resource, whose client ever they are', async () => {
    const token = await tokenFor(caller, 'role:read', IAM);
    const { exp, iat, jti } = decodeJwt(token);
    const known = { client_id: caller.client_id, sub: caller.client_id, aud: IAM, iss: ISSUER, exp, iat, jti };
    const answer = { active: true, scope: 'role:read', token_type: 'Bearer', ...known };
    expect(await ask(resourceServer, token)).toEqual(answer);
    expect(await ask(caller, token)).toEqual({ active: false });
  });

  it('shows nothing of other resources, of opaque tokens of others, and of garbage', async () => {
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

  it('says that a user’s token is not active once its user, session, permission or client is gone', async () => {
    const app = await register(admin, { scopes: ['openid', 'role:read'] });
    const userOf = async (name: string): Promise<[Holder, string]> => {
      const holder = await holderOf(service, admin, name, { permission_id: 'role:read', level: 1 });
      const config = await relyingParty(() => service, app);
      const tokens = await logInAt(config, holder.client, { scope: 'openid role:read', resource: IAM });
      expect(await ask(resourceServer, tokens.access_token)).toMatchObject({ active: true, sub: holder.id });
      return [holder, tokens.access_token];
    };
    const ends: Record<string, (holder: Holder) => Promise<unknown>> = {
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

  it('is for those to give who hold everything in the resource, and for confidential clients', async () => {
    const maker = await holderOf(service, admin, 'maker', 'oauth_client:create', {
      permission_id: 'role:read',
      level: 1,
    });
    const body = { name: 'Spy', ...MACHINE, scopes: ['role:read'] };
    const refused = await maker.client.post<Problem>('/api/oauth/client', { ...body, introspection_resources: [IAM] });
    expect(refused.body.code).toBe('escalation_denied');
    const own = await maker.client.post<Registered>('/api/oauth/client', body);
    const changed = { introspection_resources: [IAM] };
    const later = await maker.client.patch<Problem>(`/api/oauth/client/${own.body.id}`, changed);
    expect(later.body.code).toBe('escalation_denied');
    expect(await refusedFields({ is_public: true, introspection_resources: [IAM] })).toMatchObject([
      { field: 'introspection_resources', code: 'confidential_client_needed' },
    ]);
    expect(
      await refusedFields({ introspection_resources: [IAM, 'urn:castellan:nobody', 'urn:castellan:*'] }),
    ).toMatchObject([1, 2].map((index) => ({ field: `introspection_resources[${index}]`, code: 'unknown_resource' })));
  });
});
