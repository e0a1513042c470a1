import { contactCodeRequired } from '../../src/auth';
import { Account, logInLongAgo, proveContacts, storedUser } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const ME = '/api/auth/me';

describe('own profile', () => {
  let service: TestService;
  let username: string;
  let ann: TestClient;
  let names = 0;

  const change = (body: unknown, client = ann): Promise<Answer<Account & Problem>> => client.patch(ME, body);
  const fieldsOf = ({ body }: Answer<Problem>): string[] =>
    (body.errors ?? []).map(({ field, code }) => `${field}: ${code}`);

  const signUp = async (): Promise<void> => {
    username = `profile_${++names}`;
    ann = await service.signUp(username, { nickname: 'Ann', email: `${username}@Example.com` });
  };

  withService((started) => {
    service = started;
  });

  it('requires a login', async () => {
    for (const answer of [await service.client().get(ME), await service.client().patch(ME, { nickname: 5 })]) {
      expect(answer.status).toBe(401);
    }
  });

  describe('of a user whose changes are all rejected', () => {
    beforeAll(signUp);

    it.each([
      ['nickname', 'x'.repeat(51), 'max_length'],
      ['nickname', 'a\nb', 'no_control_characters'],
      ['nickname', 5, 'type_text'],
      ['nickname', { role: 'admin' }, 'type_text'],
      ['avatar', 'http://example.com/a.png', 'avatar'],
      ['avatar', '//example.com/a.png', 'avatar'],
      ['avatar', 'https://user:pass@example.com/a.png', 'avatar'],
      ['avatar', 'javascript:alert(1)', 'avatar'],
      ['avatar', 'data:image/svg+xml;base64,PHN2Zz4=', 'avatar'],
      ['avatar', '/api/avatar/../auth/logout', 'avatar'],
      ['avatar', '/api/auth/me', 'avatar'],
      ['avatar', `https://example.com/${'a'.repeat(500)}`, 'max_length'],
      ['email', 'no', 'email'],
      ['phone', '123', 'phone'],
      ['locale', 'fr', 'one_of'],
      ['locale', '', 'one_of'],
      ['email_code', 5, 'type_text'],
    ])('rejects %s %j and keeps the present value', async (field, value, code) => {
      const before = await storedUser(service, username);
      const answer = await change({ nickname: 'Changed', [field]: value });
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual([`${field}: ${code}`]);
      expect(await storedUser(service, username)).toEqual(before);
    });

    it.each([
      ['id', '00000000-0000-7000-8000-000000000000'],
      ['username', 'root'],
      ['roles', ['admin']],
      ['role_ids', []],
      ['permissions', [{ permission_id: '*:*', level: 7 }]],
      ['level', 7],
      ['password', 'a password of mine'],
      ['password_hash', 'x'],
      ['passwordHash', 'x'],
      ['email_verified', true],
      ['emailVerified', true],
      ['phone_verified', true],
      ['email_key', 'a@b.cd'],
      ['status', 'active'],
      ['must_change_password', false],
      ['created_at', '2020-01-01T00:00:00.000Z'],
      ['createdAt', '2020-01-01T00:00:00.000Z'],
      ['last_login_at', null],
      ['has_password', false],
    ])('rejects the field "%s" and keeps the present values', async (field, value) => {
      const before = await storedUser(service, username);
      const answer = await change({ nickname: 'Changed', [field]: value });
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual([`${field}: unknown_field`]);
      expect(await storedUser(service, username)).toEqual(before);
    });

    it.each(['[]', '"x"', '5', '{"__proto__":{"status":"disabled"}}'])('rejects the body %s', async (raw) => {
      const answer = await ann.patch(ME, undefined, { raw, headers: { 'content-type': 'application/json' } });
      expect(answer.status).toBe(400);
    });
  });

  describe('of a new user', () => {
    beforeEach(signUp);

    it('is returned as registered', async () => {
      const { body } = await ann.get<Account>(ME);
      expect(body).toMatchObject({ username, nickname: 'Ann', email: `${username}@Example.com`, has_password: true });
    });

    it.each([
      ['nickname', 'Annie'],
      ['nickname', '小安'],
      ['avatar', 'https://example.com/ann.png?size=2'],
      ['avatar', '/api/avatar/abc_-1.svg'],
      ['locale', 'zh'],
      ['email', 'Somebody.New@Example.com'],
      ['phone', '+8613800138000'],
    ])('changes %s to %s and nothing else', async (field, value) => {
      const before = (await ann.get<Account>(ME)).body;
      const answer = await change({ [field]: value });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ ...before, [field]: value, updated_at: answer.body.updated_at });
      expect((await ann.get<Account>(ME)).body).toEqual(answer.body);
      expect(new Date(answer.body.updated_at) > new Date(before.updated_at)).toBe(true);
      await change({ email: null, phone: null });
    });

    it.each([
      ['nickname', 'Annie', ''],
      ['avatar', 'https://example.com/a.png', ''],
      ['locale', 'zh', null],
      ['email', 'cleared@example.com', null],
      ['phone', '+8613800138000', null],
    ])('clears %s with null', async (field, value, cleared) => {
      await change({ [field]: value });
      const { body } = await change({ [field]: null });
      expect(body).toMatchObject({ [field]: cleared });
      expect((await ann.get<Account>(ME)).body).toMatchObject({ [field]: cleared });
    });

    it('treats "" as null', async () => {
      const { body } = await change({ nickname: '', avatar: '', email: '', phone: '' });
      expect(body).toMatchObject({ nickname: '', avatar: '', email: null, phone: null });
    });

    it('reads a national phone number in the configured region', async () => {
      expect((await change({ phone: '138 0013 8222' })).body.phone).toBe('+8613800138222');
    });

    it('changes neither account nor audit when no value is new', async () => {
      const before = await storedUser(service, username);
      for (const same of [{}, { nickname: 'Ann' }, { email: `${username}@Example.com`, locale: null }]) {
        expect((await change(same)).status).toBe(200);
      }
      expect(await storedUser(service, username)).toEqual(before);
      const events = await service.query(
        `SELECT 1 FROM audit_event WHERE action = 'user.update' AND target_label = $1`,
        [username],
      );
      expect(events).toEqual([]);
    });

    it('records old and new values in the audit', async () => {
      await change({ nickname: 'Annie', email: 'written@example.com' });
      const events = await service.query(
        `SELECT before, after FROM audit_event WHERE action = 'user.update' AND target_label = $1`,
        [username],
      );
      expect(events).toEqual([
        {
          before: { nickname: 'Ann', email: `${username}@Example.com` },
          after: { nickname: 'Annie', email: 'written@example.com' },
        },
      ]);
      await change({ email: null });
    });

    it('applies the new language immediately', async () => {
      const detail = async (): Promise<string> => (await ann.get<Problem>('/api/nowhere', { headers: {} })).body.detail;
      const rejected = async (): Promise<string> => (await change({ nickname: 5 })).body.detail;
      const english = await rejected();
      await change({ locale: 'zh' });
      const chinese = await rejected();
      expect(english).not.toMatch(/\p{Script=Han}/u);
      expect(chinese).toMatch(/\p{Script=Han}/u);
      const wished = await ann.patch<Problem>(`${ME}?lang=en`, { nickname: 5 });
      expect(wished.body.detail).toBe(english);
      expect(await detail()).not.toMatch(/\p{Script=Han}/u);
    });

    describe('with contacts of other users', () => {
      it('rejects an e-mail that is taken, in any case', async () => {
        await service.register(`${username}_other`, { email: `${username}.other@example.com` });
        const answer = await change({ nickname: 'Changed', email: `${username.toUpperCase()}.Other@EXAMPLE.com` });
        expectProblem(answer, 409, 'email_taken');
        expect((await ann.get<Account>(ME)).body).toMatchObject({ nickname: 'Ann', email: `${username}@Example.com` });
      });

      it('rejects a phone that is taken, in any spelling', async () => {
        await service.register(`${username}_other`, { phone: '+8613900139000' });
        const answer = await change({ phone: '139 0013 9000' });
        expectProblem(answer, 409, 'phone_taken');
      });
    });

    describe('with verified contacts', () => {
      beforeEach(async () => {
        await change({ phone: '+8613700137000' });
        await proveContacts(service, username);
      });

      afterEach(async () => {
        await service.query('UPDATE user_account SET phone = NULL, phone_verified = false WHERE username = $1', [
          username,
        ]);
      });

      it('loses the verification with the contact', async () => {
        const { body } = await change({ email: `${username}.new@example.com`, phone: '+8613700137001' });
        expect(body).toMatchObject({ email_verified: false, phone_verified: false });
      });

      it('keeps the verification of an unchanged contact and stores its new spelling', async () => {
        const { body } = await change({ email: `${username.toUpperCase()}@example.com`, phone: '13700137000' });
        expect(body).toMatchObject({
          email: `${username.toUpperCase()}@example.com`,
          email_verified: true,
          phone: '+8613700137000',
          phone_verified: true,
        });
      });

      it.each<[string, Record<string, string | null>]>([
        ['changing the e-mail', { email: 'thief@example.com' }],
        ['changing the phone', { phone: '+8613700137002' }],
        ['clearing the e-mail', { email: null }],
        ['clearing the phone by ""', { phone: '' }],
      ])('requires a recent login for %s', async (_, body) => {
        const old = await logInLongAgo(service, username);
        const before = await storedUser(service, username);
        const answer = await change(body, old);
        expectProblem(answer, 401, 'reauthentication_required');
        expect(await storedUser(service, username)).toEqual(before);
      });

      it('requires no recent login when no verified contact changes', async () => {
        const old = await logInLongAgo(service, username);
        expect((await change({ nickname: 'Annie', locale: 'en', email: `${username}@example.com` }, old)).status).toBe(
          200,
        );
        await service.query('UPDATE user_account SET email_verified = false WHERE username = $1', [username]);
        expect((await change({ email: `${username}.other@example.com` }, old)).status).toBe(200);
      });
    });

    describe('with codes', () => {
      it.each(['email', 'phone'])('rejects a malformed code for the %s', async (contact) => {
        const target = contact === 'email' ? 'unsent@example.com' : '+8613800138998';
        const answer = await change({ [contact]: target, [`${contact}_code`]: '123456' });
        expectProblem(answer, 400, 'code_invalid');
        expect(fieldsOf(await change({ [`${contact}_code`]: '123456' }))).toEqual([`${contact}: required`]);
      });

      it('requires codes when the setting says so, but not to clear or keep a contact', async () => {
        await service.set(contactCodeRequired, true);
        try {
          const before = await storedUser(service, username);
          const answer = await change({ email: 'new@example.com', phone: '+8613800138999' });
          expect(answer.status).toBe(400);
          expect(fieldsOf(answer)).toEqual(['email_code: required', 'phone_code: required']);
          expect(await storedUser(service, username)).toEqual(before);

          expect((await change({ nickname: 'Annie', email: `${username}@example.com` })).status).toBe(200);
          expect((await change({ email: null })).status).toBe(200);
        } finally {
          await service.set(contactCodeRequired, false);
        }
      });
    });
  });
});
