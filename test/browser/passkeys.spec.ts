import type { CDPSession, Page } from 'playwright-core';
import { expectProblem } from '../support/service/expect-problem';
import type { Problem } from '../support/service/test-client';
import { PASSWORD } from '../support/service/test-service';
import { pageForAll, serveForAll } from './stage';

interface Reply {
  readonly status: number;
  readonly body: Problem & Record<string, unknown>;
}

/** Script for the page. It uses the browser's JSON conversions of WebAuthn level 3. */
const SCRIPT = `
  window.call = async (path, body) => {
    const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
  };
  window.make = async (options) => (await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })).toJSON();
  window.prove = async (options) => (await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })).toJSON();
`;

const call = (page: Page, path: string, body?: unknown): Promise<Reply> =>
  page.evaluate<Reply>(`call(${JSON.stringify(path)}, ${JSON.stringify(body ?? {})})`);
const act = (page: Page, name: 'make' | 'prove', options: unknown): Promise<unknown> =>
  page.evaluate(`${name}(${JSON.stringify(options)})`);

const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
} as const;

const served = serveForAll();

describe('passkeys in a browser', () => {
  // The home page's policy forbids requests to the service. Those of the other pages allow them.
  const seen = pageForAll(1280, { bypassCSP: true });
  let devtools: CDPSession;
  let authenticatorId: string;

  beforeAll(async () => {
    await seen.context.addInitScript(SCRIPT);
    await seen.page.goto(addressAt('localhost'));
    devtools = await seen.context.newCDPSession(seen.page);
    await devtools.send('WebAuthn.enable');
    ({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: AUTHENTICATOR,
    }));
    await served.service.register('ann');
    await call(seen.page, '/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD });
  });

  const addressAt = (host: string, { port } = new URL(served.address)): string => `http://${host}:${port}/`;
  const openAt = async (address: string): Promise<Page> => {
    const opened = await seen.context.newPage();
    await opened.goto(address);
    return opened;
  };
  const isIn = (): Promise<number> => seen.page.evaluate<number>(`fetch('/api/auth/me').then(({ status }) => status)`);
  const loginResponse = async (): Promise<unknown> =>
    act(seen.page, 'prove', (await call(seen.page, '/api/auth/login/passkey/options')).body);
  const logInWith = (response: unknown): Promise<Reply> =>
    call(seen.page, '/api/auth/login', { type: 'passkey', response });

  it('creates and names a passkey', async () => {
    const options = await call(seen.page, '/api/auth/passkeys/options');
    expect(options.body).toMatchObject({
      rp: { id: 'localhost', name: 'Castellan' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const response = await act(seen.page, 'make', options.body);
    const made = await call(seen.page, '/api/auth/passkeys', { name: 'My laptop', response });
    expect(made).toMatchObject({ status: 201, body: { name: 'My laptop', last_used_at: null } });
    const again = await call(seen.page, '/api/auth/passkeys', { name: 'Twice', response });
    expect(again.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'response', code: 'passkey_response' }],
    });
    const codes = await call(seen.page, '/api/auth/mfa/recovery-codes');
    expect(codes.status).toBe(201);
  });

  it('logs in with a passkey alone, which counts as two factors', async () => {
    await call(seen.page, '/api/auth/logout');
    expect(await isIn()).toBe(401);
    expect(await logInWith(await loginResponse())).toMatchObject({ status: 200, body: { user: { username: 'ann' } } });
    expect(await isIn()).toBe(200);
    const [session] = await served.service.query<{ login_method: string; amr: string[] }>(
      'SELECT login_method, amr FROM session WHERE second_factor_at IS NOT NULL ORDER BY id DESC LIMIT 1',
    );
    expect(session).toMatchObject({ login_method: 'passkey' });
    expect(session?.amr).toEqual(expect.arrayContaining(['user', 'mfa']));
  });

  it('rejects a replayed response and a response to another challenge', async () => {
    const response = await loginResponse();
    expect((await logInWith(response)).status).toBe(200);
    expectProblem(await logInWith(response), 401, 'invalid_credentials');

    await call(seen.page, '/api/auth/logout');
    const second = await call(seen.page, '/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD });
    expect(second.body).toMatchObject({ mfa_required: true, methods: ['recovery', 'passkey'] });
    const options = await call(seen.page, '/api/auth/login/mfa/options', { mfa_token: second.body['mfa_token'] });
    const proved = await act(seen.page, 'prove', options.body);
    expectProblem(await logInWith(proved), 401, 'invalid_credentials');
    expect(await isIn()).toBe(401);
  });

  it('accepts a passkey as the second factor after the password', async () => {
    const first = await call(seen.page, '/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD });
    const { mfa_token } = first.body as { mfa_token?: string };
    const options = await call(seen.page, '/api/auth/login/mfa/options', { mfa_token });
    const response = await act(seen.page, 'prove', options.body);
    const done = await call(seen.page, '/api/auth/login/mfa', { mfa_token, method: 'passkey', response });
    expect(done.status).toBe(200);
    expect(await isIn()).toBe(200);
  });

  it('rejects a login without user verification', async () => {
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    try {
      const options = (await call(seen.page, '/api/auth/login/passkey/options')).body;
      // Simulates a browser that ignores the required user verification.
      const response = await act(seen.page, 'prove', { ...options, userVerification: 'discouraged' });
      expectProblem(await logInWith(response), 401, 'invalid_credentials');
    } finally {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    }
  });

  it('rejects a passkey on another origin, in the browser and in the service', async () => {
    const options = (await call(seen.page, '/api/auth/login/passkey/options')).body;
    const stranger = await openAt(addressAt('127.0.0.1'));
    await expect(act(stranger, 'prove', options)).rejects.toThrow(/SecurityError/);

    // Browsers accept another port of the same host, but the signed client data contains the origin.
    const other = await served.service.another();
    await other.app.listen(0, '127.0.0.1');
    const elsewhere = await openAt(addressAt('localhost', new URL(await other.app.getUrl())));
    const there = await seen.context.newCDPSession(elsewhere);
    await there.send('WebAuthn.enable');
    const { authenticatorId: copy } = await there.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR });
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    await there.send('WebAuthn.addCredential', { authenticatorId: copy, credential: credentials[0]! });
    expectProblem(await logInWith(await act(elsewhere, 'prove', options)), 401, 'invalid_credentials');
    await elsewhere.close();
    await stranger.close();
  });

  it('rejects a passkey whose counter does not increase, because it may be cloned', async () => {
    expect((await logInWith(await loginResponse())).status).toBe(200);
    await served.service.query('UPDATE mfa_passkey SET counter = counter + 1000');
    expectProblem(await logInWith(await loginResponse()), 401, 'invalid_credentials');
    const events = await served.service.query(`SELECT outcome FROM audit_event WHERE action = 'passkey.count'`);
    expect(events).toEqual([{ outcome: 'failure' }]);
    await served.service.query('UPDATE mfa_passkey SET counter = 0');
  });

  it('renames and removes a passkey', async () => {
    expect((await logInWith(await loginResponse())).status).toBe(200);
    const [passkey] = await served.service.query<{ id: string }>('SELECT id FROM mfa_passkey');
    const send = (method: string, body?: object): Promise<number> =>
      seen.page.evaluate<number>(
        `fetch('/api/auth/passkeys/${passkey!.id}', ${JSON.stringify({
          method,
          ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        })}).then(({ status }) => status)`,
      );
    expect(await send('PATCH', { name: 'Old laptop' })).toBe(200);
    expect(await send('DELETE')).toBe(204);
    // 403 as soon as the service knows that no user has a passkey.
    expect([401, 403]).toContain((await logInWith(await loginResponse())).status);
  });
});
