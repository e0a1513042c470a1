import { DomainEvents } from '../../src/platform/jobs/events';
import { accountChanged, AccountEvent } from '../../src/users';
import { expectProblem } from '../support/service/expect-problem';
import { androidAttestation, Lies, SoftAuthenticator } from '../support/accounts/soft-authenticator';
import { sessionOf } from '../support/accounts/session-tokens';
import { firstStep, outcome, secondStep } from '../support/accounts/second-factors';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

type Options = Parameters<SoftAuthenticator['make']>[0] & Parameters<SoftAuthenticator['prove']>[0];

interface PasskeyBody {
  readonly id: string;
  readonly name: string;
  readonly transports: string[];
  readonly last_used_at: string | null;
}

interface Holder {
  readonly username: string;
  readonly client: TestClient;
  readonly authenticator: SoftAuthenticator;
}

/** User presence without user verification. */
const PRESENT_ONLY = 1;
const VERIFIED_ONLY = 4;
const BAD_RESPONSE = { status: 400, body: { errors: [{ field: 'response', code: 'passkey_response' }] } };

describe('passkeys', () => {
  let service: TestService;
  let users = 0;
  const events: AccountEvent[] = [];

  beforeAll(async () => {
    service = await TestService.start();
    service.app.get(DomainEvents, { strict: false }).on(accountChanged, async (event) => {
      events.push(event);
    });
  });

  afterAll(() => service.stop());

  const newcomer = (): Promise<TestClient> => service.signUp(`keeper_${users++}`);
  const optionsFor = async (client: TestClient, path: string): Promise<Options> =>
    (await client.post<Options>(`/api/auth/${path}/options`)).body;

  async function register(
    client: TestClient,
    lies: Lies = {},
    authenticator = new SoftAuthenticator(),
  ): Promise<Answer<PasskeyBody & Problem>> {
    const response = authenticator.make(await optionsFor(client, 'passkeys'), lies);
    return client.post<PasskeyBody & Problem>('/api/auth/passkeys', { name: 'Key', response });
  }

  async function holder(): Promise<Holder> {
    const username = `holder_${users++}`;
    const [client, authenticator] = [await service.signUp(username), new SoftAuthenticator()];
    expect((await register(client, {}, authenticator)).status).toBe(201);
    return { username, client, authenticator };
  }

  const logIn = async (authenticator: SoftAuthenticator, lies: Lies = {}, browser = service.client()) =>
    logInWith(authenticator.prove(await optionsFor(browser, 'login/passkey'), lies), browser);
  const logInWith = async (response: object, browser = service.client()): Promise<string> =>
    outcome(await browser.post<Problem>('/api/auth/login', { type: 'passkey', response }));

  describe('registration', () => {
    it('stores only known transports', async () => {
      const known = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
      const { status, body } = await register(await newcomer(), { transports: [...known, 'telepathy'] });
      expect([status, body.transports, body.last_used_at]).toEqual([201, known, null]);
    });

    it('counts as a verification of the user in the session', async () => {
      const client = await newcomer();
      expect((await register(client)).status).toBe(201);
      const [session] = await service.query<{ amr: string[] }>('SELECT amr FROM session WHERE id = $1', [
        sessionOf(client),
      ]);
      expect(session!.amr).toContain('user');
    });

    it.each([[5], [{}], ['usb'], [null], [[{}, 5, 'usb']]])(
      'accepts any transports value of a client: %j',
      async (said) => {
        const { status, body } = await register(await newcomer(), { transports: said });
        expect([status, body.transports]).toEqual([201, Array.isArray(said) ? ['usb'] : []]);
      },
    );

    it('sends no request to an address that the client names', async () => {
      const asked = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('unreachable'));
      try {
        const attest = androidAttestation('http://169.254.169.254/latest');
        const answer = await register(await newcomer(), { attest });
        expect(asked.mock.calls).toEqual([]);
        expect(answer.status).toBe(201);
      } finally {
        asked.mockRestore();
      }
    });

    it.each<[string, Lies]>([
      ['elsewhere', { origin: 'https://evil.example' }],
      ['with the type of a login', { type: 'webauthn.get' }],
      ['with an unknown challenge', { challenge: 'x'.repeat(43) }],
      ['without user presence', { flags: VERIFIED_ONLY }],
      ['without user verification', { flags: PRESENT_ONLY }],
    ])('rejects a response %s', async (_, lies) => {
      const answer = await register(await newcomer(), lies);
      expect(answer).toMatchObject(BAD_RESPONSE);
    });

    it.each([
      ['is no JSON', 'bm8ganNvbg'],
      ['is no object', 'bnVsbA'],
      ['is no text', 5],
      ['is missing', undefined],
    ])('rejects a response whose client data %s', async (_, clientDataJSON) => {
      const client = await newcomer();
      const made = new SoftAuthenticator().make(await optionsFor(client, 'passkeys')) as { response: object };
      const response = { ...made, response: { ...made.response, clientDataJSON } };
      const answer = await client.post<Problem>('/api/auth/passkeys', { name: 'Key', response });
      expect(answer).toMatchObject(BAD_RESPONSE);
    });

    it.each(['127.0.0.1', '[::1]'])('is not offered at the address %s, which browsers do not allow', async (host) => {
      const options = { headers: { host } };
      const answer = await (await newcomer()).post<Problem>('/api/auth/passkeys/options', undefined, options);
      expectProblem(answer, 400, 'validation_failed');
      expect(answer.body.errors).toMatchObject([{ field: 'Host', code: 'host_name' }]);
    });

    it('accepts a response once and only in the session that requested it', async () => {
      const [ann, eve] = [await newcomer(), await newcomer()];
      const authenticator = new SoftAuthenticator();
      const response = authenticator.make(await optionsFor(ann, 'passkeys'));
      const post = (client: TestClient): Promise<Answer<Problem>> =>
        client.post<Problem>('/api/auth/passkeys', { name: 'Key', response });
      // A session can consume only its own challenge, so this response consumes none.
      expectProblem(await post(eve), 400, 'validation_failed');
      expect(outcome(await post(ann))).toBe('201');
      expectProblem(await post(ann), 400, 'validation_failed');
    });

    it('accepts a credential id only once', async () => {
      const { authenticator } = await holder();
      expectProblem(await register(await newcomer(), {}, authenticator), 400, 'validation_failed');
    });

    it('allows at most twenty per user, also under concurrency', async () => {
      const client = await newcomer();
      expect((await register(client)).status).toBe(201);
      await service.query(
        `INSERT INTO mfa_passkey (id, user_id, credential_id, rp_id, public_key, counter, transports, is_device_bound,
           is_backed_up, name, aaguid)
         SELECT gen_random_uuid(), user_id, 'filler' || turn, rp_id, public_key, 0, '[]', false, false, 'Key', aaguid
         FROM mfa_passkey, generate_series(1, 18) AS turn WHERE id = (SELECT id FROM mfa_passkey ORDER BY id DESC LIMIT 1)`,
      );
      const answers = await Promise.all(Array.from({ length: 3 }, () => register(client)));
      expect(answers.map(outcome).sort()).toEqual(['201', '409 too_many_passkeys', '409 too_many_passkeys']);
      expectProblem(await client.post<Problem>('/api/auth/passkeys/options'), 409, 'too_many_passkeys');
    });

    it('lets only the owner rename them', async () => {
      const { client, username } = await holder();
      const { body } = await client.get<{ items: PasskeyBody[] }>('/api/auth/mfa');
      const path = `/api/auth/passkeys/${body.items[0]!.id}`;
      // A recent session with its own second factor.
      const eve = (await holder()).client;
      for (const send of [eve.patch<Problem>(path, { name: 'Mine' }), eve.delete<Problem>(path)]) {
        expectProblem(await send, 404, 'not_found');
      }
      expect((await client.patch<PasskeyBody>(path, { name: 'My phone' })).body.name).toBe('My phone');
      const events = await service.query(
        `SELECT after FROM audit_event WHERE action = 'factor.update' AND target_label = $1`,
        [username],
      );
      expect(events).toEqual([{ after: { type: 'passkey', id: body.items[0]!.id, name: 'My phone' } }]);
    });

    it('notifies the owner of new and removed passkeys, but not of a new name', async () => {
      const { username, client, authenticator } = await holder();
      const { body } = await client.get<{ items: PasskeyBody[] }>('/api/auth/mfa');
      const path = `/api/auth/passkeys/${body.items[0]!.id}`;
      events.length = 0;
      await client.patch(path, { name: 'My phone' });
      expect(events).toEqual([]);
      await client.delete(path);
      await register(client, {}, authenticator);
      expect(events.map(({ type, user }) => [type, user.username])).toEqual([
        ['second_factor_changed', username],
        ['second_factor_changed', username],
      ]);
    });
  });

  describe('login', () => {
    it('counts as two factors', async () => {
      const { username, authenticator } = await holder();
      const browser = service.client();
      expect(await logIn(authenticator, {}, browser)).toBe('200');
      expect((await browser.get<{ username: string }>('/api/auth/me')).body.username).toBe(username);
    });

    it.each<[string, Lies]>([
      ['elsewhere', { origin: 'https://evil.example' }],
      ['with the type of a registration', { type: 'webauthn.create' }],
      ['without user verification', { flags: PRESENT_ONLY }],
      ['without user presence', { flags: VERIFIED_ONLY }],
      ['with an unknown challenge', { challenge: 'x'.repeat(43) }],
      ['without a user handle', { userHandle: undefined }],
      ['with an empty user handle', { userHandle: '' }],
      ['with the user handle of another user', { userHandle: 'MDE5MGEwMDAtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDA5' }],
    ])('rejects a response %s', async (_, lies) => {
      const { authenticator } = await holder();
      expect(await logIn(authenticator, lies)).toBe('401 invalid_credentials');
      expect(await logIn(authenticator)).toBe('200');
    });

    it.each([
      ['to a challenge of five minutes ago', `UPDATE mfa_passkey_challenge SET expires_at = now()`],
      ['for another relying party id', `UPDATE mfa_passkey SET rp_id = 'other.example'`],
    ])('rejects a passkey %s', async (_, sql) => {
      const { authenticator } = await holder();
      const browser = service.client();
      const response = authenticator.prove(await optionsFor(browser, 'login/passkey'));
      await service.query(sql);
      expect(await logInWith(response, browser)).toBe('401 invalid_credentials');
    });

    it('works only in the browser that requested the challenge', async () => {
      const { authenticator } = await holder();
      const [browser, other] = [service.client(), service.client()];
      const question = await optionsFor(browser, 'login/passkey');
      await optionsFor(other, 'login/passkey');
      for (const client of [other, service.client()]) {
        expect(await logInWith(authenticator.prove(question), client)).toBe('401 invalid_credentials');
      }
      await optionsFor(browser, 'login/passkey');
      expect(await logInWith(authenticator.prove(question), browser)).toBe('200');
    });

    it('accepts a challenge once, also for concurrent responses on two instances', async () => {
      const { authenticator } = await holder();
      const other = await service.another();
      const browser = service.client();
      const response = authenticator.prove(await optionsFor(browser, 'login/passkey'));
      const clients = Array.from({ length: 6 }, (_, turn) => (turn % 2 ? other : service).client());
      for (const client of clients) for (const [name, value] of browser.jar) client.jar.set(name, value);
      const outcomes = await Promise.all(clients.map((client) => logInWith(response, client)));
      expect(outcomes.sort()).toEqual(['200', ...Array.from({ length: 5 }, () => '401 invalid_credentials')]);
    });

    it('rejects a copy with a lower counter and records it', async () => {
      const { username, authenticator } = await holder();
      expect(await logIn(authenticator, { count: 7 })).toBe('200');
      for (const count of [7, 6, 0]) expect(await logIn(authenticator, { count })).toBe('401 invalid_credentials');
      expect(await logIn(authenticator, { count: 8 })).toBe('200');
      const notified = await service.query(
        `SELECT outcome, before->>'count' AS before, after->>'count' AS after FROM audit_event
         WHERE action = 'passkey.count' AND target_label = $1 ORDER BY id`,
        [username],
      );
      expect(notified).toEqual(['7', '6', '0'].map((after) => ({ outcome: 'failure', before: '7', after })));
    });

    it('accepts a counter value once for concurrent copies', async () => {
      const { authenticator } = await holder();
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => logIn(authenticator, { count: 3 })));
      expect(outcomes.sort()).toEqual(['200', ...Array.from({ length: 4 }, () => '401 invalid_credentials')]);
    });

    it('accepts authenticators that do not count', async () => {
      const { authenticator } = await holder();
      for (let login = 0; login < 2; login++) expect(await logIn(authenticator, { count: 0 })).toBe('200');
    });

    it('rejects removed passkeys', async () => {
      const { client, authenticator } = await holder();
      const { body } = await client.get<{ items: PasskeyBody[] }>('/api/auth/mfa');
      const browser = service.client();
      const question = await optionsFor(browser, 'login/passkey');
      expect((await client.delete(`/api/auth/passkeys/${body.items[0]!.id}`)).status).toBe(204);
      expect(await logInWith(authenticator.prove(question), browser)).toBe('401 invalid_credentials');
    });
  });

  describe('second factor', () => {
    it('accepts only a passkey of the user, for the challenge of the same login', async () => {
      const [ann, eve] = [await holder(), await holder()];
      const [browser, other] = [service.client(), service.client()];
      await firstStep(browser, ann.username);
      await firstStep(other, ann.username);
      const elsewhere = await optionsFor(other, 'login/mfa');
      // The user handle may be missing or, from Safari, empty, but the passkey must still belong to the user.
      const prove = (authenticator: SoftAuthenticator, question: Options): Promise<Answer<Problem>> => {
        const response = authenticator.prove(question, { userHandle: '' });
        return secondStep(browser, { method: 'passkey', response });
      };
      expectProblem(await prove(eve.authenticator, await optionsFor(browser, 'login/mfa')), 401, 'invalid_credentials');
      expectProblem(await prove(ann.authenticator, elsewhere), 401, 'invalid_credentials');
      expect(outcome(await prove(ann.authenticator, await optionsFor(browser, 'login/mfa')))).toBe('200');
    });

    it('requires neither user verification nor a user handle, because the password provides both', async () => {
      const { username, authenticator } = await holder();
      const browser = service.client();
      await firstStep(browser, username);
      const lies = { flags: PRESENT_ONLY, userHandle: undefined };
      const response = authenticator.prove(await optionsFor(browser, 'login/mfa'), lies);
      expect(outcome(await secondStep(browser, { method: 'passkey', response }))).toBe('200');
    });

    it.each([
      ['makes the login recent with user verification', {}, '201'],
      [
        'does not make the login recent without user verification',
        { flags: PRESENT_ONLY },
        '401 reauthentication_required',
      ],
    ])('as reauthentication %s', async (_, lies, expected) => {
      const { username, client, authenticator } = await holder();
      await service.query(
        `UPDATE session SET authenticated_at = now() - interval '1 hour', second_factor_at = now() - interval '1 hour'
         WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
        [username],
      );
      const response = authenticator.prove(await optionsFor(client, 'reauthenticate'), lies);
      const proved = await client.post<Problem>('/api/auth/reauthenticate', { method: 'passkey', response });
      expect(outcome(proved)).toBe('204');
      expect(outcome(await client.post<Problem>('/api/auth/mfa/recovery-codes'))).toBe(expected);
      expect((await client.post('/api/auth/reauthenticate', { password: PASSWORD })).status).toBe(204);
      expect(outcome(await client.post<Problem>('/api/auth/mfa/recovery-codes'))).toBe('201');
    });
  });
});
