import { contactCodeRequired, emailCodeRequired, phoneCodeRequired } from '../../src/auth';
import { DomainEvents } from '../../src/platform/jobs/events';
import { accountChanged, AccountEvent } from '../../src/users';
import { Account, logInLongAgo, storedUser } from '../support/accounts/accounts';
import { codeFor, known, otherThan, newPerson, withCodes } from '../support/accounts/codes';
import { expectProblem } from '../support/service/expect-problem';
import { testMessages } from '../support/receivers/test-messages';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

const NEW_PASSWORD = 'another horse entirely';

let service: TestService;
const events: AccountEvent[] = [];

withCodes((started) => {
  service = started;
  service.app.get(DomainEvents, { strict: false }).on(accountChanged, async (event) => {
    events.push(event);
  });
});

const me = async (client: TestClient): Promise<Account> => (await client.get<Account>('/api/auth/me')).body;

describe('registration with codes', () => {
  it('verifies the contacts and takes them from users who had not verified them', async () => {
    const [squatter, owner] = [newPerson(), newPerson()];
    await service.register(squatter.username, { email: owner.email, phone: owner.phone });
    const contacts = { email: owner.email, phone: owner.phone };
    const codes = {
      email_code: await codeFor(service.client(), 'register', owner.email),
      phone_code: await codeFor(service.client(), 'register', owner.phone),
    };
    const taken = await service
      .client()
      .post<Problem>('/api/auth/register', { username: 'x_y_z', password: PASSWORD, ...contacts });
    expectProblem(taken, 409, 'email_taken');
    const client = await service.signUp(owner.username, { ...contacts, ...codes });
    expect(await me(client)).toMatchObject({ ...contacts, email_verified: true, phone_verified: true });
    expect(await storedUser(service, squatter.username)).toMatchObject({ email: null, email_key: null, phone: null });
  });

  it('keeps the code when registration fails for another reason, and hides contact ownership without a code', async () => {
    const [owner, applicant] = [await known(service), newPerson()];
    const register = (body: object): Promise<Answer<Problem>> =>
      service.client().post<Problem>('/api/auth/register', { password: PASSWORD, ...body });
    const code = await codeFor(service.client(), 'register', owner.email);
    const body = { username: applicant.username, email: owner.email };
    expectProblem(await register({ ...body, email_code: otherThan(code) }), 400, 'code_invalid');
    expectProblem(await register({ ...body, email_code: code }), 409, 'email_taken');
    const own = await codeFor(service.client(), 'register', applicant.email);
    const mine = { email: applicant.email, email_code: own };
    expectProblem(await register({ ...mine, username: owner.username }), 409, 'username_taken');
    expect((await register({ ...mine, username: applicant.username })).status).toBe(201);
  });

  it.each([
    ['email', emailCodeRequired],
    ['phone', phoneCodeRequired],
  ] as const)('requires a verified %s when the setting says so', async (contact, setting) => {
    const person = newPerson();
    await service.set(setting, true);
    try {
      const bare = await service
        .client()
        .post<Problem>('/api/auth/register', { username: person.username, password: PASSWORD });
      expect(bare.body.errors?.map(({ field }) => field)).toEqual([contact, `${contact}_code`]);
      const code = await codeFor(service.client(), 'register', person[contact]);
      await service.register(person.username, { [contact]: person[contact], [`${contact}_code`]: code });
    } finally {
      await service.set(setting, false);
    }
  });
});

describe('own contact', () => {
  it('is verified by a code that the same session requested, and by no other', async () => {
    const { username } = await known(service);
    const [client, elsewhere] = [await service.logIn(username), await service.logIn(username)];
    const next = newPerson();
    const code = await codeFor(client, 'bind', next.email);
    const change = (by: TestClient): Promise<Answer<Problem & Account>> =>
      by.patch<Problem & Account>('/api/auth/me', { email: next.email, email_code: code });
    expectProblem(await change(elsewhere), 400, 'code_invalid');
    const refusals = await service.query(
      `SELECT outcome, after FROM audit_event WHERE action = 'code.refuse' AND actor_name = $1`,
      [username],
    );
    expect(refusals).toEqual([{ outcome: 'failure', after: { purpose: 'bind', channel: 'email' } }]);
    const before = await me(client);
    expect((await change(client)).body).toMatchObject({ email: next.email, email_verified: true });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'email_changed', before: before.email, wasVerified: true }),
    );
    expectProblem(await change(client), 400, 'code_invalid');
  });

  it('is taken from a user who has not verified it, and requires the code when the setting says so', async () => {
    const [squatter, owner] = [newPerson(), await known(service)];
    const target = newPerson().phone;
    await service.register(squatter.username, { phone: target });
    const client = await service.logIn(owner.username);
    await service.set(contactCodeRequired, true);
    try {
      const bare = await client.patch<Problem>('/api/auth/me', { phone: target });
      expect(bare.body.errors).toEqual([expect.objectContaining({ field: 'phone_code', code: 'required' })]);
      const phone_code = await codeFor(client, 'bind', target);
      const changed = await client.patch('/api/auth/me', { phone: target, phone_code });
      expect(changed.body).toMatchObject({ phone: target, phone_verified: true });
    } finally {
      await service.set(contactCodeRequired, false);
    }
    expect(await storedUser(service, squatter.username)).toMatchObject({ phone: null });
  });

  it('requires a recent login to verify it, because a verified contact can log in', async () => {
    const { username, email, phone } = newPerson();
    await service.register(username, { email });
    const client = await logInLongAgo(service, username);
    const change = { email, email_code: await codeFor(client, 'bind', email) };
    expectProblem(await client.patch('/api/auth/me', change), 401, 'reauthentication_required');
    const another = { phone, phone_code: await codeFor(client, 'bind', phone) };
    expectProblem(await client.patch('/api/auth/me', another), 401, 'reauthentication_required');
    expect((await client.patch('/api/auth/me', { phone })).status).toBe(200);
    expect((await client.post('/api/auth/reauthenticate', { password: PASSWORD })).status).toBe(204);
    expect((await client.patch('/api/auth/me', change)).body).toMatchObject({ email_verified: true });
  });

  it('cannot be removed while it is the last credential', async () => {
    const { username, email } = await known(service);
    const client = await service.logIn(username);
    await service.query(
      `UPDATE user_account SET password_hash = NULL, phone = NULL, phone_verified = false WHERE username = $1`,
      [username],
    );
    const rejected = await client.patch<Problem>('/api/auth/me', { email: null });
    expectProblem(rejected, 409, 'last_credential');
    expect(await storedUser(service, username)).toMatchObject({ email, email_verified: true });
    expect((await client.put('/api/auth/me/password', { new_password: NEW_PASSWORD })).status).toBe(204);
    expect((await client.patch('/api/auth/me', { email: null })).status).toBe(200);
  });

  it('does not count as a credential while its channel is not set up', async () => {
    const { username } = await known(service);
    const client = await service.logIn(username);
    await service.query('UPDATE user_account SET password_hash = NULL WHERE username = $1', [username]);
    testMessages.offered.delete('sms');
    const rejected = await client.patch<Problem>('/api/auth/me', { email: null });
    testMessages.offered.add('sms');
    expectProblem(rejected, 409, 'last_credential');
    expect((await client.patch('/api/auth/me', { email: null })).status).toBe(200);
  });
});

describe('reauthentication', () => {
  it('accepts a code sent to a verified contact of the user', async () => {
    const { username, phone } = await known(service);
    const client = await logInLongAgo(service, username);
    const stale = await client.patch<Problem>('/api/auth/me', { phone: null });
    expectProblem(stale, 401, 'reauthentication_required');
    const code = await codeFor(service.client(), 'login', phone);
    const again = (body: object): Promise<Answer<Problem>> => client.post<Problem>('/api/auth/reauthenticate', body);
    expectProblem(await again({ channel: 'sms', code: otherThan(code) }), 400, 'code_invalid');
    expectProblem(await again({ channel: 'email', code }), 400, 'code_invalid');
    for (const body of [{}, { channel: 'sms' }, { code }, { password: PASSWORD, channel: 'sms', code }]) {
      expectProblem(await again(body), 400, 'validation_failed');
    }
    expect((await again({ channel: 'sms', code })).status).toBe(204);
    expect((await client.patch('/api/auth/me', { phone: null })).status).toBe(200);
  });

  it('rejects a code sent to a contact that is no longer verified', async () => {
    const { username, phone } = await known(service);
    const client = await service.logIn(username);
    const code = await codeFor(service.client(), 'login', phone);
    for (const next of [null, phone]) expect((await client.patch('/api/auth/me', { phone: next })).status).toBe(200);
    expect(await me(client)).toMatchObject({ phone, phone_verified: false });
    const again = await client.post<Problem>('/api/auth/reauthenticate', { channel: 'sms', code });
    expectProblem(again, 400, 'code_invalid');
    const failures = await service.query(
      `SELECT outcome FROM audit_event WHERE action = 'code.prove' AND target_label = $1`,
      [username],
    );
    expect(failures).toEqual([{ outcome: 'failure' }]);
  });
});

describe('login notices', () => {
  it('announces a login from a new browser, except the first login', async () => {
    const { username } = newPerson();
    const browser = await service.signUp(username);
    await service.logIn(username, PASSWORD, browser);
    const announced = (): AccountEvent[] =>
      events.filter((event) => event.type === 'new_device' && event.user.username === username);
    expect(announced()).toEqual([]);
    await service.logIn(username);
    expect(announced()).toHaveLength(1);
  });
});
