import { buildEndSessionUrl, Configuration } from 'openid-client';
import { ClientScopesService } from '../../src/oauth/server/clients/client-scopes.service';
import { expectProblem } from '../support/service/expect-problem';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import {
  authorize,
  basic,
  begin,
  CALLBACK,
  decideAt,
  ISSUER,
  logInAt,
  post,
  register,
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { raceRounds } from '../support/service/race-rounds';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let client: Registered;
let party: Configuration;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  ann = await userWith(service, admin, 'ann');
});

beforeEach(async () => {
  client = await register(admin, { post_logout_redirect_uris: ['https://app.example.com/bye'] });
  party = await relyingParty(() => service, client);
});

const ELSEWHERE = 'https://new.example.com/callback';

const change = async (body: object): Promise<void> => {
  expect((await admin.patch(`/api/oauth/client/${client.id}`, body)).status).toBe(200);
};

/** Status of a page that shows an error instead of a redirect. */
const statusAt = async (address: string): Promise<number> =>
  (await ann.client.get(new URL(address, ISSUER).pathname)).status;

describe('a pending authorization request is rejected when the client', () => {
  const changes: [string, object][] = [
    ['loses a scope', { scopes: ['openid'] }],
    ['loses its redirect URI', { redirect_uris: [ELSEWHERE] }],
    ['loses a grant type', { grant_types: ['authorization_code'] }],
  ];

  it.each(changes)('%s before the user decides', async (_, body) => {
    const page = await redirectOf(ann.client, (await begin(party)).url);
    await change(body);
    expect((await decideAt(ann.client, page)).status).toBe(404);
    expect((await decideAt(ann.client, page, 'deny')).status).toBe(404);
  });

  it.each(changes)('%s before the browser continues', async (_, body) => {
    const page = await redirectOf(ann.client, (await begin(party)).url);
    const { redirect } = (await decideAt(ann.client, page)).body;
    await change(body);
    expect(await statusAt(redirect)).toBe(400);
  });

  it.each(changes)('%s before the code is exchanged', async (_, body) => {
    const { url, verifier } = await begin(party);
    const code = (await authorize(ann.client, url)).searchParams.get('code')!;
    await change(body);
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
    const answer = await post(service, '/api/oauth/token', form, basic(client));
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_grant']);
  });

  it('gains rights (and is then not rejected)', async () => {
    const page = await redirectOf(ann.client, (await begin(party)).url);
    await change({ redirect_uris: [CALLBACK, ELSEWHERE], name: 'Other' });
    const { redirect } = (await decideAt(ann.client, page)).body;
    expect(await redirectOf(ann.client, redirect)).toContain(`${CALLBACK}?code=`);
  });

  it('changes while the request is being stored', async () => {
    const page = await redirectOf(ann.client, (await begin(party)).url);
    const { redirect } = (await decideAt(ann.client, page)).body;
    const kept = await service.query<{ id: string }>(
      `UPDATE oauth_artifact SET client_id = NULL WHERE model = 'Interaction' AND client_id = $1 RETURNING id`,
      [client.client_id],
    );
    expect(kept).toHaveLength(1);
    await change({ redirect_uris: [ELSEWHERE] });
    expect(await statusAt(redirect)).toBe(400);
  });
});

it('a logout does not redirect to an address that the client lost in the meantime', async () => {
  const { id_token: hint } = await logInAt(party, ann.client);
  const bye = 'https://app.example.com/bye';
  const url = buildEndSessionUrl(party, { id_token_hint: hint!, post_logout_redirect_uri: bye });
  const page = await ann.client.get(`${url.pathname}${url.search}`);
  await change({ post_logout_redirect_uris: [] });
  const xsrf = /name="xsrf" value="([\w-]+)"/.exec(page.text)?.[1];
  const done = await ann.client.send('POST', '/api/oauth/logout/confirm', {
    raw: `xsrf=${xsrf}&logout=yes`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([done.status, done.headers['location']]).toEqual([
    303,
    expect.stringMatching(/\/api\/oauth\/logout\/success$/),
  ]);
  ann = await userWith(service, admin, 'bob');
});

it('a client token stays revoked when a removed scope is restored', async () => {
  const scopes = ['permission:read', 'role:read'];
  const serviceClient = await register(admin, { grant_types: ['client_credentials'], redirect_uris: [], scopes });
  const form = { grant_type: 'client_credentials', scope: 'permission:read', resource: 'urn:castellan:iam' };
  const { body } = await post(service, '/api/oauth/token', form, basic(serviceClient));
  const check = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${String(body['access_token'])}` };
    const checks = [{ permission_id: 'role:read' }];
    return (await service.client().post('/api/permission/check', { user_id: ann.id, checks }, { headers })).status;
  };
  const set = (wanted: string[]): Promise<unknown> =>
    admin.patch(`/api/oauth/client/${serviceClient.id}`, { scopes: wanted });
  await set([...scopes, 'role:update']);
  expect(await check()).toBe(200);
  await set(['role:read']);
  await set(scopes);
  expect(await check()).toBe(401);
});

it('CORS for the pages of a client follows its changes immediately', async () => {
  const origin = 'https://pages.example.com';
  const mayCall = async (): Promise<boolean> =>
    (await service.client().get('/.well-known/openid-configuration', { headers: { origin } })).headers[
      'access-control-allow-origin'
    ] === origin;
  expect(await mayCall()).toBe(false);
  await change({ redirect_uris: [`${origin}/callback`] });
  expect(await mayCall()).toBe(true);
  await change({ enabled: false });
  expect(await mayCall()).toBe(false);
});

it('the previous client secret is valid until the overlap ends', async () => {
  const status = async (): Promise<number> =>
    (await post(service, '/api/oauth/introspect', { token: 'x' }, basic(client))).status;
  expect((await admin.post(`/api/oauth/client/${client.id}/secret`, { overlap_seconds: 60 })).status).toBe(200);
  expect(await status()).toBe(200);
  await service.query(`UPDATE oauth_client SET former_secret_until = now() - interval '1 second' WHERE id = $1`, [
    client.id,
  ]);
  // The change invalidates the cached client.
  await change({ name: 'Renamed' });
  expect(await status()).toBe(401);
});

it('a consumed code is detected as a replay after its client lost rights', async () => {
  const { url, verifier } = await begin(party, { scope: 'openid offline_access' });
  const code = (await authorize(ann.client, url)).searchParams.get('code')!;
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
  const first = await post(service, '/api/oauth/token', form, basic(client));
  await change({ redirect_uris: [ELSEWHERE] });
  expect((await post(service, '/api/oauth/token', form, basic(client))).status).toBe(400);
  const headers = { authorization: `Bearer ${String(first.body['access_token'])}` };
  expect((await service.client().get('/api/oauth/userinfo', { headers })).status).toBe(401);
});

describe('a user who is deleted concurrently', () => {
  const fields = { name: 'App', redirect_uris: [CALLBACK] };

  it('creates no client and gets the error of a revoked session', async () => {
    const leaver = await userWith(service, admin, 'leaver', 'oauth_client:create');
    const scopes = service.app.get(ClientScopesService, { strict: false });
    const read = scopes.read.bind(scopes);
    // The guard has accepted the request at this point.
    jest.spyOn(scopes, 'read').mockImplementationOnce(async (asked) => {
      expect((await admin.delete(`/api/user/${leaver.id}`)).status).toBe(204);
      return read(asked);
    });
    const answer = await leaver.client.post('/api/oauth/client', fields);
    expectProblem(answer, 401, 'session_revoked');
  });

  it('leaves a client that is disabled without an owner, or no client', async () => {
    for (let round = 0; round < raceRounds(20); round++) {
      const leaver = await userWith(service, admin, `leaver_${round}`, 'oauth_client:create');
      const [made, left] = await Promise.all([
        leaver.client.post<Registered>('/api/oauth/client', fields),
        leaver.client.delete('/api/auth/me'),
      ]);
      expect(left.status).toBe(204);
      // 403: the guard read the permissions of an account that had just been deleted.
      expect([201, 401, 403]).toContain(made.status);
      const kept = await service.query('SELECT enabled, owner_id FROM oauth_client WHERE id = $1', [made.body.id]);
      expect(kept).toEqual(made.status === 201 ? [{ enabled: false, owner_id: null }] : []);
    }
  });
});
