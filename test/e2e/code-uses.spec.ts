import { PasswordHasher } from '../../src/platform/crypto';
import { DomainEvents } from '../../src/platform/jobs/events';
import { accountChanged, AccountEvent } from '../../src/users';
import { storedUser } from '../support/accounts/accounts';
import { codeFor, known, otherThan, Person, newPerson, withCodes } from '../support/accounts/codes';
import { testMessages } from '../support/receivers/test-messages';
import { Account } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

const NEW_PASSWORD = 'another horse entirely';
const RESET = '/api/auth/password/reset';

let service: TestService;
let admin: TestClient;
const events: AccountEvent[] = [];

withCodes(async (started) => {
  service = started;
  admin = await service.admin();
  service.app.get(DomainEvents, { strict: false }).on(accountChanged, async (event) => {
    events.push(event);
  });
});

const logIn = (body: object, client = service.client()): Promise<Answer<Problem>> =>
  client.post<Problem>('/api/auth/login', body);
const me = async (client: TestClient): Promise<Account> => (await client.get<Account>('/api/auth/me')).body;

describe('login by code', () => {
  it.each(['email', 'sms'])('opens one session by %s', async (type) => {
    const { email, phone, username } = await known(service);
    const contact = type === 'email' ? { email: email.toUpperCase() } : { phone: phone.slice(3) };
    const code = await codeFor(service.client(), 'login', type === 'email' ? email : phone);
    const client = service.client();
    const answer = await logIn({ type, ...contact, code }, client);
    expect(answer.body).toMatchObject({ user: { username }, session: { login_method: type } });
    expect((await me(client)).username).toBe(username);
    expectProblem(await logIn({ type, ...contact, code }), 400, 'code_invalid');
  });

  it('returns the same error for a wrong code, an unknown contact and an unverified contact', async () => {
    const { email } = await known(service);
    const claim = newPerson();
    await service.register(claim.username, { email: claim.email });
    const wrong = otherThan(await codeFor(service.client(), 'login', email));
    const answers = [];
    for (const address of [email, 'nobody.here@example.com', claim.email]) {
      answers.push(await logIn({ type: 'email', email: address, code: wrong }));
    }
    for (const answer of answers) {
      expectProblem(answer, 400, 'code_invalid');
      expect({ ...answer.body, request_id: '' }).toEqual({ ...answers[0]!.body, request_id: '' });
    }
  });

  it('accepts one of 50 concurrent logins with the same code', async () => {
    const { email, username } = await known(service);
    const code = await codeFor(service.client(), 'login', email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => logIn({ type: 'email', email, code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [row] = await service.query(
      `SELECT count(*)::int AS sessions FROM session JOIN user_account ON user_account.id = user_id WHERE username = $1`,
      [username],
    );
    expect(row).toEqual({ sessions: 1 });
  });

  it('obeys a lock by wrong passwords in another browser than the one that requested the code', async () => {
    const { username, email } = await known(service);
    for (let attempt = 0; attempt < 10; attempt++) {
      await logIn({ type: 'password', username, password: 'wrong password' });
    }
    const code = await codeFor(service.client(), 'login', email);
    expectProblem(await logIn({ type: 'email', email, code }), 429, 'account_locked');
    const reset = { channel: 'email', target: email, code: 'x', new_password: NEW_PASSWORD };
    expectProblem(await service.client().post<Problem>(RESET, reset), 400, 'code_invalid');
  });

  it('reports a disabled user only for a valid code, and disabling deletes pending codes', async () => {
    const { email, username } = await known(service);
    const { id } = (await storedUser(service, username)) as { id: string };
    const early = await codeFor(service.client(), 'login', email);
    expect((await admin.patch(`/api/user/${id}`, { status: 'disabled' })).status).toBe(200);
    expectProblem(await logIn({ type: 'email', email, code: early }), 400, 'code_invalid');
    const code = await codeFor(service.client(), 'login', email);
    expectProblem(await logIn({ type: 'email', email, code: otherThan(code) }), 400, 'code_invalid');
    expectProblem(await logIn({ type: 'email', email, code }), 403, 'user_disabled');
  });

  it('is rejected while the method is disabled or the channel is not set up', async () => {
    const { phone } = await known(service);
    const code = await codeFor(service.client(), 'login', phone);
    await admin.patch('/api/login-method/sms', { enabled: false });
    expectProblem(await logIn({ type: 'sms', phone, code }), 403, 'login_method_disabled');
    await admin.patch('/api/login-method/sms', { enabled: true });
    testMessages.offered.delete('sms');
    expectProblem(await logIn({ type: 'sms', phone, code }), 403, 'login_method_disabled');
    testMessages.offered.add('sms');
    expect((await logIn({ type: 'sms', phone, code })).status).toBe(200);
  });
});

describe('password reset', () => {
  it('ends every session, opens none and requires a reset code', async () => {
    const { email, username } = await known(service);
    const client = await service.logIn(username);
    expect((await me(client)).username).toBe(username);
    const code = await codeFor(service.client(), 'reset_password', email);
    const body = { channel: 'email', target: email, code, new_password: NEW_PASSWORD };
    const answer = await service.client().post<Problem>(RESET, body);
    expect([answer.status, answer.text, answer.setCookies]).toEqual([204, '', []]);
    expectProblem(await client.get<Problem>('/api/auth/me'), 401, 'session_revoked');
    expect((await logIn({ type: 'password', username, password: PASSWORD })).status).toBe(401);
    await service.logIn(username, NEW_PASSWORD);
    expectProblem(await service.client().post<Problem>(RESET, body), 400, 'code_invalid');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'password_changed', user: expect.objectContaining({ username }) as object }),
    );
  });

  it('ends the other codes of the user, and none of another user', async () => {
    const [owner, other] = [await known(service), await known(service)];
    const codeOf = ({ phone }: Person): Promise<string> => codeFor(service.client(), 'login', phone);
    const [own, foreign] = [await codeOf(owner), await codeOf(other)];
    const code = await codeFor(service.client(), 'reset_password', owner.email);
    const body = { channel: 'email', target: owner.email, code, new_password: NEW_PASSWORD };
    expect((await service.client().post(RESET, body)).status).toBe(204);
    expectProblem(await logIn({ type: 'sms', phone: owner.phone, code: own }), 400, 'code_invalid');
    expect((await logIn({ type: 'sms', phone: other.phone, code: foreign })).status).toBe(200);
  });

  it('accepts one of 50 concurrent resets with the same code', async () => {
    const { email } = await known(service);
    const code = await codeFor(service.client(), 'reset_password', email);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, turn) =>
        service
          .client()
          .post(RESET, { channel: 'email', target: email, code, new_password: `${NEW_PASSWORD} ${turn}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  });

  it('rejects a code of another purpose, contact or user and changes nothing', async () => {
    const [ann, bob] = [await known(service), await known(service)];
    const before = await storedUser(service, ann.username);
    const codes = [
      await codeFor(service.client(), 'login', ann.email),
      await codeFor(service.client(), 'register', ann.email),
      await codeFor(service.client(), 'reset_password', bob.email),
    ];
    for (const code of codes) {
      const body = { channel: 'email', target: ann.email, code, new_password: NEW_PASSWORD };
      expectProblem(await service.client().post<Problem>(RESET, body), 400, 'code_invalid');
    }
    expect(await storedUser(service, ann.username)).toEqual(before);
  });

  it('validates the new password after the code, and a rejected password does not consume the code', async () => {
    const { phone, username } = await known(service);
    const code = await codeFor(service.client(), 'reset_password', phone);
    const tryWith = (given: string, password: string): Promise<Answer<Problem>> =>
      service.client().post<Problem>(RESET, { channel: 'sms', target: phone, code: given, new_password: password });
    expectProblem(await tryWith(otherThan(code), 'password'), 400, 'code_invalid');
    expectProblem(await tryWith(code, 'password'), 400, 'password_too_common');
    expectProblem(await tryWith(code, 'short'), 400, 'validation_failed');
    expect((await tryWith(code, NEW_PASSWORD)).status).toBe(204);
    await service.logIn(username, NEW_PASSWORD);
  });

  it('works with a valid code while the account is locked, and ends the lock', async () => {
    const { email, username } = await known(service);
    const code = await codeFor(service.client(), 'reset_password', email);
    const attempt = { type: 'password', username, password: 'not the password at all' };
    for (let count = 0; count < 10; count++) expect((await logIn(attempt)).status).toBe(401);
    const resetWith = (given: string): Promise<Answer<Problem>> =>
      service
        .client()
        .post<Problem>(RESET, { channel: 'email', target: email, code: given, new_password: NEW_PASSWORD });
    expectProblem(await resetWith(otherThan(code)), 400, 'code_invalid');
    expectProblem(await logIn({ type: 'password', username, password: PASSWORD }), 429, 'account_locked');
    expect((await resetWith(code)).status).toBe(204);
    await service.logIn(username, NEW_PASSWORD);
  });

  it('allows no additional code attempts under a lock', async () => {
    const { email, username } = await known(service);
    const code = await codeFor(service.client(), 'reset_password', email);
    const attempt = { type: 'password', username, password: 'not the password at all' };
    for (let count = 0; count < 10; count++) await logIn(attempt);
    const body = { channel: 'email', target: email, new_password: NEW_PASSWORD };
    for (let count = 0; count < 5; count++) await service.client().post(RESET, { ...body, code: otherThan(code) });
    expectProblem(await service.client().post<Problem>(RESET, { ...body, code }), 400, 'code_invalid');
  });

  it.each([
    ['has been removed from the user', 'email = NULL, email_key = NULL, email_verified = false'],
    ['is no longer verified', 'email_verified = false'],
  ])('fails when the contact %s before the password is stored', async (_, change) => {
    const { email, username } = await known(service);
    const code = await codeFor(service.client(), 'reset_password', email);
    const hasher = service.app.get(PasswordHasher, { strict: false });
    const hash = hasher.hash.bind(hasher);
    jest.spyOn(hasher, 'hash').mockImplementationOnce(async (password) => {
      await service.query(`UPDATE user_account SET ${change} WHERE username = $1`, [username]);
      return hash(password);
    });
    const body = { channel: 'email', target: email, code, new_password: NEW_PASSWORD };
    expectProblem(await service.client().post<Problem>(RESET, body), 400, 'code_invalid');
    await service.logIn(username, PASSWORD);
  });

  it.each([
    ['keeps the duty, without showing it, for the present password', PASSWORD, true],
    ['ends the duty for a new password', NEW_PASSWORD, false],
  ])('for a user who must change the password: %s', async (_, password, mustChange) => {
    const { email, username } = await known(service);
    await service.query('UPDATE user_account SET must_change_password = true WHERE username = $1', [username]);
    const code = await codeFor(service.client(), 'reset_password', email);
    const body = { channel: 'email', target: email, code, new_password: password };
    expect((await service.client().post(RESET, body)).status).toBe(204);
    expect(await storedUser(service, username)).toMatchObject({ must_change_password: mustChange });
  });

  it('accepts the present password without verifying it when no change is required', async () => {
    const { email } = await known(service);
    const code = await codeFor(service.client(), 'reset_password', email);
    const verify = jest.spyOn(service.app.get(PasswordHasher, { strict: false }), 'verify');
    const body = { channel: 'email', target: email, code, new_password: PASSWORD };
    expect((await service.client().post(RESET, body)).status).toBe(204);
    expect(verify).not.toHaveBeenCalled();
    verify.mockRestore();
  });

  it('is rejected for a disabled user', async () => {
    const { email, username } = await known(service);
    const code = await codeFor(service.client(), 'reset_password', email);
    await service.query(`UPDATE user_account SET status = 'disabled' WHERE username = $1`, [username]);
    const body = { channel: 'email', target: email, code, new_password: NEW_PASSWORD };
    expectProblem(await service.client().post<Problem>(RESET, body), 403, 'user_disabled');
    const written = await service.query(
      `SELECT action, outcome, after FROM audit_event
       WHERE target_label = $1 AND action = 'password.reset'`,
      [username],
    );
    expect(written).toEqual([
      {
        action: 'password.reset',
        outcome: 'failure',
        after: { channel: 'email', code: 'user_disabled' },
      },
    ]);
  });
});

describe('last administrator rule', () => {
  it('counts every administrator who can log in, by code or by password', async () => {
    const { email, username } = await known(service);
    const { id } = (await storedUser(service, username)) as { id: string };
    const roles = await admin.get<{ items: { id: string; name: string }[] }>('/api/role?keyword=admin');
    const role = roles.body.items.find(({ name }) => name === 'admin')!;
    await service.query('UPDATE user_account SET password_hash = NULL WHERE id = $1', [id]);
    expect((await admin.post(`/api/user/${id}/roles`, { role_ids: [role.id] })).status).toBe(200);
    await service.query('UPDATE user_account SET email_verified = false, phone_verified = false WHERE id = $1', [id]);
    expectProblem(await admin.delete<Problem>('/api/auth/me'), 409, 'last_admin');
    await service.query('UPDATE user_account SET email_verified = true WHERE id = $1', [id]);
    await admin.patch('/api/login-method/email', { enabled: false });
    expectProblem(await admin.delete<Problem>('/api/auth/me'), 409, 'last_admin');
    await admin.patch('/api/login-method/email', { enabled: true });
    const heir = service.client();
    expect(
      (await logIn({ type: 'email', email, code: await codeFor(service.client(), 'login', email) }, heir)).status,
    ).toBe(200);
    expect((await admin.delete('/api/auth/me')).status).toBe(204);
    // For other tests, whatever their order.
    admin = heir;
  });
});
