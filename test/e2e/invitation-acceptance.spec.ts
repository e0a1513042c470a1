import { emailCodeRequired, phoneCodeRequired, registrationEnabled } from '../../src/auth';
import { invitationsPerDayPerContact } from '../../src/organizations/invitations';
import { logInLongAgo, proveContacts, storedUser } from '../support/accounts/accounts';
import { eventsSince } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { createRole, RoleAnswer } from '../support/accounts/holders';
import { lastCode, messagesTo } from '../support/receivers/inbox';
import { invited, rolesThere, StoredOrganization, storeOrganization } from '../support/organizations/invitations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let made = 0;
const newEmail = (): string => `guest${++made}@example.com`;
const newPhone = (): string => `+86138001${40_000 + ++made}`;
const newName = (): string => `guest_${++made}`;

describe('accepting an invitation', () => {
  let service: TestService;
  let admin: TestClient;
  let organization: StoredOrganization;
  let role: RoleAnswer;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    await service.set(invitationsPerDayPerContact, 1_000);
    organization = await storeOrganization(service);
    role = await createRole(admin, 'Reader', 'role:read');
  });

  const tokenFor = (target: string, more: object = { role_ids: [role.id] }): Promise<string> =>
    invited(service, admin, organization, target, more);
  const accept = <T = Problem>(client: TestClient, token: string): Promise<Answer<T>> =>
    client.post<T>('/api/invitation/accept', { token });
  const there = (username: string): Promise<string[] | undefined> => rolesThere(service, organization, username);
  const register = <T = Problem>(token: string, more: object = {}): Promise<Answer<T>> =>
    service.client().post<T>('/api/auth/register', {
      username: newName(),
      password: PASSWORD,
      invitation_token: token,
      ...more,
    });
  const fieldsOf = (answer: Answer<Problem>): [string, string][] =>
    (answer.body.errors ?? []).map(({ field, code }) => [field, code]);

  describe('with an account', () => {
    it('makes the owner of the contact a member with the roles, once', async () => {
      const [username, email] = [newName(), newEmail()];
      await service.register(username, { email });
      await proveContacts(service, username);
      const token = await tokenFor(email.toUpperCase());
      const client = await logInLongAgo(service, username);
      const answer = await accept<unknown>(client, token);
      expect([answer.status, answer.body]).toEqual([
        200,
        { organization: { ...organization, logo: '' }, role_ids: [role.id] },
      ]);
      expect(await there(username)).toEqual([role.id]);
      expectProblem(await accept(client, token), 404, 'not_found');
      const { body } = await admin.get<{ items: object[] }>('/api/audit?action=invitation.accept');
      const { id } = (await storedUser(service, username)) as { id: string };
      expect(body.items[0]).toMatchObject({
        actor: { id },
        target: { type: 'invitation', label: 'g***@example.com' },
        after: { organization_id: organization.id, user_id: id, role_ids: [role.id] },
      });
    });

    it.each([
      [
        'accepts',
        async (username: string, email: string, token: () => Promise<string>) => {
          await accept(await service.signUp(username, { email }), await token());
        },
      ],
      [
        'registers',
        async (username: string, _: string, token: () => Promise<string>) => {
          await register(await token(), { username });
        },
      ],
    ])('names the invitation and the inviter in the audit log of a member who %s', async (_, join) => {
      const [username, email] = [newName(), newEmail()];
      await join(username, email, () => tokenFor(email));
      const { id } = (await storedUser(service, username)) as { id: string };
      const me = (await admin.get<{ id: string }>('/api/auth/me')).body;
      const events = (action: string): Promise<Answer<{ items: { target: { id: string } }[] }>> =>
        admin.get(`/api/audit?action=${action}`);
      const [accepted] = (await events('invitation.accept')).body.items;
      const [added] = (await events('organization.add_members')).body.items;
      expect(accepted).toMatchObject({ actor: { id }, after: { inviter_id: me.id } });
      expect(added).toMatchObject({
        actor: { id },
        reason: `invitation ${accepted?.target.id}`,
        after: { added_ids: [id], role_ids: [role.id], inviter_id: me.id },
      });
    });

    it('requires a login', async () => {
      expectProblem(await accept(service.client(), await tokenFor(newEmail())), 401, 'unauthenticated');
    });

    it('adds the roles to those of a member', async () => {
      const [username, email] = [newName(), newEmail()];
      const client = await service.signUp(username, { email });
      await accept(client, await tokenFor(email));
      const more = await createRole(admin, newName());
      await accept(client, await tokenFor(email, { role_ids: [more.id] }));
      expect(await there(username)).toEqual([role.id, more.id].sort());
    });

    it.each([
      ['e-mail', newEmail, 'email'],
      ['phone', newPhone, 'phone'],
    ] as const)('verifies the invited %s that the account has', async (_, contact, field) => {
      const [username, target] = [newName(), contact()];
      const client = await service.signUp(username, { [field]: target });
      expect((await accept(client, await tokenFor(target))).status).toBe(200);
      expect((await client.get('/api/auth/me')).body).toMatchObject({ [field]: target, [`${field}_verified`]: true });
    });

    it('verifies the contact in the spelling of the user', async () => {
      const [username, email] = [newName(), newEmail()];
      const client = await service.signUp(username, { email: email.toUpperCase() });
      await accept(client, await tokenFor(email));
      const me = { email: email.toUpperCase(), email_verified: true };
      expect((await client.get('/api/auth/me')).body).toMatchObject(me);
    });

    it.each([
      ['no contact', 'e-mail', newEmail, {}],
      ['no contact', 'phone', newPhone, {}],
      ['another contact that is not verified', 'e-mail', newEmail, { email: 'mine@example.com' }],
      ['another contact that is not verified', 'phone', newPhone, { phone: '+8613800139999' }],
    ] as const)('is rejected for an account with %s: a forwarded link gives it no %s', async (_, __, contact, own) => {
      const username = newName();
      const client = await service.signUp(username, own);
      const before = await storedUser(service, username);
      expectProblem(await accept(client, await tokenFor(contact())), 403, 'invitation_for_another');
      expect(await storedUser(service, username)).toEqual(before);
      expect(await there(username)).toBeUndefined();
    });

    it('requires a recent login to verify a contact', async () => {
      const [username, email] = [newName(), newEmail()];
      await service.register(username, { email });
      const token = await tokenFor(email);
      expectProblem(await accept(await logInLongAgo(service, username), token), 401, 'reauthentication_required');
      expect(await there(username)).toBeUndefined();
      expect((await accept(await service.logIn(username), token)).status).toBe(200);
    });

    it('is rejected if the verified contact of the account is another', async () => {
      const username = newName();
      const client = await service.signUp(username, { email: newEmail() });
      await proveContacts(service, username);
      const token = await tokenFor(newEmail());
      expectProblem(await accept(client, token), 403, 'invitation_for_another');
      expect(await there(username)).toBeUndefined();
    });

    it('is rejected if another account has verified the contact', async () => {
      const [owner, email] = [newName(), newEmail()];
      await service.register(owner, { email });
      await proveContacts(service, owner);
      const token = await tokenFor(email);
      expectProblem(await accept(await service.signUp(newName()), token), 403, 'invitation_for_another');
      expect((await accept(await service.logIn(owner), token)).status).toBe(200);
    });

    it('gives no role that was deleted since', async () => {
      const [username, email] = [newName(), newEmail()];
      const client = await service.signUp(username, { email });
      const gone = await createRole(admin, newName());
      const token = await tokenFor(email, { role_ids: [gone.id, role.id] });
      expect((await admin.delete(`/api/role/${gone.id}`)).status).toBe(204);
      expect((await accept<{ role_ids: string[] }>(client, token)).body.role_ids).toEqual([role.id]);
      expect(await there(username)).toEqual([role.id]);
    });

    it('succeeds once in parallel', async () => {
      const [username, email] = [newName(), newEmail()];
      const token = await tokenFor(email);
      const client = await service.signUp(username, { email });
      const answers = await Promise.all([1, 2, 3].map(() => accept(client, token)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
      expect(await there(username)).toEqual([role.id]);
    });
  });

  it('is an event with the ids of organization, user and roles, without the contact', async () => {
    const { cursor } = await eventsSince(service, admin, '');
    const [username, email] = [newName(), newEmail()];
    const token = await tokenFor(email);
    await register(token, { username });
    const { items } = await eventsSince(service, admin, cursor);
    const { id: userId } = (await storedUser(service, username)) as { id: string };
    const ids = { organization_id: organization.id, role_ids: [role.id] };
    expect(
      items.filter(({ type }) => type.startsWith('invitation.')).map(({ type, data }) => ({ type, data })),
    ).toEqual([
      { type: 'invitation.created', data: expect.objectContaining(ids) as object },
      { type: 'invitation.accepted', data: expect.objectContaining({ ...ids, user_id: userId }) as object },
    ]);
    expect(JSON.stringify(items)).not.toContain(email);
  });

  describe('with a registration', () => {
    it.each([
      ['e-mail', newEmail, 'email'],
      ['phone', newPhone, 'phone'],
    ] as const)(
      'verifies the invited %s without a code, also while registration is closed',
      async (_, contact, field) => {
        const [username, target] = [newName(), contact()];
        const token = await tokenFor(target);
        await service.set(registrationEnabled, false);
        await service.set(emailCodeRequired, true);
        await service.set(phoneCodeRequired, true);
        try {
          const answer = await register<{ user: object }>(token, { username });
          expect(answer.status).toBe(201);
          expect(answer.body.user).toMatchObject({ username, [field]: target, [`${field}_verified`]: true });
          expect(await there(username)).toEqual([role.id]);
          expectProblem(await register(token), 404, 'not_found');
        } finally {
          for (const setting of [registrationEnabled, emailCodeRequired, phoneCodeRequired]) {
            await service.set(setting, setting.defaultValue);
          }
        }
      },
    );

    it.each([
      ['e-mail', newEmail, phoneCodeRequired, 'phone', 'sms', '+8613800137001'],
      ['phone', newPhone, emailCodeRequired, 'email', 'email', 'unproven@example.com'],
    ] as const)('waives the code of the invited %s only', async (_, contact, setting, field, channel, target) => {
      const token = await tokenFor(contact());
      await service.set(setting, true);
      try {
        const answer = await register(token, { [field]: target });
        expect([answer.status, fieldsOf(answer)]).toEqual([400, [[`${field}_code`, 'required']]]);
        await service.client().post('/api/auth/codes', { purpose: 'register', channel, target });
        const code = lastCode(service, target);
        expect((await register(token, { [field]: target, [`${field}_code`]: code })).status).toBe(201);
      } finally {
        await service.set(setting, false);
      }
    });

    it('takes no contact of the other kind while registration is closed', async () => {
      const token = await tokenFor(newEmail());
      await service.set(registrationEnabled, false);
      try {
        const answer = await register(token, { phone: newPhone() });
        expect([answer.status, fieldsOf(answer)]).toEqual([400, [['phone', 'invited_contact']]]);
        expect((await register(token, { phone: '' })).status).toBe(201);
      } finally {
        await service.set(registrationEnabled, true);
      }
    });

    it('stays closed without an open invitation', async () => {
      await service.set(registrationEnabled, false);
      try {
        const body = { username: newName(), password: PASSWORD };
        const answer = await service.client().post<Problem>('/api/auth/register', body);
        expectProblem(answer, 403, 'registration_disabled');
        expectProblem(await register('A'.repeat(43)), 404, 'not_found');
        expectProblem(await register('x'), 404, 'not_found');
      } finally {
        await service.set(registrationEnabled, true);
      }
    });

    it.each([
      ['the invited contact, in another spelling', (email: string) => ({ email: email.toUpperCase() }), 201, []],
      ['an unverified contact of the other kind', () => ({ phone: newPhone() }), 201, []],
      ['another contact', () => ({ email: 'other@example.com' }), 400, [['email', 'invited_contact']]],
      ['a malformed contact', () => ({ email: 'x' }), 400, [['email', 'invited_contact']]],
      ['a token of another type', () => ({ invitation_token: 7 }), 400, [['invitation_token', 'type_text']]],
    ])('accepts or rejects %s', async (_, more, status, fields) => {
      const email = newEmail();
      const answer = await register(await tokenFor(email), more(email));
      expect([answer.status, fieldsOf(answer)]).toEqual([status, fields]);
    });

    it('reports the other invalid fields and keeps the invitation', async () => {
      const token = await tokenFor(newEmail());
      const answer = await register(token, { username: '!', password: 'short' });
      expect(fieldsOf(answer)).toEqual([
        ['username', 'min_length'],
        ['password', 'min_length'],
      ]);
      expect((await register(token)).status).toBe(201);
    });

    it('is rejected if an account has verified the contact, and takes it from one that has not', async () => {
      const [owner, email] = [newName(), newEmail()];
      await service.register(owner, { email });
      const token = await tokenFor(email);
      await proveContacts(service, owner);
      expectProblem(await register(token), 409, 'email_taken');
      await service.query('UPDATE user_account SET email_verified = false WHERE username = $1', [owner]);
      expect((await register(token)).status).toBe(201);
      expect(await storedUser(service, owner)).toMatchObject({ email: null });
    });

    it('makes one account in parallel', async () => {
      const email = newEmail();
      const token = await tokenFor(email);
      const answers = await Promise.all([1, 2, 3].map(() => register(token)));
      expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
      expect(await service.query('SELECT 1 FROM user_account WHERE email_key = $1', [email])).toHaveLength(1);
    });

    it('sends no further message', async () => {
      const email = newEmail();
      await register(await tokenFor(email));
      expect(messagesTo(service, email)).toHaveLength(1);
    });
  });
});
