import { Configuration } from 'openid-client';
import { anyUserWith } from '../support/accounts/holders';
import {
  basic,
  begin,
  decideAt,
  logInAt,
  post,
  interactionAt,
  register,
  registerApp,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { listen } from '../support/service/raw-http';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TEST_KEYS, TestService } from '../support/service/test-service';
import { withServicePerTest } from '../support/service/with-service';
import { encryptionKey } from '../support/service/encryption-key';
import { expectProblem } from '../support/service/expect-problem';

const NEW_KEY = encryptionKey('new', 'n');
const HOUR_MS = 3_600_000;

let service: TestService;
let admin: TestClient;
let config: Configuration;

afterEach(() => {
  jest.restoreAllMocks();
});

/** What caches hold would be of the wrong clock in a later test. */
withServicePerTest(async (started) => {
  ({ service, admin, config } = await registerApp(started));
});

/** A client with the cookies of this browser at another instance. */
function at(other: TestService, browser: TestClient): TestClient {
  const moved = new TestClient(other.app);
  for (const [name, value] of browser.jar) moved.jar.set(name, value);
  return moved;
}

const nameOfNewPerson = async (): Promise<string> => {
  const { username } = await anyUserWith(service, admin);
  return username;
};

describe('a login while ENCRYPTION_KEYS change', () => {
  const withKeys = (keys: string): Promise<TestService> => service.another({ environment: { ENCRYPTION_KEYS: keys } });

  it('continues at an instance with the new key first, and back at one with the new key second', async () => {
    const ahead = await withKeys(`${NEW_KEY},${TEST_KEYS}`);
    const behind = await withKeys(`${TEST_KEYS},${NEW_KEY}`);
    for (const [from, to] of [
      [service, ahead],
      [ahead, behind],
    ] as const) {
      const username = await nameOfNewPerson();
      const browser = from.client();
      const page = await redirectOf(browser, (await begin(config)).url);
      const moved = at(to, browser);
      await to.logIn(username, PASSWORD, moved);
      const { redirect } = (await decideAt(moved, page)).body;
      expect(await redirectOf(moved, redirect)).toMatch(/^\/consent\?/);
    }
  });

  it('fails at an instance that lacks the key', async () => {
    const ahead = await withKeys(`${NEW_KEY},${TEST_KEYS}`);
    const browser = ahead.client();
    const page = await redirectOf(browser, (await begin(config)).url);
    const moved = at(service, browser);
    await service.logIn(await nameOfNewPerson(), PASSWORD, moved);
    const { redirect } = (await decideAt(moved, page)).body;
    expect((await moved.get(new URL(redirect).pathname)).status).toBe(400);
  });
});

describe('a repeated refresh while ENCRYPTION_KEYS change', () => {
  const withKeys = (keys: string): Promise<TestService> => service.another({ environment: { ENCRYPTION_KEYS: keys } });

  it('returns the same successor at an instance with the other key first', async () => {
    const app = await register(admin);
    const party = await relyingParty(() => service, app);
    const { client } = await anyUserWith(service, admin);
    const { refresh_token: token } = await logInAt(party, client, { scope: 'openid offline_access' });
    const ahead = await withKeys(`${NEW_KEY},${TEST_KEYS}`);
    const behind = await withKeys(`${TEST_KEYS},${NEW_KEY}`);
    const form = { grant_type: 'refresh_token', refresh_token: String(token) };
    const successors: unknown[] = [];
    for (const instance of [behind, ahead, behind]) {
      const { body } = await post(instance, '/api/oauth/token', form, basic(app));
      successors.push(body['refresh_token']);
    }
    expect(successors[0]).toMatch(/^[\w-]{40,}$/);
    expect(new Set(successors).size).toBe(1);
    const next = { ...form, refresh_token: String(successors[0]) };
    expect((await post(ahead, '/api/oauth/token', next, basic(app))).status).toBe(200);
    expect((await post(behind, '/api/oauth/token', form, basic(app))).body['error']).toBe('invalid_grant');
  });
});

describe('an instance with a wrong clock', () => {
  const drift = (by: number): void => {
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + by);
  };

  it('treats a fresh login as new when it is an hour ahead (max_age, prompt=login)', async () => {
    const username = await nameOfNewPerson();
    drift(HOUR_MS);
    const browser = await service.logIn(username);
    expect(await redirectOf(browser, (await begin(config, { max_age: '600' })).url)).toMatch(/^\/consent\?/);

    const page = await redirectOf(browser, (await begin(config, { prompt: 'login' })).url);
    expect((await interactionAt(browser, page)).body.kind).toBe('login');
    expect((await browser.post('/api/auth/reauthenticate', { password: PASSWORD })).status).toBe(204);
    expect((await decideAt(browser, page)).status).toBe(200);
  });

  it('treats an hour-old login as old when it is an hour behind (max_age, prompt=login)', async () => {
    const username = await nameOfNewPerson();
    drift(-HOUR_MS);
    const browser = await service.logIn(username);
    await service.query(
      `UPDATE session SET authenticated_at = now() - interval '1 hour'
        WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
      [username],
    );
    const moved = at(await service.another(), browser);
    for (const parameters of [{ max_age: '60' }, { prompt: 'login' }] as Record<string, string>[]) {
      const page = await redirectOf(moved, (await begin(config, parameters)).url);
      expect(page).toMatch(/^\/login\?/);
      expectProblem(await decideAt(moved, page), 401, 'reauthentication_required');
    }
  });
});

describe('an instance with PORT=0 and without PUBLIC_URL', () => {
  it('uses the assigned port in its issuer', async () => {
    const other = await service.another({ environment: { PORT: '0' } });
    const issuer = `http://127.0.0.1:${await listen(other.app)}`;
    expect((await other.client().get('/.well-known/openid-configuration')).body).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/api/oauth/token`,
    });
    expect((await (await other.admin()).get('/api/doctor')).body).toMatchObject({ issuer });
  });
});
