import { RegistrationService } from '../../src/auth';
import { AttemptOrigin } from '../../src/auth/login';
import { actAsEnabled } from '../../src/session';
import { appTerms } from '../../src/settings';
import { termsAtLogin, termsRequired, termsVersion } from '../../src/users';
import { storedUser } from '../support/accounts/accounts';
import { ACT_AS, actAs } from '../support/accounts/acting';
import { AdminUser } from '../support/accounts/admin-users';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith } from '../support/accounts/holders';
import { invited, storeOrganization } from '../support/organizations/invitations';
import { resetTerms, TERMS_VERSION } from '../support/accounts/terms';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';
import { fake } from '../support/service/fake';

interface Accepted {
  readonly terms_version: string | null;
  readonly terms_accepted_at: string | null;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('terms', () => {
  let service: TestService;
  let admin: TestClient;
  let names = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  afterEach(() => resetTerms(service));

  const newName = (): string => `terms_${++names}`;
  const require = async (): Promise<void> => {
    await service.set(termsVersion, TERMS_VERSION);
    await service.set(termsRequired, true);
  };
  const register = (body: object): Promise<Answer<Problem & { user: Accepted & { id: string } }>> =>
    service.client().post('/api/auth/register', { password: PASSWORD, ...body });
  const fieldsOf = ({ body }: Answer<Problem>): string[] =>
    (body.errors ?? []).map(({ field, code }) => `${field}: ${code}`);
  const me = async (client: TestClient): Promise<Accepted> => (await client.get<Accepted>('/api/auth/me')).body;
  const accept = (client: TestClient, version: unknown): Promise<Answer<Problem>> =>
    client.post<Problem>('/api/auth/me/terms', { terms_accepted: version });
  const auditOf = (username: string): Promise<object[]> =>
    service.query(
      `SELECT action, before, after FROM audit_event WHERE target_label = $1 AND action LIKE 'user.%' ORDER BY id`,
      [username],
    );

  describe('at registration', () => {
    it('need not be accepted by default', async () => {
      const { status, body } = await register({ username: newName() });
      expect([status, body.user.terms_version, body.user.terms_accepted_at]).toEqual([201, null, null]);
    });

    it('are recorded with version and time, for the user, administrators, the audit log and the export', async () => {
      await require();
      const username = newName();
      const { status, body } = await register({ username, terms_accepted: TERMS_VERSION });
      expect(status).toBe(201);
      expect(body.user).toMatchObject({
        terms_version: TERMS_VERSION,
        terms_accepted_at: expect.stringMatching(TIME) as string,
      });
      expect(await auditOf(username)).toMatchObject([{ after: { terms_version: TERMS_VERSION } }]);
      const shown = await admin.get<AdminUser & Accepted>(`/api/user/${body.user.id}`);
      expect(shown.body.terms_version).toBe(TERMS_VERSION);
      const listed = await admin.get<{ items: Accepted[] }>(`/api/user?keyword=${username}`);
      expect(listed.body.items).toMatchObject([{ terms_version: TERMS_VERSION }]);
      const exported = await admin.get(`/api/user/export?keyword=${username}`);
      expect(exported.text).toContain(TERMS_VERSION);
    });

    it.each([
      [{}, 'terms_required'],
      [{ terms_accepted: null }, 'terms_required'],
      [{ terms_accepted: '' }, 'terms_required'],
      [{ terms_accepted: '2025-07' }, 'terms_version'],
      [{ terms_accepted: true }, 'type_text'],
      [{ terms_accepted: 'x'.repeat(51) }, 'max_length'],
    ])('reject %j with the code %s on terms_accepted', async (body, code) => {
      await require();
      const username = newName();
      const answer = await register({ username, ...body });
      expectProblem(answer, 400, 'validation_failed');
      expect(fieldsOf(answer)).toEqual([`terms_accepted: ${code}`]);
      expect(await storedUser(service, username)).toBeUndefined();
    });

    it('are reported beside the other invalid fields', async () => {
      await require();
      const answer = await register({ username: 'x', password: 'short' });
      expect(fieldsOf(answer).sort()).toEqual([
        'password: min_length',
        'terms_accepted: terms_required',
        'username: min_length',
      ]);
    });

    it.each([{}, { terms_accepted: null }, { terms_accepted: '' }])(
      'are optional unless required: %j',
      async (body) => {
        await service.set(termsVersion, TERMS_VERSION);
        const direct = await register({ username: newName(), ...body });
        expect([direct.status, direct.body.user.terms_version]).toEqual([201, null]);
        const organization = await storeOrganization(service);
        const token = await invited(service, admin, organization, `${newName()}@example.com`);
        expect((await register({ username: newName(), invitation_token: token, ...body })).status).toBe(201);
      },
    );

    it('are recorded where they may be accepted, and never in another version', async () => {
      await service.set(termsVersion, TERMS_VERSION);
      const accepted = await register({ username: newName(), terms_accepted: TERMS_VERSION });
      expect(accepted.body.user.terms_version).toBe(TERMS_VERSION);
      expect(fieldsOf(await register({ username: newName(), terms_accepted: 'old' }))).toEqual([
        'terms_accepted: terms_version',
      ]);
    });

    it('are checked again when the account is stored', async () => {
      await require();
      const username = newName();
      const registration = service.app.get(RegistrationService, { strict: false });
      const origin = fake<AttemptOrigin>({ request: { limitKey: username }, cookies: { codeSecrets: [] } });
      await expect(registration.register({ username, password: PASSWORD }, origin)).rejects.toMatchObject({
        code: 'validation_failed',
      });
      expect(await storedUser(service, username)).toBeUndefined();
    });

    it('must be accepted with an invitation', async () => {
      const organization = await storeOrganization(service);
      const token = await invited(service, admin, organization, `${newName()}@example.com`);
      await require();
      const username = newName();
      expect(fieldsOf(await register({ username, invitation_token: token }))).toEqual([
        'terms_accepted: terms_required',
      ]);
      const answer = await register({ username, invitation_token: token, terms_accepted: TERMS_VERSION });
      expect([answer.status, answer.body.user.terms_version]).toEqual([201, TERMS_VERSION]);
    });

    it('must be accepted with a verified contact', async () => {
      await require();
      const email = `${newName()}@example.com`;
      await service.client().post('/api/auth/codes', { purpose: 'register', channel: 'email', target: email });
      const wrong = await register({ username: newName(), email, email_code: '000000' });
      expect(fieldsOf(wrong)).toEqual(['terms_accepted: terms_required']);
    });
  });

  describe('at login', () => {
    const ask = async (version = TERMS_VERSION): Promise<void> => {
      await service.set(termsVersion, version);
      await service.set(termsAtLogin, true);
    };

    it('close all routes but those that accept them or leave, also to sessions that are open', async () => {
      const username = newName();
      const client = await service.signUp(username);
      expect((await client.get('/api/auth/sessions')).status).toBe(200);
      await ask();
      for (const [method, path] of [
        ['get', '/api/auth/sessions'],
        ['get', '/api/auth/verify'],
        ['get', '/api/setting'],
        ['get', '/api/auth/identities'],
        ['get', '/api/auth/mfa'],
      ] as const) {
        expectProblem(await client[method]<Problem>(path), 403, 'terms_required');
      }
      expectProblem(await client.patch<Problem>('/api/auth/me', { nickname: 'N' }), 403, 'terms_required');
      expect((await me(client)).terms_version).toBeNull();
      expect((await client.post('/api/auth/refresh', {})).status).toBe(200);
      expect((await accept(client, TERMS_VERSION)).status).toBe(204);
      expect((await client.get('/api/auth/sessions')).status).toBe(200);
      expect(await me(client)).toMatchObject({
        terms_version: TERMS_VERSION,
        terms_accepted_at: expect.stringMatching(TIME) as string,
      });
      const [, event] = await auditOf(username);
      expect(event).toEqual({
        action: 'user.accept_terms',
        before: { terms_version: null },
        after: { terms_version: TERMS_VERSION },
      });
    });

    it('let a user who does not accept them log out, export the data or delete the account', async () => {
      const client = await service.signUp(newName());
      const other = await service.signUp(newName());
      await ask();
      expect((await other.get('/api/auth/me/export')).status).toBe(200);
      expect((await client.post('/api/auth/logout')).status).toBe(204);
      expect((await other.delete('/api/auth/me')).status).toBe(204);
    });

    it('are asked again for a new version', async () => {
      const client = await service.signUp(newName());
      await ask();
      await accept(client, TERMS_VERSION);
      await ask('2026-02');
      expectProblem(await client.get<Problem>('/api/auth/sessions'), 403, 'terms_required');
      expect(fieldsOf(await accept(client, TERMS_VERSION))).toEqual(['terms_accepted: terms_version']);
      await accept(client, '2026-02');
      expect(await me(client)).toMatchObject({ terms_version: '2026-02' });
    });

    it('keep the time of the first acceptance, and are audited once, also in parallel', async () => {
      const username = newName();
      const client = await service.signUp(username);
      await ask();
      const answers = await Promise.all([1, 2, 3, 4].map(() => accept(client, TERMS_VERSION)));
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
      const first = await me(client);
      await accept(client, TERMS_VERSION);
      expect(await me(client)).toEqual(first);
      expect(await auditOf(username)).toHaveLength(2);
    });

    it.each(['', 'old', null, 5, 'x'.repeat(51)])('reject the version %j', async (version) => {
      const client = await service.signUp(newName());
      await ask();
      expect((await accept(client, version)).status).toBe(400);
      expect((await me(client)).terms_version).toBeNull();
    });

    it('are not there to accept without a version', async () => {
      const client = await service.signUp(newName());
      expect(fieldsOf(await accept(client, ''))).toEqual(['terms_accepted: terms_version']);
    });

    it('come after a password that must be changed', async () => {
      const username = newName();
      await service.register(username);
      await service.query('UPDATE user_account SET must_change_password = true WHERE username = $1', [username]);
      await ask();
      const client = await service.logIn(username, PASSWORD);
      expectProblem(await accept(client, TERMS_VERSION), 403, 'password_change_required');
      const body = { current_password: PASSWORD, new_password: 'another good long one' };
      expect((await client.put('/api/auth/me/password', body)).status).toBe(204);
      expectProblem(await client.get<Problem>('/api/auth/sessions'), 403, 'terms_required');
    });

    it('are accepted by the user only, and do not concern a user who acts as that one', async () => {
      await service.set(actAsEnabled, true);
      const actor = await anyUserWith(service, admin, ACT_AS);
      const user = await anyUserWith(service, admin);
      await ask();
      await accept(actor.client, TERMS_VERSION);
      await actAs(actor.client, user);
      expect((await actor.client.get('/api/auth/sessions')).status).toBe(200);
      expectProblem(await accept(actor.client, TERMS_VERSION), 403, 'acting_restricted');
    });
  });

  describe('as settings', () => {
    const put = (updates: object[]): Promise<Answer<Problem>> => admin.put<Problem>('/api/setting', { updates });

    afterEach(() => service.set(appTerms, ''));

    it('need a version and a page', async () => {
      const on = { key: termsRequired.key, value: true };
      const version = { key: termsVersion.key, value: TERMS_VERSION };
      const page = { key: appTerms.key, value: '/terms' };
      expect(fieldsOf(await put([on]))).toEqual([
        'updates[0].value: terms_need_version',
        'updates[0].value: terms_need_page',
      ]);
      expect(fieldsOf(await put([on, version]))).toEqual(['updates[0].value: terms_need_page']);
      expect((await put([on, version, page])).status).toBe(200);
      expect(fieldsOf(await put([{ ...version, value: null }]))).toEqual(['updates[0].value: terms_need_version']);
      expect(fieldsOf(await put([{ ...page, value: '' }]))).toEqual(['updates[0].value: terms_need_page']);
      const { body } = await service.client().get<{ registration: object }>('/api/info');
      expect(body.registration).toMatchObject({ terms_required: true, terms_version: TERMS_VERSION });
    });

    it.each([' 1', '1 ', 'x'.repeat(51), 'a\nb'])('reject the version %j', async (value) => {
      expect((await put([{ key: termsVersion.key, value }])).status).toBe(400);
    });
  });
});
