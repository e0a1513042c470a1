import { createServer } from 'node:http';
import { authorizationCodeGrant, buildEndSessionUrl, Configuration, refreshTokenGrant } from 'openid-client';
import { ConsentRepository } from '../../src/oauth/server/clients/consent.repository';
import { OidcEngineService } from '../../src/oauth/server/engine/oidc-engine.service';
import { anyUserWith, UserWithGrants } from '../support/accounts/holders';
import {
  authorize,
  begin,
  decideAt,
  logInAt,
  register,
  registerApp,
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let app: Registered;
let config: Configuration;

withService(async (started) => {
  ({ service, admin, app, config } = await registerApp(started));
});

const person = (): Promise<UserWithGrants> => anyUserWith(service, admin);

const sentBack = async (browser: TestClient, address: string | URL): Promise<URLSearchParams> =>
  new URL(await redirectOf(browser, address)).searchParams;

const ageGrant = ({ id }: UserWithGrants, by: string): Promise<unknown> =>
  service.query(
    `UPDATE oauth_artifact SET expires_at = expires_at - $2::interval WHERE model = 'Grant' AND user_id = $1`,
    [id, by],
  );

describe('a login for one user (id_token_hint)', () => {
  it.each<[string, Record<string, string>]>([
    ['another user is logged in', {}],
    ['the request has prompt=login', { prompt: 'login' }],
  ])('rejects another user when %s', async (_, more) => {
    const [ann, bob] = [await person(), await person()];
    const { id_token: hint } = await logInAt(config, ann.client);
    await logInAt(config, bob.client);
    const browser = 'prompt' in more ? ann.client : bob.client;
    const page = await redirectOf(browser, (await begin(config, { ...more, id_token_hint: hint! })).url);
    expect(page).toMatch(/^\/login\?/);
    await service.logIn(bob.username, PASSWORD, browser);
    const back = await sentBack(browser, (await decideAt(browser, page)).body.redirect);
    expect([back.get('error'), back.get('code')]).toEqual(['login_required', null]);
  });

  it('accepts the hinted user after a login of another user', async () => {
    const [ann, bob] = [await person(), await person()];
    const { id_token: hint } = await logInAt(config, ann.client);
    const page = await redirectOf(bob.client, (await begin(config, { id_token_hint: hint! })).url);
    await service.logIn(ann.username, PASSWORD, bob.client);
    const back = await sentBack(bob.client, (await decideAt(bob.client, page)).body.redirect);
    expect(back.get('code')).not.toBeNull();
  });

  it('is rejected immediately with prompt=none', async () => {
    const [ann, bob] = [await person(), await person()];
    const { id_token: hint } = await logInAt(config, ann.client);
    const { url } = await begin(config, { id_token_hint: hint!, prompt: 'none' });
    expect((await sentBack(bob.client, url)).get('error')).toBe('login_required');
  });
});

describe('a narrowed consent (prompt=consent)', () => {
  const WIDE = { scope: 'openid profile offline_access' };

  const decide = async (
    browser: TestClient,
    decision: 'allow' | 'deny',
    scopes?: string[],
  ): Promise<URLSearchParams> => {
    const page = await redirectOf(browser, (await begin(config, { ...WIDE, prompt: 'consent' })).url);
    const { redirect } = (await decideAt(browser, page, decision, scopes && { scopes })).body;
    return sentBack(browser, redirect);
  };
  const claimsOf = async (token: string): Promise<string[] | number> => {
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await service.client().get<object>('/api/oauth/userinfo', { headers });
    return status === 200 ? Object.keys(body) : status;
  };

  it('applies to other sessions of the user and their tokens', async () => {
    const ann = await person();
    const other = await service.logIn(ann.username);
    const [here, there] = [await logInAt(config, ann.client, WIDE), await logInAt(config, other, WIDE)];
    await decide(ann.client, 'allow', ['openid', 'offline_access']);
    expect(await claimsOf(here.access_token)).toEqual(['sub']);
    expect(await claimsOf(there.access_token)).toBe(401);
    await expect(refreshTokenGrant(config, there.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await refreshTokenGrant(config, here.refresh_token!)).scope).toBe('openid offline_access');
    const { url, checks } = await begin(config, { scope: 'openid offline_access', prompt: 'none' });
    const again = await authorizationCodeGrant(config, await authorize(other, url), checks);
    expect(await claimsOf(again.access_token)).toEqual(['sub']);
    const wide = await sentBack(other, (await begin(config, { ...WIDE, prompt: 'none' })).url);
    expect(wide.get('error')).toBe('consent_required');
  });

  it('leaves other sessions alone when it lacks scopes that were never allowed', async () => {
    const ann = await person();
    const other = await service.logIn(ann.username);
    const there = await logInAt(config, other, { scope: 'openid profile' });
    const page = await redirectOf(ann.client, (await begin(config, { scope: 'openid profile email' })).url);
    const { redirect } = (await decideAt(ann.client, page, 'allow', { scopes: ['profile'] })).body;
    await redirectOf(ann.client, redirect);
    expect(await claimsOf(there.access_token)).toContain('name');
  });

  it('does not change when the request is denied', async () => {
    const ann = await person();
    const tokens = await logInAt(config, ann.client, WIDE);
    expect((await decide(ann.client, 'deny')).get('error')).toBe('access_denied');
    expect(await claimsOf(tokens.access_token)).toContain('name');
    const { url } = await begin(config, { ...WIDE, prompt: 'none' });
    expect((await sentBack(ann.client, url)).get('code')).not.toBeNull();
  });
});

describe('a consent that is revoked during an authorization request', () => {
  it.each<[string, string]>([
    ['a new session', 'openid'],
    ['a session with fewer scopes', 'openid profile'],
  ])('grants nothing in %s', async (_, before) => {
    const wide = { scope: 'openid profile email' };
    const ann = await person();
    const other = await service.logIn(ann.username);
    await logInAt(config, ann.client, wide);
    if (before !== 'openid') await logInAt(config, other, { scope: before });
    const consents = service.app.get(ConsentRepository, { strict: false });
    const scopesOf = consents.scopesOf.bind(consents);
    jest.spyOn(consents, 'scopesOf').mockImplementationOnce(async (...parameters) => {
      const found = await scopesOf(...parameters);
      expect((await ann.client.delete(`/api/oauth/consent/${app.client_id}`)).status).toBe(204);
      return found;
    });
    expect(await redirectOf(other, (await begin(config, wide)).url)).toMatch(/^\/consent\?/);
    const grants = `SELECT 1 FROM oauth_artifact WHERE model = 'Grant' AND user_id = $1 AND client_id = $2`;
    expect(await service.query(grants, [ann.id, app.client_id])).toEqual([]);
  });
});

describe('a consent decision in another tab during an authorization request', () => {
  const WIDE = { scope: 'openid profile email' };
  const NARROW = { scope: 'openid profile' };

  it('that rejects a scope is not undone by the renewal of the grant', async () => {
    const ann = await person();
    await logInAt(config, ann.client, WIDE);
    await ageGrant(ann, '2 days');
    const consents = service.app.get(ConsentRepository, { strict: false });
    const scopesOf = consents.scopesOf.bind(consents);
    const rejectEmail = async (): Promise<void> => {
      const page = await redirectOf(ann.client, (await begin(config, { ...WIDE, prompt: 'consent' })).url);
      expect((await decideAt(ann.client, page, 'allow', { scopes: ['profile'] })).status).toBe(200);
    };
    jest.spyOn(consents, 'scopesOf').mockImplementationOnce(async (...parameters) => {
      await rejectEmail();
      return scopesOf(...parameters);
    });
    await logInAt(config, ann.client, NARROW);
    const { scope } = await logInAt(config, ann.client, WIDE);
    expect(scope).toBe('openid profile');
  });

  it('that revokes the consent leaves only the scopes of the later decision', async () => {
    const ann = await person();
    await logInAt(config, ann.client, WIDE);
    const page = await redirectOf(ann.client, (await begin(config, { ...NARROW, prompt: 'consent' })).url);
    const { Grant } = await service.app.get(OidcEngineService, { strict: false }).current();
    const find = Grant.find.bind(Grant);
    jest.spyOn(Grant, 'find').mockImplementationOnce(async (...parameters) => {
      const found = await find(...parameters);
      expect((await ann.client.delete(`/api/oauth/consent/${app.client_id}`)).status).toBe(204);
      return found;
    });
    const { redirect } = (await decideAt(ann.client, page)).body;
    expect((await sentBack(ann.client, redirect)).get('code')).not.toBeNull();
    const wide = await sentBack(ann.client, (await begin(config, { ...WIDE, prompt: 'none' })).url);
    expect(wide.get('error')).toBe('consent_required');
  });
});

it('issues refresh tokens of full lifetime for a login late in a long session', async () => {
  const ann = await person();
  const offline = { scope: 'openid profile offline_access' };
  await logInAt(config, ann.client, offline);
  await ageGrant(ann, '89 days');
  const { refresh_token: token } = await logInAt(config, ann.client, offline);
  await ageGrant(ann, '90 days');
  expect((await refreshTokenGrant(config, token!)).access_token).toBeDefined();
});

describe('a logout that the user declines', () => {
  const notices: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (part: Buffer) => notices.push(part.toString())).on('end', () => response.end());
  });

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('ends no session, notifies no application, and shows the result', async () => {
    const { port } = server.address() as { port: number };
    const client = await register(admin, {
      backchannel_logout_uri: `http://127.0.0.1:${port}/logout`,
      post_logout_redirect_uris: ['https://app.example.com/bye'],
    });
    const party = await relyingParty(() => service, client);
    const ann = await person();
    const tokens = await logInAt(party, ann.client, { scope: 'openid offline_access' });
    const url = buildEndSessionUrl(party, {
      id_token_hint: tokens.id_token!,
      post_logout_redirect_uri: 'https://app.example.com/bye',
    });
    const page = await ann.client.get(`${url.pathname}${url.search}`);
    const xsrf = /name="xsrf" value="([\w-]+)"/.exec(page.text)?.[1];
    const done = await ann.client.send('POST', '/api/oauth/logout/confirm', {
      raw: `xsrf=${xsrf}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const next = new URL(String(done.headers['location']));
    expect([done.status, next.pathname, next.search]).toEqual([303, '/api/oauth/logout/success', '']);
    expect((await ann.client.get(next.pathname)).text).toContain('You are still logged in');
    expect((await service.client().get(next.pathname)).text).toContain('You are logged out');
    expect((await ann.client.get('/api/auth/me')).status).toBe(200);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await service.client().get('/api/oauth/userinfo', { headers })).status).toBe(200);
    expect((await refreshTokenGrant(party, tokens.refresh_token!)).access_token).toBeDefined();
    const { url: silent } = await begin(party, { scope: 'openid', prompt: 'none' });
    expect((await sentBack(ann.client, silent)).get('code')).not.toBeNull();
    expect(notices).toEqual([]);
  });
});

describe('prompts', () => {
  it('of select_account ask for a login, at which another account can be chosen', async () => {
    const [ann, bob] = [await person(), await person()];
    await logInAt(config, ann.client);
    await logInAt(config, bob.client);
    const { url, checks } = await begin(config, { prompt: 'select_account' });
    const page = await redirectOf(ann.client, url);
    expect(page).toMatch(/^\/login\?/);
    await service.logIn(bob.username, PASSWORD, ann.client);
    const back = await redirectOf(ann.client, (await decideAt(ann.client, page)).body.redirect);
    expect((await authorizationCodeGrant(config, new URL(back), checks)).claims()?.sub).toBe(bob.id);
  });

  it.each(['select_account consent', 'ext:unknown login', 'Login', ''])('take %j', async (prompt) => {
    const ann = await person();
    const { url } = await begin(config, { prompt });
    expect(await redirectOf(ann.client, url)).toMatch(/^\/(?:login|consent)\?/);
  });

  it('that are unknown change nothing', async () => {
    const ann = await person();
    await logInAt(config, ann.client);
    expect(
      (await sentBack(ann.client, (await begin(config, { prompt: 'ext:unknown' })).url)).get('code'),
    ).not.toBeNull();
  });

  it('of none stay alone', async () => {
    const ann = await person();
    const back = await sentBack(ann.client, (await begin(config, { prompt: 'none select_account' })).url);
    expect(back.get('error')).toBe('invalid_request');
  });
});
