import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { DatabaseClock } from '../../src/platform/database';
import { dpopEnabled } from '../../src/oauth/server/authorization-server.settings';
import { basic, ISSUER, post, register, Registered } from '../support/oauth';
import { TestClient } from '../support/test-client';
import { TestService } from '../support/test-service';

const TOKEN = '/api/oauth/token';
const OWN = 'urn:castellan:iam';

type Posted = Awaited<ReturnType<typeof post>>;

let service: TestService;
let admin: TestClient;

beforeAll(async () => {
  service = await TestService.start();
  admin = await service.admin();
});

afterAll(() => service.stop());

const machine = (...scopes: string[]): Promise<Registered> =>
  register(admin, { grant_types: ['client_credentials'], redirect_uris: [], scopes });

const ask = (client: Registered, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Posted> =>
  post(service, TOKEN, { grant_type: 'client_credentials', ...form }, { ...basic(client), ...headers });

const askOwn = (client: Registered): Promise<Posted> => ask(client, { scope: 'role:read', resource: OWN });

const outcome = ({ status, body }: Posted): unknown[] => [status, body['error']];

async function opens({ body }: Posted): Promise<number> {
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  return (await service.client().post('/api/auth/users', { ids: [] }, { headers })).status;
}

describe('a token that a machine is given opens what it is for', () => {
  it('at once after all that was given before has ended', async () => {
    const client = await machine('role:read');
    for (let turn = 0; turn < 3; turn++) {
      await admin.patch(`/api/oauth/client/${client.id}`, { enabled: false });
      await admin.patch(`/api/oauth/client/${client.id}`, { enabled: true });
      expect(await opens(await askOwn(client))).not.toBe(401);
    }
  });

  it('wherever the clocks of the instance and of the database are', async () => {
    const client = await machine('role:read');
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

describe('a token that would open nothing is refused', () => {
  it('without a scope for this service, or with one that the client does not have', async () => {
    const client = await machine('role:read');
    expect(outcome(await ask(client, { resource: OWN }))).toEqual([400, 'invalid_scope']);
    for (const scope of ['role:delete', 'anything']) {
      expect([scope, ...outcome(await ask(client, { scope }))]).toEqual([scope, 400, 'invalid_scope']);
    }
    expect((await ask(client, {})).status).toBe(200);
  });

  it('where it would be bound to a key, which no route here takes', async () => {
    const client = await machine('role:read');
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
    ['has lost the grant', `grant_types = '["authorization_code"]'`, [400, 'unauthorized_client']],
  ])('as soon as the client %s, whatever is remembered of it', async (_, change, refusal) => {
    const client = await machine('role:read');
    expect((await askOwn(client)).status).toBe(200);
    await service.query(`UPDATE oauth_client SET ${change} WHERE id = $1`, [client.id]);
    expect(outcome(await askOwn(client))).toEqual(refusal);
  });

  it('as soon as the client is gone, whatever is remembered of it', async () => {
    const client = await machine('role:read');
    expect((await askOwn(client)).status).toBe(200);
    await service.query('DELETE FROM oauth_client WHERE id = $1', [client.id]);
    expect(outcome(await askOwn(client))).toEqual([401, 'invalid_client']);
  });
});
