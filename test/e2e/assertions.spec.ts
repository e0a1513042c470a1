import { Get } from '@nestjs/common';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, JSONWebKeySet, jwtVerify } from 'jose';
import { ChangeStreamService } from '../../src/service-guard/client/change-stream.service';
import { Authenticated } from '../../src/platform/access';
import { CurrentCaller, ServiceController } from '../../src/service-guard/client';
import type { Caller } from '../../src/platform/context';
import { expectProblem } from '../support/service/expect-problem';
import { GuardedApp, Platform } from '../support/hosts/guarded-app';
import { assertionOf, bearer, checkShown, guardClient, guardToken } from '../support/hosts/guarded-service';
import { UserWithGrants, anyUserWith } from '../support/accounts/holders';
import { basic, post, Registered } from '../support/oauth/oauth';
import { listen } from '../support/service/raw-http';
import { accessOf, base64url, partsOf, resign, sessionOf } from '../support/accounts/session-tokens';
import { staleFor } from '../support/service/staleness';
import { Problem, TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const BILLING = 'urn:castellan:billing';
const CREATE = { scope: 'billing', permission_id: 'invoice:create', level: 2 };
/** Allows for a busy machine. */
const LIMIT_MS = 1_150;

/** The second service, of another scope. */
@ServiceController('invoices')
class ReportsController {
  @Get('me') @Authenticated() me(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }
}

let service: TestService;
let port: number;
let admin: TestClient;
let billing: Registered;
let token: string;
let ann: UserWithGrants;

withService(async (started) => {
  service = started;
  port = await listen(service.app);
  admin = await service.admin();
  billing = await guardClient(admin);
  token = await guardToken(service, billing);
  ann = await anyUserWith(service, admin, CREATE);
});

const check = async (assertion: string, at = token): Promise<unknown> => {
  const { active, code } = (await checkShown(service, at, { assertion })).body;
  return active ? 'active' : code;
};

describe('an assertion', () => {
  it('names audience, user and session, lives 60 seconds, and verifies with the published keys', async () => {
    const { status, body, headers } = await ann.client.post<{ assertion: string; expires_in: number }>(
      '/api/auth/assertion',
      { audience: BILLING },
    );
    expect([status, body.expires_in, headers['cache-control']]).toEqual([200, 60, 'no-store']);
    const jwks = (await service.client().get<JSONWebKeySet>('/.well-known/jwks.json')).body;
    const { payload, protectedHeader } = await jwtVerify(body.assertion, createLocalJWKSet(jwks));
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'session-assertion+jwt' });
    expect(payload).toEqual({
      iss: 'urn:castellan:iam',
      aud: BILLING,
      sub: ann.id,
      sid: sessionOf(ann.client),
      iat: expect.any(Number) as number,
      exp: payload.iat! + 60,
      jti: expect.any(String) as string,
    });
  });

  it.each([
    ['an unknown service', 'urn:castellan:nowhere', 'unknown_resource'],
    ['every service', 'urn:castellan:*', 'unknown_resource'],
    ['an address', 'https://billing.example.com', 'unknown_resource'],
    ['Castellan itself', 'urn:castellan:iam', 'own_resource'],
  ])('is not issued for %s', async (_, audience, code) => {
    const { status, body } = await ann.client.post<Problem>('/api/auth/assertion', { audience });
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'audience', code }] }]);
  });

  it('needs a session, of a user without a pending duty', async () => {
    const ask = (client: TestClient) => client.post<Problem>('/api/auth/assertion', { audience: BILLING });
    expectProblem(await ask(service.client()), 401, 'unauthenticated');
    const bob = await anyUserWith(service, admin);
    const assertion = await assertionOf(bob.client);
    await service.query('UPDATE user_account SET must_change_password = true WHERE id = $1', [bob.id]);
    await eventually(
      async () => (await ask(bob.client)).status,
      (status) => status === 403,
    );
    expectProblem(await ask(bob.client), 403, 'password_change_required');
    expect((await checkShown(service, token, { assertion })).body).toMatchObject({ pending: 'password_change' });
  });

  it('is not issued to a page of another origin', async () => {
    const headers = { origin: 'https://evil.example' };
    const answer = await ann.client.post<Problem>('/api/auth/assertion', { audience: BILLING }, { headers });
    expectProblem(answer, 403, 'csrf_rejected');
  });
});

describe('a check of an assertion', () => {
  it('names the user and the session of the assertion', async () => {
    const assertion = await assertionOf(ann.client);
    const { body } = await checkShown(service, token, { assertion });
    expect(body).toMatchObject({ active: true, user: { id: ann.id }, session: { id: sessionOf(ann.client) } });
    expect(body.expires_in).toBeLessThanOrEqual(60);
  });

  it('accepts it at its audience only', async () => {
    const other = await guardToken(service, await guardClient(admin, {}, 'crm'));
    expect(await check(await assertionOf(ann.client), other)).toBe('unauthenticated');
    expect(await check(await assertionOf(ann.client, 'urn:castellan:crm'), other)).toBe('active');
    expect(await check(await assertionOf(ann.client, 'urn:castellan:crm'))).toBe('unauthenticated');
  });

  it.each<[string, object, object, string]>([
    ['has expired', {}, { iat: 1_000_000_000, exp: 1_000_000_060 }, 'token_expired'],
    ['has expired and is for another service', {}, { aud: 'urn:castellan:crm', exp: 1_000_000_060 }, 'unauthenticated'],
    ['names another issuer', {}, { iss: 'urn:castellan:billing' }, 'unauthenticated'],
    ['names no session', {}, { sid: undefined }, 'unauthenticated'],
    ['never expires', {}, { exp: undefined }, 'unauthenticated'],
    ['has the type of a session token', { typ: 'session-access+jwt' }, {}, 'unauthenticated'],
    ['has no type', { typ: undefined }, {}, 'unauthenticated'],
    ['names an unknown key', { kid: 'another' }, {}, 'unauthenticated'],
  ])('rejects one that %s', async (_, header, claims, code) => {
    const changed = await resign(service, await assertionOf(ann.client), {
      header: { ...header },
      claims: { ...claims },
    });
    expect(await check(changed)).toBe(code);
  });

  it('rejects one whose content or signature was changed', async () => {
    const [header, , signature] = partsOf(await assertionOf(ann.client));
    const bob = await anyUserWith(service, admin);
    const stolen = base64url({ ...decodeJwt(await assertionOf(ann.client)), sub: bob.id });
    expect(await check(`${header}.${stolen}.${signature}`)).toBe('unauthenticated');
    const unsigned = base64url({ ...decodeProtectedHeader(await assertionOf(ann.client)), alg: 'none' });
    expect(await check(`${unsigned}.${stolen}.`)).toBe('unauthenticated');
  });

  it('rejects a session token in its place, and it in place of a session token', async () => {
    expect(await check(accessOf(ann.client))).toBe('unauthenticated');
    const assertion = await assertionOf(ann.client);
    expect((await checkShown(service, token, { tokens: [assertion] })).body).toEqual({
      active: false,
      code: 'unauthenticated',
    });
  });

  it.each([
    ['neither tokens nor an assertion', {}],
    ['both', { tokens: ['x'], assertion: 'x' }],
  ])('rejects %s', async (_, shown) => {
    const { status, body } = await checkShown(service, token, shown);
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'assertion', code: 'tokens_or_assertion' }] }]);
  });
});

describe('at Castellan, an assertion', () => {
  it.each<[string, (assertion: string) => Promise<{ status: number }>]>([
    ['opens no route as bearer token', (assertion) => service.client().get('/api/auth/me', bearer(assertion))],
    [
      'opens no route as cookie',
      (assertion) => service.client().get('/api/auth/me', { cookie: `iam_access=${assertion}` }),
    ],
    ['opens no proxied route', (assertion) => service.client().get('/api/auth/verify', bearer(assertion))],
    ['opens no userinfo', (assertion) => service.client().get('/api/oauth/userinfo', bearer(assertion))],
    ['opens no route for clients', (assertion) => checkShown(service, assertion, { tokens: ['x'] })],
    ['refreshes nothing', (assertion) => service.client().post('/api/auth/refresh', { refresh_token: assertion })],
    [
      'is not exchanged for another',
      (assertion) => service.client().post('/api/auth/assertion', { audience: BILLING }, bearer(assertion)),
    ],
  ])('%s', async (_, use) => {
    expect((await use(await assertionOf(ann.client))).status).toBe(401);
  });

  it('is no active token', async () => {
    const { body } = await post(
      service,
      '/api/oauth/introspect',
      { token: await assertionOf(ann.client) },
      basic(billing),
    );
    expect(body).toEqual({ active: false });
  });
});

describe.each<Platform>(['express', 'fastify'])('a service with the guard on %s', (platform) => {
  let app: GuardedApp;
  let reports: GuardedApp;

  const optionsFor = ({ client_id: clientId, client_secret: clientSecret = '' }: Registered) => ({
    url: `http://127.0.0.1:${port}`,
    clientId,
    clientSecret,
  });
  const isConnected = (): Promise<boolean> =>
    eventually(
      async () => app.app.get(ChangeStreamService).isConnected,
      (connected) => connected,
      20,
    );
  const statusOf = async (assertion: string, path = '/me', at = app): Promise<number> => {
    const response = await at.send(path, bearer(assertion).headers);
    await response.text();
    return response.status;
  };

  beforeAll(async () => {
    app = await GuardedApp.start(platform, optionsFor(billing));
    const client = await guardClient(admin, {}, `reports-${platform}`);
    reports = await GuardedApp.start(platform, optionsFor(client), { controller: ReportsController });
    await isConnected();
  });

  afterAll(async () => {
    await app.stop();
    await reports.stop();
  });

  it('accepts an assertion for itself, and none for another service', async () => {
    const assertion = await assertionOf(ann.client);
    const response = await app.send('/me', bearer(assertion).headers);
    expect(await response.json()).toMatchObject({ userId: ann.id, sessionId: sessionOf(ann.client) });
    expect(await statusOf(assertion, '/me', reports)).toBe(401);
    const other = await assertionOf(ann.client, `urn:castellan:reports-${platform}`);
    expect(await statusOf(other, '/me', reports)).toBe(200);
    expect(await statusOf(other)).toBe(401);
  });

  it('judges permissions, and accepts a state change from a page of another origin', async () => {
    const headers = { ...bearer(await assertionOf(ann.client)).headers, origin: 'https://app.example.com' };
    expect((await app.send('', headers, 'POST')).status).toBe(201);
    expect((await app.send('/bob', headers)).status).toBe(403);
  });

  it('prefers it to the cookies beside it', async () => {
    const bob = await anyUserWith(service, admin);
    const headers = { ...bearer(await assertionOf(ann.client)).headers, cookie: bob.client.cookie };
    expect(await (await app.send('/me', headers)).json()).toMatchObject({ userId: ann.id });
  });

  it('rejects it as cookie, whatever it accepted before', async () => {
    const assertion = await assertionOf(ann.client);
    expect(await statusOf(assertion)).toBe(200);
    expect(await app.status('/me', `iam_access=${assertion}`)).toBe(401);
    expect(await statusOf(assertion)).toBe(200);
  });

  it('says that it has expired, and rejects a changed one', async () => {
    const assertion = await assertionOf(ann.client);
    const expired = await resign(service, assertion, { claims: { iat: 1_000_000_000, exp: 1_000_000_060 } });
    const response = await app.send('/me', bearer(expired).headers);
    expect([response.status, await response.json()]).toMatchObject([401, { code: 'token_expired' }]);
    const [header, claims, signature] = partsOf(assertion);
    expect(await statusOf(`${header}.${claims}.${signature.split('').reverse().join('')}`)).toBe(401);
  });

  it.each<[string, (holder: UserWithGrants) => Promise<{ status: number }>]>([
    ['the user logs out', ({ client }) => client.post('/api/auth/logout')],
    ['an administrator ends the session', ({ id }) => admin.delete(`/api/user/${id}/sessions`)],
    ['the user is disabled', ({ id }) => admin.patch(`/api/user/${id}`, { status: 'disabled' })],
  ])('rejects it within a second after %s', async (_, end) => {
    const holder = await anyUserWith(service, admin);
    const assertion = await assertionOf(holder.client);
    expect(await statusOf(assertion)).toBe(200);
    expect((await end(holder)).status).toBeLessThan(300);
    expect(await staleFor(async () => (await statusOf(assertion)) === 401)).toBeLessThan(LIMIT_MS);
  });
});
