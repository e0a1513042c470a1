import { buildEndSessionUrl, Configuration, refreshTokenGrant } from 'openid-client';
import { mfaPolicy } from '../../src/mfa';
import { createUser } from '../support/accounts/admin-users';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, UserWithGrants } from '../support/accounts/holders';
import {
  authorize,
  begin,
  decideAt,
  ISSUER,
  logInAt,
  interactionAt,
  register,
  registerApp,
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { enrolTotp } from '../support/accounts/second-factors';
import { accessOf, refreshOf, resign } from '../support/accounts/session-tokens';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let app: Registered;
let config: Configuration;

withService(async (started) => {
  ({ service, admin, app, config } = await registerApp(started, {
    logo: 'https://app.example.com/logo.png',
    post_logout_redirect_uris: ['https://app.example.com/bye'],
  }));
});

const person = (): Promise<UserWithGrants> => anyUserWith(service, admin);

const statusOf = async (accessToken: string): Promise<number> =>
  (await service.client().get('/api/oauth/userinfo', { headers: { authorization: `Bearer ${accessToken}` } })).status;

const subAfter = async (browser: TestClient): Promise<string> => (await logInAt(config, browser)).claims()!.sub;

const OFFLINE = { scope: 'openid profile offline_access' };

describe('a browser without a session', () => {
  it('is sent to the login page, asked for consent, and continues as the logged-in user', async () => {
    const ann = await person();
    const browser = service.client();
    const { url } = await begin(config);
    const page = await redirectOf(browser, url);
    expect(page).toMatch(/^\/login\?interaction=[\w-]{20,}$/);
    const asked = await interactionAt(browser, page);
    expect(asked.body).toMatchObject({
      kind: 'login',
      client: { id: app.client_id, name: 'App', logo: 'https://app.example.com/logo.png', first_party: false },
    });
    expect(asked.body).not.toHaveProperty('user');
    expectProblem(await decideAt(browser, page), 401, 'unauthenticated');

    await service.logIn(ann.username, PASSWORD, browser);
    expect((await interactionAt(browser, page)).body.user).toMatchObject({ id: ann.id });
    const next = await redirectOf(browser, (await decideAt(browser, page)).body.redirect);
    expect(next).toMatch(/^\/consent\?interaction=/);
  });

  it('oidcc-prompt-none-not-logged-in: gets an error with prompt=none', async () => {
    const { url } = await begin(config, { prompt: 'none' });
    const back = new URL(await redirectOf(service.client(), url));
    expect([back.searchParams.get('error'), back.searchParams.get('iss')]).toEqual(['login_required', ISSUER]);
  });

  it('may deny the request', async () => {
    const browser = service.client();
    const { url } = await begin(config);
    const page = await redirectOf(browser, url);
    const back = new URL(await redirectOf(browser, (await decideAt(browser, page, 'deny')).body.redirect));
    expect(back.searchParams.get('error')).toBe('access_denied');
  });

  it('is identified by its refresh token after the access token expired', async () => {
    const ann = await person();
    await logInAt(config, ann.client);
    ann.client.jar.delete('iam_access');
    expect(await subAfter(ann.client)).toBe(ann.id);
  });

  it('is not identified by a refresh token beside an access token of another user', async () => {
    const [ann, bob] = [await person(), await person()];
    const exp = Math.floor(Date.now() / 1_000) - 60;
    ann.client.jar.set('iam_access', await resign(service, accessOf(bob.client), { claims: { exp } }));
    expect(await redirectOf(ann.client, (await begin(config)).url)).toMatch(/^\/login\?/);
  });

  it('is not identified by a refresh token with a successor', async () => {
    const ann = await person();
    const consumed = refreshOf(ann.client);
    expect((await ann.client.post('/api/auth/refresh')).status).toBe(200);
    const browser = service.client();
    browser.jar.set('iam_refresh', consumed);
    expect(await redirectOf(browser, (await begin(config)).url)).toMatch(/^\/login\?/);
  });
});

describe('one login', () => {
  it('oidcc-prompt-none-logged-in: serves every application but no other user', async () => {
    const [ann, bob] = [await person(), await person()];
    expect(await subAfter(ann.client)).toBe(ann.id);
    const { url } = await begin(config, { prompt: 'none' });
    expect(new URL(await redirectOf(ann.client, url)).searchParams.get('code')).not.toBeNull();

    await service.logIn(bob.username, PASSWORD, ann.client);
    expect(await subAfter(ann.client)).toBe(bob.id);
    await ann.client.post('/api/auth/logout');
    expect(await redirectOf(ann.client, (await begin(config)).url)).toMatch(/^\/login\?/);
  });

  it('cannot be continued with only the provider cookie', async () => {
    const ann = await person();
    await logInAt(config, ann.client);
    for (const name of ['iam_access', 'iam_refresh']) ann.client.jar.delete(name);
    expect(await redirectOf(ann.client, (await begin(config)).url)).toMatch(/^\/login\?/);
  });

  it('oidcc-prompt-login, oidcc-max-age: is repeated when the application requests it', async () => {
    const ann = await person();
    await service.query(`UPDATE session SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1`, [ann.id]);
    const other = await service.another();
    const browser = new TestClient(other.app);
    for (const [name, value] of ann.client.jar) browser.jar.set(name, value);
    for (const parameters of [{ prompt: 'login' }, { max_age: '60' }] as Record<string, string>[]) {
      const page = await redirectOf(browser, (await begin(config, parameters)).url);
      expect(page).toMatch(/^\/login\?/);
      expectProblem(await decideAt(browser, page), 401, 'reauthentication_required');
    }
    const { url } = await begin(config, { max_age: '60' });
    const page = await redirectOf(browser, url);
    await browser.post('/api/auth/reauthenticate', { password: PASSWORD });
    expect((await decideAt(browser, page)).status).toBe(200);
  });
});

describe('a decision', () => {
  it('from another browser has no effect', async () => {
    const [victim, thief] = [await person(), service.client()];
    const { url } = await begin(config);
    const page = await redirectOf(thief, url);
    const { body } = await decideAt(victim.client, page);
    expect(await redirectOf(thief, body.redirect)).toMatch(/^\/login\?/);
  });

  it('on consent is visible to and made by only the asked user', async () => {
    const [ann, bob] = [await person(), await person()];
    const page = await redirectOf(ann.client, (await begin(config)).url);
    expect(page).toMatch(/^\/consent\?/);
    expect((await interactionAt(bob.client, page)).status).toBe(404);
    expect((await decideAt(bob.client, page)).status).toBe(404);
    expect((await interactionAt(ann.client, '/consent?interaction=unknownunknownunknown')).status).toBe(404);
    const evil = { origin: 'https://evil.example' };
    const { pathname } = new URL(`/api/oauth/interaction/${page.split('=')[1]}`, ISSUER);
    expectProblem(await ann.client.post(pathname, { decision: 'allow' }, { headers: evil }), 403, 'csrf_rejected');
  });

  it.each([
    ['en', 'See your name, profile image and language'],
    ['zh', '查看您的昵称、头像和语言'],
  ])('has a text for each scope (%s)', async (lang, words) => {
    const ann = await person();
    const page = await redirectOf(ann.client, (await begin(config)).url);
    const uid = new URL(page, ISSUER).searchParams.get('interaction');
    const { body } = await ann.client.get<{ scopes: unknown[] }>(`/api/oauth/interaction/${uid}?lang=${lang}`);
    expect(body.scopes).toContainEqual({ name: 'profile', description: words });
  });
});

describe('consent', () => {
  it('to fewer scopes grants fewer', async () => {
    const ann = await person();
    const { url } = await begin(config, { scope: 'openid profile email' });
    const page = await redirectOf(ann.client, url);
    const { redirect } = (await decideAt(ann.client, page, 'allow', { scopes: ['profile'] })).body;
    expect(new URL(await redirectOf(ann.client, redirect)).searchParams.get('code')).not.toBeNull();
    const { body } = await ann.client.get<{ items: { scopes: { name: string }[] }[] }>('/api/oauth/consent');
    expect(body.items[0]!.scopes.map(({ name }) => name)).toEqual(['openid', 'profile']);
  });

  it('is remembered in the next session until it is revoked with all its tokens', async () => {
    const ann = await person();
    const first = await logInAt(config, ann.client, OFFLINE);
    const next = await service.logIn(ann.username);
    expect(await redirectOf(next, (await begin(config, OFFLINE)).url)).toMatch(
      /^https:\/\/app\.example\.com\/callback\?code=/,
    );
    const second = await logInAt(config, next, OFFLINE);
    expect((await next.delete(`/api/oauth/consent/${app.client_id}`)).status).toBe(204);
    expect((await next.delete(`/api/oauth/consent/${app.client_id}`)).status).toBe(404);
    for (const { access_token: token } of [first, second]) expect(await statusOf(token)).toBe(401);
    await expect(refreshTokenGrant(config, second.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await redirectOf(next, (await begin(config)).url)).toMatch(/^\/consent\?/);
    const acts = await service.query(
      'SELECT action FROM audit_event WHERE actor_id = $1 AND action LIKE $2 ORDER BY id',
      [ann.id, 'oauth_consent.%'],
    );
    expect(acts).toEqual([{ action: 'oauth_consent.grant' }, { action: 'oauth_consent.withdraw' }]);
  });

  it('that cannot be stored grants nothing', async () => {
    const ann = await person();
    const page = await redirectOf(ann.client, (await begin(config)).url);
    await service.query('ALTER TABLE oauth_consent RENAME TO consent_gone');
    try {
      expect((await decideAt(ann.client, page)).status).toBe(500);
    } finally {
      await service.query('ALTER TABLE consent_gone RENAME TO oauth_consent');
    }
    const given = await service.query(`SELECT id FROM oauth_artifact WHERE model = 'Grant' AND user_id = $1`, [ann.id]);
    expect(given).toEqual([]);
  });

  it('is not asked for by a first-party client', async () => {
    const ann = await person();
    const party = await relyingParty(() => service, await register(admin, { first_party: true }));
    expect(await redirectOf(ann.client, (await begin(party)).url)).toMatch(
      /^https:\/\/app\.example\.com\/callback\?code=/,
    );
  });
});

describe('grants of a session end', () => {
  it.each<[string, (ann: UserWithGrants) => Promise<unknown>]>([
    ['with its logout', ({ client }) => client.post('/api/auth/logout')],
    [
      'with its revocation',
      async ({ client, username }) => (await service.logIn(username)).delete('/api/auth/sessions').then(() => client),
    ],
    [
      'with all other sessions, although it had expired',
      async ({ id, username }) => {
        await service.query(`UPDATE session SET expires_at = now() - interval '1 hour' WHERE user_id = $1`, [id]);
        const { body } = await (await service.logIn(username)).delete('/api/auth/sessions');
        expect(body).toEqual({ revoked: 0 });
      },
    ],
    ['with a disabled account', ({ id }) => admin.patch(`/api/user/${id}`, { status: 'disabled' })],
    ['with a deleted account', ({ id }) => admin.delete(`/api/user/${id}`)],
    ['with its client', async () => admin.delete(`/api/oauth/client/${(await disposable()).id}`)],
  ])('%s', async (_, end) => {
    const ann = await person();
    const party = await relyingParty(() => service, await disposable());
    const tokens = await logInAt(party, ann.client, OFFLINE);
    const { url } = await begin(party, OFFLINE);
    await authorize(ann.client, url);
    expect(await statusOf(tokens.access_token)).toBe(200);
    await end(ann);
    expect(await statusOf(tokens.access_token)).toBe(401);
    await expect(refreshTokenGrant(party, tokens.refresh_token!)).rejects.toThrow();
    current = undefined;
  });

  let current: Registered | undefined;
  const disposable = async (): Promise<Registered> => (current ??= await register(admin));
});

describe('a logout by an application', () => {
  it('asks the user, ends the session and redirects back', async () => {
    const ann = await person();
    const tokens = await logInAt(config, ann.client);
    const url = buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token!,
      post_logout_redirect_uri: 'https://app.example.com/bye',
      state: 'x1',
    });
    const page = await ann.client.get(`${url.pathname}${url.search}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Log out?');
    const xsrf = /name="xsrf" value="([\w-]+)"/.exec(page.text)?.[1];
    const confirm = (form: string): Promise<{ status: number; headers: Record<string, unknown> }> =>
      ann.client.send('POST', '/api/oauth/logout/confirm', {
        raw: form,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect((await confirm('xsrf=guessed&logout=yes')).status).toBe(400);
    expect((await ann.client.get('/api/auth/me')).status).toBe(200);
    const done = await confirm(`xsrf=${xsrf}&logout=yes`);
    expect([done.status, done.headers['location']]).toEqual([303, 'https://app.example.com/bye?state=x1']);
    expect((await ann.client.get('/api/auth/me')).status).toBe(401);
    expect(await statusOf(tokens.access_token)).toBe(401);
  });

  it('redirects to registered addresses only', async () => {
    const ann = await person();
    const { id_token: hint } = await logInAt(config, ann.client);
    const url = buildEndSessionUrl(config, { id_token_hint: hint!, post_logout_redirect_uri: 'https://evil.example/' });
    expect((await ann.client.get(`${url.pathname}${url.search}`)).status).toBe(400);
  });
});

it('asks a user who must change the password for no consent', async () => {
  const user = await createUser(admin, 'must_change', { password: PASSWORD, must_change_password: true });
  const browser = await service.logIn(user.username);
  expect(await redirectOf(browser, (await begin(config)).url)).toMatch(/^\/login\?/);
});

it('ignores the remaining session of a disabled user', async () => {
  const ann = await person();
  await service.query(`UPDATE user_account SET status = 'disabled' WHERE id = $1`, [ann.id]);
  const browser = new TestClient((await service.another()).app);
  for (const [name, value] of ann.client.jar) browser.jar.set(name, value);
  for (const name of ['iam_access', 'iam_refresh']) {
    expect(await redirectOf(browser, (await begin(config)).url)).toMatch(/^\/login\?/);
    browser.jar.delete(name);
  }
});

it('ignores the session of a user who must enrol a second factor first', async () => {
  const ann = await person();
  await service.set(mfaPolicy, 'required');
  try {
    for (const name of ['iam_access', 'iam_refresh']) {
      expect(await redirectOf(ann.client, (await begin(config)).url)).toMatch(/^\/login\?/);
      ann.client.jar.delete(name);
    }
    const other = await service.logIn(ann.username);
    const page = await redirectOf(other, (await begin(config)).url);
    expectProblem(await decideAt(other, page), 403, 'mfa_enrolment_required');
    await enrolTotp(other);
    expect(await subAfter(other)).toBe(ann.id);
  } finally {
    await service.set(mfaPolicy, mfaPolicy.defaultValue);
  }
});
