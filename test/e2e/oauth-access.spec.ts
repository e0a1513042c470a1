import * as oidc from 'openid-client';
import { createRole, UserWithGrants, userWith, RoleAnswer } from '../support/accounts/holders';
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
import { staleFor } from '../support/service/staleness';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const TOKEN = '/api/oauth/token';
const CRM = 'urn:castellan:crm';
const OFFLINE = { scope: 'openid profile offline_access' };
const EVERYBODY = { access: { mode: 'everybody' } };

let service: TestService;
let admin: TestClient;
let staff: RoleAnswer;
let people = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  staff = await createRole(admin, 'staff');
  await admin.post('/api/permission', { scope: 'crm', permission_id: 'contact:read', description: 'Read contacts' });
});

/** A user with the role. */
async function member(): Promise<UserWithGrants> {
  const holder = await userWith(service, admin, `member_${people++}`);
  await admin.post(`/api/role/${staff.id}/users`, { user_ids: [holder.id] });
  return holder;
}

const leave = async ({ id }: UserWithGrants): Promise<void> => {
  expect((await admin.delete(`/api/role/${staff.id}/users/${id}`)).status).toBe(204);
};

/** A client for the members of the role. */
const restricted = (more: object = {}): Promise<Registered> =>
  register(admin, { access: { mode: 'restricted', role_ids: [staff.id] }, ...more });

const partyOf = (client: Registered): Promise<oidc.Configuration> => relyingParty(() => service, client);

async function outcomeAt(browser: TestClient, config: oidc.Configuration, more: Record<string, string> = {}) {
  const address = new URL(await redirectOf(browser, (await begin(config, more)).url));
  return [`${address.origin}${address.pathname}`, address.searchParams.get('error')];
}

const DENIED = [CALLBACK, 'access_denied'];

const introspect = async (client: Registered, token = ''): Promise<unknown> =>
  (await post(service, '/api/oauth/introspect', { token }, basic(client))).body['active'];

const refresh = (client: Registered, token = '', at = service) =>
  post(at, TOKEN, { grant_type: 'refresh_token', refresh_token: token }, basic(client));

const userinfo = async (token: string, at = service): Promise<number> =>
  (await at.client().get('/api/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } })).status;

describe('an authorization request of a user that access excludes', () => {
  it('returns to the application with access_denied, never to a consent page', async () => {
    const config = await partyOf(await restricted());
    const { client: browser } = await userWith(service, admin, 'outsider');
    expect(await outcomeAt(browser, config)).toEqual(DENIED);
    expect(await outcomeAt(browser, config, { prompt: 'none' })).toEqual(DENIED);
    expect(await outcomeAt(browser, config, { prompt: 'consent' })).toEqual(DENIED);
  });

  it('gets the address of a page that explains it to the user, unless the response is a fragment', async () => {
    const config = await partyOf(await restricted());
    const { client: browser } = await userWith(service, admin, 'asking_outsider');
    const back = new URL(await redirectOf(browser, (await begin(config)).url));
    expect(back.searchParams.get('error_uri')).toBe(`${ISSUER}/error?code=application_access`);
    expect(back.searchParams.get('error_description')).toBe('the user is not allowed to use this application');
    const fragment = await redirectOf(browser, (await begin(config, { response_mode: 'fragment' })).url);
    expect(fragment).toContain('#error=access_denied');
    expect(fragment).not.toContain('error_uri');
  });

  it('is rejected for a first-party client too, and stores no grant', async () => {
    const client = await restricted({ first_party: true });
    const { client: browser } = await userWith(service, admin, 'outsider_of_first_party');
    expect(await outcomeAt(browser, await partyOf(client))).toEqual(DENIED);
    const sql = `SELECT 1 FROM oauth_artifact WHERE model = 'Grant' AND client_id = $1`;
    expect(await service.query(sql, [client.client_id])).toEqual([]);
  });

  it('is rejected by an empty list', async () => {
    const config = await partyOf(await restricted({ access: { mode: 'restricted' } }));
    expect(await outcomeAt((await member()).client, config)).toEqual(DENIED);
  });

  it('asks for the login first, and may be continued by another user', async () => {
    const config = await partyOf(await restricted());
    const { client: browser } = await userWith(service, admin, 'first_outsider');
    const { username } = await member();
    const page = await redirectOf(browser, (await begin(config, { prompt: 'login' })).url);
    expect(page).toMatch(/^\/login\?/);
    await service.logIn(username, PASSWORD, browser);
    const { redirect } = (await decideAt(browser, page)).body;
    expect(await redirectOf(browser, redirect)).toMatch(/^\/consent\?/);
  });
});

describe('the access of a client', () => {
  it('admits the members of its roles and its users', async () => {
    const { client, id } = await userWith(service, admin, 'named');
    const config = await partyOf(
      await restricted({ access: { mode: 'restricted', role_ids: [staff.id], user_ids: [id] } }),
    );
    for (const browser of [client, (await member()).client]) {
      expect((await authorize(browser, (await begin(config)).url)).searchParams.get('code')).toBeTruthy();
    }
  });

  it('admits a client that acts for itself', async () => {
    const more = { grant_types: ['client_credentials'], redirect_uris: [], scopes: ['role:read'] };
    const client = await restricted(more);
    expect((await post(service, TOKEN, { grant_type: 'client_credentials' }, basic(client))).status).toBe(200);
  });
});

describe('a user who loses access', () => {
  it('is not admitted by a remembered consent, in the session that was logged in before', async () => {
    const config = await partyOf(await restricted());
    const holder = await member();
    await logInAt(config, holder.client);
    await leave(holder);
    expect(await outcomeAt(holder.client, config)).toEqual(DENIED);
    expect(await outcomeAt(holder.client, config, { prompt: 'none' })).toEqual(DENIED);
    expect(await outcomeAt(await service.logIn(holder.username), config)).toEqual(DENIED);
  });

  it('is not admitted by a consent page that was already open', async () => {
    const config = await partyOf(await restricted());
    const holder = await member();
    const page = await redirectOf(holder.client, (await begin(config)).url);
    expect(page).toMatch(/^\/consent\?/);
    await leave(holder);
    const { redirect } = (await decideAt(holder.client, page)).body;
    const back = new URL(await redirectOf(holder.client, redirect));
    expect(back.searchParams.get('error')).toBe('access_denied');
  });

  it('gets no tokens for a code', async () => {
    const client = await restricted();
    const holder = await member();
    const { url, verifier } = await begin(await partyOf(client));
    const code = (await authorize(holder.client, url)).searchParams.get('code') ?? '';
    await leave(holder);
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: CALLBACK };
    const { status, body } = await post(service, TOKEN, form, basic(client));
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
  });

  it('cannot use offline tokens, nor tokens issued before a session was restricted, until access returns', async () => {
    const client = await register(admin);
    const holder = await member();
    const tokens = await logInAt(await partyOf(client), holder.client, OFFLINE);
    const restrict = { access: { mode: 'restricted', user_ids: [] } };
    expect((await admin.patch(`/api/oauth/client/${client.id}`, restrict)).status).toBe(200);
    await service.query(`UPDATE session SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [holder.id]);
    const { status, body } = await refresh(client, tokens.refresh_token);
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
    expect(await userinfo(tokens.access_token)).toBe(401);
    expect(await introspect(client, tokens.access_token)).toBe(false);
    expect(await introspect(client, tokens.refresh_token)).toBe(false);

    await admin.patch(`/api/oauth/client/${client.id}`, EVERYBODY);
    expect(await introspect(client, tokens.refresh_token)).toBe(true);
    expect(await userinfo(tokens.access_token)).toBe(200);
    expect((await refresh(client, tokens.refresh_token)).status).toBe(200);
  });

  it('has no active access token at a resource server', async () => {
    const client = await restricted({ scopes: ['openid', 'crm:contact:read'], introspection_resources: [CRM] });
    const holder = await member();
    await admin.patch(`/api/user/${holder.id}/permissions`, { add: [{ scope: 'crm', permission_id: 'contact:read' }] });
    const tokens = await logInAt(await partyOf(client), holder.client, {
      scope: 'openid crm:contact:read',
      resource: CRM,
    });
    expect(await introspect(client, tokens.access_token)).toBe(true);
    await leave(holder);
    expect(await introspect(client, tokens.access_token)).toBe(false);
  });
});

describe('the audit log', () => {
  interface Rejection {
    readonly outcome: string;
    readonly actor: { readonly id: string; readonly username: string };
    readonly target: { readonly id: string };
    readonly after: { readonly step: string };
  }

  const rejections = async ({ id }: Registered): Promise<Rejection[]> => {
    const path = '/api/audit?action=oauth_client.reject_user&page_size=100';
    const { body } = await admin.get<{ items: Rejection[] }>(path);
    return body.items.filter(({ target }) => target.id === id);
  };

  it('names each step that rejected a user once, however often the application repeats it', async () => {
    const client = await restricted();
    const holder = await member();
    const config = await partyOf(client);
    const { access_token: token, refresh_token: renewal } = await logInAt(config, holder.client, OFFLINE);
    const { url, verifier } = await begin(config);
    const code = (await authorize(holder.client, url)).searchParams.get('code') ?? '';
    await leave(holder);
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: CALLBACK };
    for (let count = 0; count < 2; count++) {
      expect(await outcomeAt(holder.client, config)).toEqual(DENIED);
      expect(await introspect(client, token)).toBe(false);
      expect(await userinfo(token)).toBe(401);
      expect((await refresh(client, renewal)).status).toBe(400);
    }
    expect((await post(service, TOKEN, form, basic(client))).status).toBe(400);
    const found = await rejections(client);
    expect(found.map(({ after }) => after.step).sort()).toEqual([
      'authorize',
      'introspection',
      'refresh',
      'token',
      'userinfo',
    ]);
    expect(found[0]).toMatchObject({ outcome: 'failure', actor: { id: holder.id, username: holder.username } });
  });

  it('has no rejection for an admitted user, nor for a preview', async () => {
    const client = await restricted();
    const holder = await member();
    await logInAt(await partyOf(client), holder.client);
    await leave(holder);
    const preview = { user_id: holder.id, scopes: ['openid'] };
    const { body } = await admin.post<{ allowed: boolean }>(`/api/oauth/client/${client.id}/preview`, preview);
    expect(body.allowed).toBe(false);
    expect(await rejections(client)).toEqual([]);
  });
});

describe('another instance', () => {
  it('knows within a second that a role was taken away or a client restricted', async () => {
    const other = await service.another();
    const client = await restricted();
    const holder = await member();
    const { access_token: token, refresh_token: first } = await logInAt(await partyOf(client), holder.client, OFFLINE);
    expect(await userinfo(token, other)).toBe(200);
    await leave(holder);
    expect(await staleFor(async () => (await userinfo(token, other)) === 401)).toBeLessThan(1_000);
    expect((await refresh(client, first, other)).body['error']).toBe('invalid_grant');

    await admin.patch(`/api/oauth/client/${client.id}`, EVERYBODY);
    await staleFor(async () => (await userinfo(token, other)) === 200);
    await admin.patch(`/api/oauth/client/${client.id}`, { access: { mode: 'restricted' } });
    expect(await staleFor(async () => (await userinfo(token, other)) === 401)).toBeLessThan(1_000);
  });
});
