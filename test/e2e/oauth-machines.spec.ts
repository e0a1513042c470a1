import { decodeJwt, importJWK, SignJWT } from 'jose';
import { OAuthKeysService } from '../../src/oauth/server';
import { SigningKeysService } from '../../src/session';
import { searchPerMinutePerUser } from '../../src/auth';
import { DatabaseClock } from '../../src/platform/database';
import { accessTable } from '../support/access-table';
import { Holder, holderOf } from '../support/holders';
import { basic, ISSUER, logInAt, post, register, Registered, relyingParty } from '../support/oauth';
import { staleFor } from '../support/staleness';
import { Answer, Method, TestClient } from '../support/test-client';
import { TestService } from '../support/test-service';

const AUDIENCE = 'urn:castellan:iam';
const CHECK = '/api/permission/check';
const SEARCH = '/api/auth/users';
const INVALID = 'Bearer error="invalid_token"';
const READ = { permission_id: 'permission:read', level: 1 };
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';
/** Open to everybody by their policy, with a token or without. */
const PUBLIC = [200, 202, 302, 303];

interface Machine extends Registered {
  readonly token: string;
}

let service: TestService;
let admin: TestClient;
let ann: Holder;
let machine: Machine;
let other: TestService;
let setters = 0;

const bearer = (token: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${token}` },
});

async function tokenOf(client: Registered, scope: string, resource?: string): Promise<string> {
  const form = { grant_type: 'client_credentials', scope, ...(resource !== undefined && { resource }) };
  const { status, body } = await post(service, '/api/oauth/token', form, basic(client));
  if (status !== 200) throw new Error(`No token: ${JSON.stringify(body)}`);
  return body['access_token'] as string;
}

async function machineOf(owner: TestClient, ...scopes: string[]): Promise<Machine> {
  const more = { name: 'Machine', redirect_uris: [], grant_types: ['client_credentials'], scopes };
  const client = await register(owner, more);
  return { ...client, token: await tokenOf(client, scopes.join(' '), AUDIENCE) };
}

const check = (token: string, more: object = { user_id: ann.id }): Promise<Answer<{ allowed: boolean }>> =>
  service
    .client()
    .post<{ allowed: boolean }>(CHECK, { checks: [{ permission_id: 'role:read' }], ...more }, bearer(token));

const search = (token: string): Promise<Answer<{ id: string }[]>> =>
  service.client().post<{ id: string }[]>(SEARCH, { ids: [ann.id] }, bearer(token));

async function expectClosed(token: string): Promise<void> {
  for (const answer of [await check(token), await search(token)]) {
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(answer.headers['www-authenticate']).toBe(INVALID);
  }
}

beforeAll(async () => {
  service = await TestService.start();
  other = await service.another();
  admin = await service.admin();
  ann = await holderOf(service, admin, 'ann', { permission_id: 'role:read', level: 1 });
  machine = await machineOf(admin, 'permission:read');
});

afterAll(() => service.stop());

describe('a machine', () => {
  it('asks what a user may do, and who users are', async () => {
    expect(await check(machine.token)).toMatchObject({ status: 200, body: { allowed: true } });
    expect(await search(machine.token)).toMatchObject({ status: 200, body: [{ id: ann.id }] });
  });

  it('has to say whom it asks about', async () => {
    const { status, body } = await check(machine.token, {});
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'user_id', code: 'required' }] }]);
  });

  it('opens no other route', async () => {
    const opened: string[] = [];
    for (const [route, [nobody]] of Object.entries(accessTable)) {
      const [method, path] = route.split(' ') as [Method, string];
      if (PUBLIC.includes(nobody)) continue;
      const url = path.replace('{file}', 'seed.svg').replace(/\{\w+\}/g, UNKNOWN_ID);
      const takesBody = ['POST', 'PUT', 'PATCH'].includes(method);
      const options = { ...bearer(machine.token), ...(takesBody && { body: {} }) };
      const { status } = await service.client().send(method, url, options);
      if (status !== nobody) opened.push(`${route} ${status}`);
    }
    // With nothing said, but past the guard.
    expect(opened).toEqual([`POST ${SEARCH} 400`, `POST ${CHECK} 400`]);
  });

  it('needs the scope that a route names, and some scope where it names none', async () => {
    const other = await machineOf(admin, 'role:read');
    const refused = await check(other.token);
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', params: { permission: 'permission:read', scope: 'iam' } },
    });
    expect(refused.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="permission:read"');
    expect((await search(other.token)).status).toBe(200);
    expect(
      (await check(await tokenOf(await machineOf(admin, 'permission:read', 'role:read'), 'role:read', AUDIENCE)))
        .status,
    ).toBe(403);
  });

  it('has a limit of its own for searches', async () => {
    await service.set(searchPerMinutePerUser, 2);
    const [one, other] = [await machineOf(admin, 'permission:read'), await machineOf(admin, 'permission:read')];
    expect([(await search(one.token)).status, (await search(one.token)).status]).toEqual([200, 200]);
    expect([(await search(one.token)).status, (await search(other.token)).status]).toEqual([429, 200]);
    await service.set(searchPerMinutePerUser, 60);
  });

  it('leaves its client marked as used, and itself in the log', async () => {
    const used = await machineOf(admin, 'permission:read');
    await service.query(`UPDATE oauth_client SET last_used_at = now() - interval '1 hour' WHERE id = $1`, [used.id]);
    await check(used.token);
    const rows = await service.query<{ recent: boolean }>(
      `SELECT last_used_at > now() - interval '1 minute' AS recent FROM oauth_client WHERE id = $1`,
      [used.id],
    );
    expect(rows).toEqual([{ recent: true }]);
    expect(service.logLines.some((line) => line.includes(`"client_id":"${used.client_id}"`))).toBe(true);
  });

  it('is a user where a session cookie comes beside its token', async () => {
    const asAnn = await ann.client.post<{ code?: string }>(
      CHECK,
      { checks: [{ permission_id: 'role:read' }] },
      bearer(machine.token),
    );
    expect(asAnn.status).toBe(200);
    const ofAdmin = await admin.get<{ id: string }>('/api/auth/me');
    const body = { user_id: ofAdmin.body.id, checks: [{ permission_id: 'role:read' }] };
    expect((await ann.client.post(CHECK, body, bearer(machine.token))).status).toBe(403);
    const refreshOnly = [...ann.client.jar].filter(([name]) => name.endsWith('_refresh'));
    const cookie = refreshOnly.map((pair) => pair.join('=')).join('; ');
    expect((await service.client().post(CHECK, body, { ...bearer(machine.token), cookie })).status).toBe(401);
  });
});

describe('the right to act', () => {
  it('ends with the client: disabled, without its grant, or gone', async () => {
    const ends: ((id: string) => Promise<Answer<unknown>>)[] = [
      (id) => admin.patch(`/api/oauth/client/${id}`, { enabled: false }),
      (id) =>
        admin.patch(`/api/oauth/client/${id}`, {
          grant_types: ['authorization_code'],
          redirect_uris: ['https://app.example.com/callback'],
        }),
      (id) => admin.delete(`/api/oauth/client/${id}`),
    ];
    for (const end of ends) {
      const ending = await machineOf(admin, 'permission:read');
      expect((await check(ending.token)).status).toBe(200);
      expect((await end(ending.id)).status).toBeLessThan(300);
      await expectClosed(ending.token);
    }
  });

  it('does not come back with the client: what was given before it was disabled stays closed', async () => {
    const paused = await machineOf(admin, 'permission:read');
    await admin.patch(`/api/oauth/client/${paused.id}`, { enabled: false });
    await admin.patch(`/api/oauth/client/${paused.id}`, { enabled: true });
    await expectClosed(paused.token);
    expect((await check(await tokenOf(paused, 'permission:read', AUDIENCE))).status).toBe(200);
    await expectClosed(paused.token);
  });

  it('ends where a scope is taken from the client', async () => {
    const shrinking = await machineOf(admin, 'permission:read', 'role:read');
    await admin.patch(`/api/oauth/client/${shrinking.id}`, { scopes: ['role:read'] });
    await expectClosed(shrinking.token);
  });

  it('shrinks with the rights of whoever set the scopes', async () => {
    const owner = await holderOf(service, admin, 'owner', 'oauth_client:create', READ, 'role:read');
    const owned = await machineOf(owner.client, 'permission:read', 'role:read');
    expect((await check(owned.token)).status).toBe(200);
    await admin.patch(`/api/user/${owner.id}/permissions`, { remove: ['permission:read'] });
    expect((await check(owned.token)).status).toBe(403);
    expect((await search(owned.token)).status).toBe(200);
    await admin.patch(`/api/user/${owner.id}/permissions`, { remove: ['role:read'] });
    await expectClosed(owned.token);
  });

  it('comes back where somebody who holds them sets the same scopes', async () => {
    const owner = await holderOf(service, admin, 'former', 'oauth_client:create', READ);
    const owned = await machineOf(owner.client, 'permission:read');
    const again = (client: TestClient): Promise<Answer<unknown>> =>
      client.patch(`/api/oauth/client/${owned.id}`, { scopes: ['permission:read'] });
    await admin.patch(`/api/user/${owner.id}/permissions`, { remove: ['permission:read'] });
    expect((await again(owner.client)).body).toMatchObject({ code: 'escalation_denied' });
    await expectClosed(owned.token);
    expect((await again(admin)).status).toBe(200);
    expect((await check(owned.token)).status).toBe(200);
    const setters = await service.query<{ before: object; after: object }>(
      `SELECT before ->> 'scopes_set_by' AS before, after ->> 'scopes_set_by' AS after
       FROM audit_event WHERE action = 'oauth_client.update' AND target_id = $1`,
      [owned.id],
    );
    const { id } = (await admin.get<{ id: string }>('/api/auth/me')).body;
    expect(setters).toEqual([{ before: owner.id, after: id }]);
  });
});

describe('an instance that did not do it knows within a second', () => {
  it.each<[string, (machine: Machine, owner: Holder) => Promise<Answer<unknown>>, number]>([
    ['that the client is disabled', ({ id }) => admin.patch(`/api/oauth/client/${id}`, { enabled: false }), 401],
    ['that it lost a scope', ({ id }) => admin.patch(`/api/oauth/client/${id}`, { scopes: ['role:read'] }), 401],
    [
      'that its setter lost a permission',
      (_, { id }) => admin.patch(`/api/user/${id}/permissions`, { remove: ['permission:read'] }),
      403,
    ],
    ['that its setter may not log in', (_, { id }) => admin.patch(`/api/user/${id}`, { status: 'disabled' }), 401],
  ])('%s', async (_, change, status) => {
    const setter = await holderOf(service, admin, `setter_${setters++}`, 'oauth_client:create', READ, 'role:read');
    const owned = await machineOf(setter.client, 'permission:read', 'role:read');
    const body = { user_id: ann.id, checks: [{ permission_id: 'role:read' }] };
    const ask = async (): Promise<number> => (await other.client().post(CHECK, body, bearer(owned.token))).status;
    expect(await ask()).toBe(200);
    expect((await change(owned, setter)).status).toBe(200);
    expect(await staleFor(async () => (await ask()) === status)).toBeLessThanOrEqual(1_000);
  });
});

describe('a token that is not for machines here', () => {
  it('is one for another audience, or for none', async () => {
    const scopes = ['permission:read'];
    await admin.post('/api/permission', { scope: 'shop', permission_id: 'order:read', description: 'Orders' });
    const client = await machineOf(admin, ...scopes, 'shop:order:read');
    await expectClosed(await tokenOf(client, 'shop:order:read', 'urn:castellan:shop'));
    const opaque = await post(service, '/api/oauth/token', { grant_type: 'client_credentials' }, basic(client));
    await expectClosed(opaque.body['access_token'] as string);
  });

  it("is a user's access token at an application, opaque or JWT", async () => {
    const app = await register(admin, {
      scopes: ['openid', 'role:read'],
      grant_types: ['authorization_code', 'client_credentials'],
    });
    const party = await relyingParty(() => service, app);
    const opaque = await logInAt(party, ann.client, { scope: 'openid' });
    const jwt = await logInAt(party, ann.client, { scope: 'openid role:read', resource: AUDIENCE });
    expect(decodeJwt(jwt.access_token)).toMatchObject({ aud: AUDIENCE, sub: ann.id, scope: 'role:read' });
    for (const token of [opaque.access_token, jwt.access_token, jwt.id_token!]) {
      await expectClosed(token);
      expect((await service.client().get('/api/auth/me', bearer(token))).status).toBe(401);
    }
  });

  it('is one that has expired', async () => {
    const clock = service.app.get(DatabaseClock, { strict: false });
    const later = clock.now() + 901_000;
    const spy = jest.spyOn(clock, 'now').mockReturnValue(later);
    await expectClosed(machine.token);
    spy.mockRestore();
    expect((await check(machine.token)).status).toBe(200);
  });

  describe('is one made otherwise', () => {
    type Sign = (header?: object, claims?: object, algorithm?: 'ES256' | 'RS256') => Promise<string>;

    /** As the service signs them, but for what is given. */
    const sign: Sign = async (header = {}, claims = {}, algorithm = 'ES256') => {
      const keys = service.app.get(SigningKeysService, { strict: false });
      const kids = await keys.signingOrder('oauth');
      const jwks = await Promise.all(kids.map((kid) => keys.privateJwk(kid)));
      const jwk = jwks.find(({ alg }) => alg === algorithm)!;
      return new SignJWT({ ...decodeJwt(machine.token), ...claims })
        .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid: jwk.kid, ...header })
        .sign(await importJWK(jwk, algorithm));
    };

    it('but a true copy does', async () => {
      expect((await check(await sign())).status).toBe(200);
      expect(decodeJwt(machine.token)).toMatchObject({ iss: ISSUER, sub: machine.client_id });
    });

    it.each<[string, () => Promise<string>]>([
      ['another type', () => sign({ typ: 'JWT' })],
      ['another algorithm', () => sign({}, {}, 'RS256')],
      ['a key nobody knows', () => sign({ kid: UNKNOWN_ID })],
      ['another issuer', () => sign({}, { iss: 'https://elsewhere.example.com' })],
      ['audiences beside ours', () => sign({}, { aud: [AUDIENCE, 'urn:castellan:shop'] })],
      ['no end', () => sign({}, { exp: undefined })],
      ['another subject', () => sign({}, { sub: ann.id })],
      ['a key of its bearer', () => sign({}, { cnf: { jkt: 'thumbprint' } })],
      ['an unknown client', () => sign({}, { client_id: 'nobody', sub: 'nobody' })],
      ['a forged signature', async () => `${machine.token.slice(0, -8)}AAAAAAAA`],
      ['no signature', async () => machine.token.replace(/^[\w-]+/, 'eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0')],
    ])('with %s', async (_, make) => {
      await expectClosed(await make());
    });
  });
});

it('a superseded key is kept until what it signed has ended, by the clock of the database', async () => {
  const kids = async (): Promise<string[]> =>
    (await service.client().get<{ keys: { kid: string }[] }>('/api/oauth/jwks')).body.keys.map(({ kid }) => kid);
  const former = await kids();
  expect((await admin.post('/api/signing-key')).status).toBe(201);
  await service.query(`UPDATE signing_key SET signs_from = now() - interval '1 second' WHERE signs_from > now()`);
  const maintain = (hours: number): Promise<void> => service.app.get(OAuthKeysService).maintain(hours * 3_600_000);
  await maintain(23);
  expect(await kids()).toEqual(expect.arrayContaining(former));
  expect((await check(machine.token)).status).toBe(200);
  service.app.get(DatabaseClock, { strict: false }).observe(new Date(Date.now() + 25 * 3_600_000));
  await maintain(0);
  expect(await kids()).toEqual(expect.arrayContaining(former));
  await maintain(25);
  const left = await kids();
  expect(left).toHaveLength(2);
  for (const kid of former) expect(left).not.toContain(kid);
  await expectClosed(machine.token);
});
