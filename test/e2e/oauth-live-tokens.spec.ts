import { randomUUID } from 'node:crypto';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { DatabaseClock } from '../../src/platform/database';
import { dpopEnabled } from '../../src/oauth/server/core/authorization-server.settings';
import { userWith } from '../support/accounts/holders';
import { basic, ISSUER, logInAt, post, register, Registered, relyingParty } from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const TOKEN = '/api/oauth/token';
const OWN = 'urn:castellan:iam';

type Posted = Awaited<ReturnType<typeof post>>;

let service: TestService;
let admin: TestClient;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  await admin.post('/api/permission', { scope: 'shop', permission_id: 'order:read', description: 'Orders' });
});

const serviceClient = (...scopes: string[]): Promise<Registered> =>
  register(admin, { grant_types: ['client_credentials'], redirect_uris: [], scopes });

const ask = (client: Registered, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Posted> =>
  post(service, TOKEN, { grant_type: 'client_credentials', ...form }, { ...basic(client), ...headers });

const askOwn = (client: Registered): Promise<Posted> => ask(client, { scope: 'role:read', resource: OWN });

const outcome = ({ status, body }: Posted): unknown[] => [status, body['error']];

async function opens({ body }: Posted): Promise<number> {
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  return (await service.client().post('/api/auth/users', { ids: [] }, { headers })).status;
}

describe('an issued client token', () => {
  it('is accepted immediately after all earlier tokens were revoked', async () => {
    const client = await serviceClient('role:read');
    for (let turn = 0; turn < 3; turn++) {
      await admin.patch(`/api/oauth/client/${client.id}`, { enabled: false });
      await admin.patch(`/api/oauth/client/${client.id}`, { enabled: true });
      expect(await opens(await askOwn(client))).not.toBe(401);
    }
  });

  it('is accepted despite a difference between the clocks of instance and database', async () => {
    const client = await serviceClient('role:read');
    const clock = service.app.get(DatabaseClock, { strict: false });
    const ahead = clock.now() + 3_600_000;
    const spy = jest.spyOn(clock, 'now').mockReturnValue(ahead);
    try {
      expect(await opens(await askOwn(client))).not.toBe(401);
    } finally {
      spy.mockRestore();
    }
  });
});

describe('a client token request without scope and resource', () => {
  it('returns a token for the one service of the scopes of the client, with all of them there', async () => {
    const client = await serviceClient('openid', 'role:read', 'role:update');
    const answer = await ask(client, {});
    expect([answer.status, answer.body['scope']]).toEqual([200, 'role:read role:update']);
    expect(decodeJwt(String(answer.body['access_token']))).toMatchObject({ aud: OWN, scope: 'role:read role:update' });
    expect(await opens(answer)).not.toBe(401);
  });

  it('is rejected when the grantor of the scopes no longer holds any', async () => {
    const client = await serviceClient('role:read');
    await service.query('UPDATE oauth_client SET scopes_set_by = NULL WHERE id = $1', [client.id]);
    expect(outcome(await ask(client, {}))).toEqual([400, 'invalid_scope']);
  });
});

describe('a client token request', () => {
  it('is rejected without a scope of this service, or with a scope that the client lacks', async () => {
    const client = await serviceClient('role:read');
    expect(outcome(await ask(client, { resource: OWN }))).toEqual([400, 'invalid_scope']);
    for (const scope of ['role:delete', 'anything']) {
      expect([scope, ...outcome(await ask(client, { scope }))]).toEqual([scope, 400, 'invalid_scope']);
    }
  });

  it.each([
    ['belong to several services', ['role:read', 'shop:order:read']],
    ['belong to none', ['openid']],
  ])('is rejected without scope and resource when the scopes of the client %s', async (_, scopes) => {
    const answer = await ask(await serviceClient(...scopes), {});
    expect(outcome(answer)).toEqual([400, 'invalid_target']);
    expect(answer.body['error_description']).toContain('resource is required');
  });

  it('is rejected when the token would be bound to a key, which no route here supports', async () => {
    const client = await serviceClient('role:read');
    await service.set(dpopEnabled, true);
    const pair = await generateKeyPair('ES256', { extractable: true });
    const dpop = await new SignJWT({ jti: randomUUID(), htm: 'POST', htu: `${ISSUER}${TOKEN}` })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(pair.publicKey) })
      .setIssuedAt()
      .sign(pair.privateKey);
    try {
      const answer = await ask(client, { scope: 'role:read', resource: OWN }, { dpop });
      expect(outcome(answer)).toEqual([400, 'invalid_target']);
    } finally {
      await service.set(dpopEnabled, false);
    }
  });

  it.each<[string, string, unknown[]]>([
    ['is disabled', 'enabled = false', [401, 'invalid_client']],
    ['has lost its grant type', `grant_types = '["authorization_code"]'`, [400, 'unauthorized_client']],
  ])('is rejected immediately after the client %s, despite caches', async (_, change, failure) => {
    const client = await serviceClient('role:read');
    expect((await askOwn(client)).status).toBe(200);
    await service.query(`UPDATE oauth_client SET ${change} WHERE id = $1`, [client.id]);
    expect(outcome(await askOwn(client))).toEqual(failure);
  });

  it('is rejected immediately after the client was deleted, despite caches', async () => {
    const client = await serviceClient('role:read');
    expect((await askOwn(client)).status).toBe(200);
    await service.query('DELETE FROM oauth_client WHERE id = $1', [client.id]);
    expect(outcome(await askOwn(client))).toEqual([401, 'invalid_client']);
  });
});

it("a user's token for a service shrinks with the permissions of the grantor of the client's scopes", async () => {
  const held = ['permission:read', 'role:read'].map((permission_id) => ({ permission_id, level: 1 }));
  const grantor = await userWith(service, admin, 'grantor', 'oauth_client:create', ...held);
  const user = await userWith(service, admin, 'token_user', ...held);
  const scopes = ['openid', 'offline_access', 'permission:read', 'role:read'];
  const app = await register(grantor.client, { scopes });
  const request = { scope: scopes.join(' '), resource: OWN, prompt: 'consent' };
  let { refresh_token: token } = await logInAt(await relyingParty(() => service, app), user.client, request);
  const refreshed = async (): Promise<unknown> => {
    const form = { grant_type: 'refresh_token', refresh_token: token ?? '', resource: OWN };
    const { body } = await post(service, TOKEN, form, basic(app));
    if (body['error'] !== undefined) return body['error'];
    token = body['refresh_token'] as string;
    return decodeJwt(body['access_token'] as string)['scope'];
  };
  expect(await refreshed()).toBe('permission:read role:read');
  await admin.patch(`/api/user/${grantor.id}/permissions`, { remove: ['permission:read'] });
  expect(await refreshed()).toBe('role:read');
  await admin.patch(`/api/user/${grantor.id}`, { status: 'disabled' });
  expect(await refreshed()).toBeUndefined();
});
