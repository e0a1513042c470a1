import { MfaPolicy, mfaPolicy } from '../../src/mfa';
import { someoneActing } from '../support/accounts/acting';
import { CallbackAnswer, FakeProviders, roundTrip } from '../support/oauth/fake-providers';
import { eventually } from '../support/service/eventually';
import { testMessages, WITH_POST_OFFICE } from '../support/receivers/test-messages';
import { enrolTotp, freshCode } from '../support/accounts/second-factors';
import { SoftAuthenticator } from '../support/accounts/soft-authenticator';
import type { Answer, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Body {
  readonly mfa_required?: boolean;
  readonly code?: string;
}

type Options = Parameters<SoftAuthenticator['make']>[0] & Parameters<SoftAuthenticator['prove']>[0];

/** Verifies the first factor in a new browser. */
type Way = (browser: TestClient, username: string) => Promise<Answer<Body>>;

const NEW = 'another good pass phrase';

describe('every login method requires the second factor', () => {
  let service: TestService;
  let providers: FakeProviders;
  let users = 0;

  withService((started) => {
    service = started;
    providers = new FakeProviders(service);
  }, WITH_POST_OFFICE);

  const logIn = (browser: TestClient, body: object): Promise<Answer<Body>> =>
    browser.post<Body>('/api/auth/login', body);
  const mailOf = (username: string): string => `${username}@example.com`;

  const phoneOf = (username: string): string => `+86139${username.replace('way_', '').padStart(8, '0')}`;

  /** The code that was sent to the target. */
  const codeFor = async (browser: TestClient, wanted: { target: string } & Record<string, string>): Promise<string> => {
    const { target } = wanted;
    const sent = await browser.post('/api/auth/codes', wanted);
    if (sent.status !== 202) throw new Error(`No code was sent: ${sent.text}`);
    // The code is sent after the response.
    await eventually(
      async () => testMessages.to(target).length,
      (count) => count > 0,
    );
    return testMessages.code(target);
  };

  const ways: Record<string, Way> = {
    password: (browser, username) => logIn(browser, { type: 'password', username, password: PASSWORD }),
    'password, by e-mail': (browser, username) =>
      logIn(browser, { type: 'password', username: mailOf(username), password: PASSWORD }),
    'e-mail code': async (browser, username) => {
      const code = await codeFor(browser, { purpose: 'login', channel: 'email', target: mailOf(username) });
      return logIn(browser, { type: 'email', email: mailOf(username), code });
    },
    'SMS code': async (browser, username) => {
      const phone = phoneOf(username);
      const code = await codeFor(browser, { purpose: 'login', channel: 'sms', target: phone });
      return logIn(browser, { type: 'sms', phone, code });
    },
    'password reset': async (browser, username) => {
      const code = await codeFor(browser, { purpose: 'reset_password', channel: 'email', target: mailOf(username) });
      const body = { channel: 'email', target: mailOf(username), code, new_password: NEW };
      const reset = await browser.post('/api/auth/password/reset', body);
      expect(reset.status).toBe(204);
      expect(reset.setCookies).toEqual([]);
      return logIn(browser, { type: 'password', username, password: NEW });
    },
    'third party, by its word for the e-mail': async (browser, username) => {
      const provider = providers.add({ trustEmail: true });
      provider.person(username, { email: mailOf(username), emailVerified: true });
      return asLogin(await roundTrip(browser, provider));
    },
    'third party, bound by the password': async (browser, username) => {
      const provider = providers.add();
      provider.person(username);
      expect((await roundTrip(browser, provider)).body.status).toBe('bind_required');
      return browser.post<Body>('/api/oauth/bind/login', { type: 'password', username, password: PASSWORD });
    },
  };

  /** Converts a callback response to the form of a login response. */
  const asLogin = (answer: Answer<CallbackAnswer>): Answer<Body> => ({
    ...answer,
    body: { mfa_required: answer.body.status === 'mfa_required' },
  });

  /** State after the first factor: a session, an enrolment session, or a pending second factor. */
  const reach = async (browser: TestClient, { status, body }: Answer<Body>): Promise<string> => {
    if (status !== 200) return `${status} ${body.code}`;
    const inside = await browser.get<Body>('/api/auth/sessions');
    if (body.mfa_required) return inside.status === 401 ? 'second step' : 'around';
    return inside.status === 200 ? 'in' : String(inside.body.code);
  };

  const expected: Record<MfaPolicy, Record<'enrolled' | 'not enrolled', string>> = {
    off: { enrolled: 'in', 'not enrolled': 'in' },
    optional: { enrolled: 'second step', 'not enrolled': 'in' },
    required: { enrolled: 'second step', 'not enrolled': 'mfa_enrolment_required' },
  };

  const rows = Object.keys(ways).flatMap((way) =>
    (Object.keys(expected) as MfaPolicy[]).flatMap((policy) =>
      (['enrolled', 'not enrolled'] as const).map((who) => ({ way, policy, who, outcome: expected[policy][who] })),
    ),
  );

  afterEach(() => service.set(mfaPolicy, mfaPolicy.defaultValue));

  it.each(rows)('$way, policy $policy, $who: $outcome', async ({ way, policy, who, outcome }) => {
    const username = `way_${users++}`;
    const client = await service.signUp(username, { email: mailOf(username), phone: phoneOf(username) });
    if (who === 'enrolled') await enrolTotp(client);
    // Verified late, otherwise the notice of the new factor would be the first message to the contact.
    await service.query('UPDATE user_account SET email_verified = true, phone_verified = true WHERE username = $1', [
      username,
    ]);
    await service.set(mfaPolicy, policy);
    const browser = service.client();
    expect(await reach(browser, await ways[way]!(browser, username))).toBe(outcome);
  });

  describe('in a browser whose user acts as another', () => {
    const isLive = async (id: string): Promise<boolean> =>
      (await service.query('SELECT 1 FROM session WHERE id = $1 AND revoked_at IS NULL', [id])).length > 0;

    const passkey: Way = async (browser, username) => {
      const [client, authenticator] = [await service.logIn(username), new SoftAuthenticator()];
      const made = authenticator.make((await client.post<Options>('/api/auth/passkeys/options')).body);
      expect((await client.post('/api/auth/passkeys', { name: 'Key', response: made })).status).toBe(201);
      const { body } = await browser.post<Options>('/api/auth/login/passkey/options');
      return logIn(browser, { type: 'passkey', response: authenticator.prove(body) });
    };
    const registration: Way = async (browser, username) => {
      const provider = providers.add();
      provider.person(`new_${username}`);
      await roundTrip(browser, provider);
      const registered = await browser.post<Body>('/api/oauth/bind/register', { username: `new_${username}` });
      return { ...registered, status: registered.status === 201 ? 200 : registered.status };
    };
    const all: Record<string, Way> = { ...ways, passkey, 'third party, with a new account': registration };

    it.each(Object.keys(all))('%s ends the acting session', async (way) => {
      const { actor, sessionId } = await someoneActing(service, await service.admin());
      const username = `way_${users++}`;
      await service.signUp(username, { email: mailOf(username), phone: phoneOf(username) });
      await service.query('UPDATE user_account SET email_verified = true, phone_verified = true WHERE username = $1', [
        username,
      ]);
      expect(await reach(actor.client, await all[way]!(actor.client, username))).toBe('in');
      expect(actor.client.jar.has('iam_actor')).toBe(false);
      expect(await isLive(sessionId)).toBe(false);
    });

    it('a second factor ends the acting session, the first alone does not', async () => {
      const { actor, sessionId } = await someoneActing(service, await service.admin());
      const username = `way_${users++}`;
      const { secret } = await enrolTotp(await service.signUp(username));
      expect((await ways['password']!(actor.client, username)).body.mfa_required).toBe(true);
      expect(await isLive(sessionId)).toBe(true);
      const code = await freshCode(service, secret);
      expect((await actor.client.post('/api/auth/login/mfa', { method: 'totp', code })).status).toBe(200);
      expect(await isLive(sessionId)).toBe(false);
    });
  });

  it('links a third-party account and consumes its link token only with the second factor', async () => {
    const username = `way_${users++}`;
    const { secret } = await enrolTotp(await service.signUp(username));
    const provider = providers.add();
    provider.person(username);
    const browser = service.client();
    await roundTrip(browser, provider);
    const first = await browser.post<Body>('/api/oauth/bind/login', { type: 'password', username, password: PASSWORD });
    expect(first.body.mfa_required).toBe(true);
    const linked = (): Promise<unknown[]> =>
      service.query('SELECT 1 FROM user_identity_subject WHERE subject = $1', [username]);
    expect(await linked()).toEqual([]);
    const code = await freshCode(service, secret);
    const done = await browser.post('/api/oauth/bind/login', { method: 'totp', code });
    expect(done.status).toBe(200);
    expect(await linked()).toHaveLength(1);
    expect((await browser.get('/api/auth/sessions')).status).toBe(200);
  });
});
