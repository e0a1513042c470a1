import {
  invitationsPerDayPerContact,
  invitationsPerDayPerOrganizationContact,
} from '../../src/organizations/invitations';
import { InvitationCleanupJob } from '../../src/organizations/invitations/invitation-cleanup.job';
import { Mailer } from '../../src/messaging/delivery';
import { PRINTED } from '../../src/messaging/delivery/inbox/dev-inbox.service';
import { anyUserWith, createRole, systemRole } from '../support/accounts/holders';
import { messagesTo } from '../support/receivers/inbox';
import {
  expectUnknown,
  InvitationAnswer,
  invite,
  invited,
  lastToken,
  showInvitation,
  StoredOrganization,
  storeOrganization,
} from '../support/organizations/invitations';
import { addMember } from '../support/organizations/organizations';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';
const DAY_MS = 86_400_000;

let made = 0;
const newEmail = (): string => `guest${++made}@example.com`;

describe('invitations', () => {
  let service: TestService;
  let admin: TestClient;
  let organization: StoredOrganization;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    await admin.patch('/api/auth/me', { nickname: 'Bob' });
    await service.set(invitationsPerDayPerContact, 1_000);
    organization = await storeOrganization(service);
  });

  const path = (id = ''): string => `/api/organization/${organization.id}/invitations${id && `/${id}`}`;
  const audited = async (action: string, id: string): Promise<object[]> =>
    (await admin.get<{ items: object[] }>(`/api/audit?action=${action}&target_id=${id}`)).body.items;
  const fieldsOf = (answer: Answer<unknown>): [string, string][] =>
    ((answer.body as Problem).errors ?? []).map(({ field, code }) => [field, code]);

  it('are sent by mail for a week, with roles', async () => {
    const role = await createRole(admin, 'Reader', 'role:read');
    const { status, body } = await invite(admin, organization, { email: 'Ann@Example.com', role_ids: [role.id] });
    const me = (await admin.get<{ id: string }>('/api/auth/me')).body;
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        email: 'Ann@Example.com',
        phone: null,
        role_ids: [role.id],
        inviter_id: me.id,
        created_at: body.created_at,
        sent_at: body.created_at,
        expires_at: body.expires_at,
        suspended: false,
      },
    ]);
    expect(Date.parse(body.expires_at) - Date.parse(body.sent_at)).toBe(7 * DAY_MS);
    const [message] = messagesTo(service, 'Ann@Example.com');
    const time = body.expires_at.slice(0, 16).replace('T', ' ');
    expect(message).toMatchObject({ channel: 'email', subject: 'Invitation to join Acme' });
    expect(message?.text).toMatch(/^You are invited to join Acme in .+, by Bob\./);
    expect(message?.text).toContain(`until ${time} UTC.`);
    const link = `https?://[^\\s"]+/invitation#${lastToken(service, 'Ann@Example.com')}`;
    expect(message?.html).toMatch(new RegExp(`<a href="${link}"[^>]*>${link}</a>`));
    expect(await audited('invitation.create', body.id)).toMatchObject([
      {
        target: { type: 'invitation', label: 'a***@example.com' },
        after: { organization_id: organization.id, channel: 'email', contact: 'a***@example.com', role_ids: [role.id] },
      },
    ]);
  });

  it.each(['https://evil.example', 'evil.example', 'www.evil。example now', 'me@evil.example'])(
    'are sent with username and slug where the names are %s',
    async (name) => {
      const inviter = await anyUserWith(service, admin, 'invitation:create');
      expect((await inviter.client.patch('/api/auth/me', { nickname: name })).status).toBe(200);
      const [email, shop] = [newEmail(), await storeOrganization(service, name)];
      await invited(service, inviter.client, shop, email);
      const [message] = messagesTo(service, email);
      expect(message?.subject).toBe(`Invitation to join ${shop.slug}`);
      expect(message?.text).toContain(`, by ${inviter.username}.`);
      expect(`${message?.text} ${message?.html}`).not.toContain('evil');
    },
  );

  it('are sent by SMS to a number in any accepted spelling, in the language of the inviter', async () => {
    const inviter = await anyUserWith(service, admin, 'invitation:create');
    const { status, body } = await inviter.client.post<InvitationAnswer>(`${path()}?lang=zh`, {
      phone: '13800138011',
      expires_in: 3_600,
    });
    expect([status, body.email, body.phone]).toEqual([201, null, '+8613800138011']);
    expect(Date.parse(body.expires_at) - Date.parse(body.sent_at)).toBe(3_600_000);
    const [message] = messagesTo(service, '+8613800138011');
    expect(message?.text).toMatch(/^您受 .+ 邀请加入 .+ 中的 Acme：https?:\S+\/invitation#[\w-]{43} /);
  });

  it('are sent in the language of the account that has the contact', async () => {
    const email = newEmail();
    const user = await service.signUp(`speaker${++made}`, { email });
    await user.patch('/api/auth/me', { locale: 'zh' });
    await service.query('UPDATE user_account SET email_verified = true WHERE email = $1', [email]);
    await invited(service, admin, organization, email);
    expect(messagesTo(service, email)[0]?.subject).toBe('邀请您加入 Acme');
  });

  it('keep the token out of the database, the audit log and the service log', async () => {
    const token = await invited(service, admin, organization, newEmail());
    await service.client().post('/api/invitation/show', { token });
    await service.client().get(`/api/invitation/${token}`);
    const [{ text }] = (await service.query<{ text: string }>(
      `SELECT (SELECT json_agg(i) FROM invitation AS i)::text || (SELECT json_agg(a) FROM audit_event AS a)::text
         || (SELECT json_agg(d) FROM message_delivery AS d)::text AS text`,
    )) as [{ text: string }];
    expect(text).not.toContain(token);
    // The development inbox prints the message.
    const lines = service.logLines.filter((line) => line.includes(token) && !line.includes(PRINTED));
    expect(lines).toEqual([]);
  });

  it.each<[string, object, [string, string][]]>([
    ['no contact', {}, [['email', 'one_contact']]],
    ['empty contacts', { email: '', phone: null }, [['email', 'one_contact']]],
    ['two contacts', { email: 'a@example.com', phone: '+8613800138012' }, [['phone', 'one_contact']]],
    ['a malformed address', { email: 'a@' }, [['email', 'email']]],
    ['a malformed number', { phone: '12' }, [['phone', 'phone']]],
    ['an unknown role', { email: 'a@example.com', role_ids: [UNKNOWN_ID] }, [['role_ids[0]', 'unknown_role']]],
    ['too short a life', { email: 'a@example.com', expires_in: 3_599 }, [['expires_in', 'min']]],
    ['too long a life', { email: 'a@example.com', expires_in: 2_592_001 }, [['expires_in', 'max']]],
    ['an unknown field', { email: 'a@example.com', token: 'x' }, [['token', 'unknown_field']]],
  ])('are rejected with %s', async (_, body, fields) => {
    const answer = await invite<Problem>(admin, organization, body);
    expectProblem(answer, 400, 'validation_failed');
    expect(fieldsOf(answer)).toEqual(fields);
  });

  it('are rejected for an unknown organization', async () => {
    expectProblem(await invite<Problem>(admin, { id: UNKNOWN_ID }, { email: newEmail() }), 404, 'not_found');
    expectProblem(await admin.get<Problem>(`/api/organization/${UNKNOWN_ID}/invitations`), 404, 'not_found');
  });

  it('give no role with permissions that the inviter lacks', async () => {
    const inviter = await anyUserWith(service, admin, 'invitation:create');
    const email = newEmail();
    const role = await createRole(admin, 'Lister', 'setting:read');
    const answer = await invite<Problem>(inviter.client, organization, { email, role_ids: [role.id] });
    expectProblem(answer, 403, 'escalation_denied');
    const { id } = await systemRole(admin, 'admin');
    const ofSystem = await invite<Problem>(admin, organization, { email, role_ids: [id] });
    expectProblem(ofSystem, 403, 'system_role_protected');
    expect(messagesTo(service, email)).toEqual([]);
  });

  it('are managed by members who hold the permissions there only', async () => {
    const { id, client } = await anyUserWith(service, admin);
    const role = await createRole(admin, 'Inviter', 'invitation:*', 'group:read');
    await addMember(admin, organization, { id }, role);
    const email = newEmail();
    const { status, body } = await invite(client, organization, { email, role_ids: [role.id] });
    expect(status).toBe(201);
    expect((await client.get(path())).status).toBe(200);
    expect((await client.post(path(`${body.id}/resend`))).status).toBe(200);
    expect((await client.delete(path(body.id))).status).toBe(204);

    const elsewhere = await storeOrganization(service, 'Other');
    expectProblem(await invite<Problem>(client, elsewhere, { email }), 404, 'not_found');
    expectProblem(await client.get<Problem>(`/api/organization/${elsewhere.id}/invitations`), 404, 'not_found');
    await addMember(admin, elsewhere, { id });
    expectProblem(await invite<Problem>(client, elsewhere, { email }), 403, 'permission_denied');
  });

  it('are listed, newest first, by pages', async () => {
    const other = await storeOrganization(service, 'Other');
    const ids = [];
    for (let count = 0; count < 3; count++) {
      ids.unshift((await invite(admin, other, { email: newEmail() })).body.id);
    }
    const list = (query = ''): Promise<Answer<{ items: { id: string }[]; total: number }>> =>
      admin.get(`/api/organization/${other.id}/invitations${query}`);
    const all = (await list()).body;
    expect([all.items.map(({ id }) => id), all.total]).toEqual([ids, 3]);
    const second = (await list('?page=2&page_size=2')).body;
    expect([second.items.map(({ id }) => id), second.total]).toEqual([ids.slice(2), 3]);
  });

  it('exist once for each contact and organization while they are open', async () => {
    const email = newEmail();
    const other = await storeOrganization(service, 'Other');
    const first = await invite(admin, organization, { email });
    const again = await invite<Problem>(admin, organization, { email: email.toUpperCase() });
    expectProblem(again, 409, 'already_invited');
    expect((await invite(admin, other, { email })).status).toBe(201);
    await service.query('UPDATE invitation SET expires_at = now() WHERE id = $1', [first.body.id]);
    expect((await invite(admin, organization, { email })).status).toBe(201);
  });

  it('are counted for each organization, when all refusals are past', async () => {
    await service.set(invitationsPerDayPerOrganizationContact, 1);
    try {
      const [email, other] = [newEmail(), await storeOrganization(service, 'Other')];
      const refused = await invite<Problem>(admin, organization, { email, role_ids: [UNKNOWN_ID] });
      expectProblem(refused, 400, 'validation_failed');
      const { body } = await invite(admin, organization, { email });
      expectProblem(await invite<Problem>(admin, organization, { email }), 409, 'already_invited');
      expectProblem(await admin.post<Problem>(path(`${body.id}/resend`)), 429, 'rate_limited');
      expect((await invite(admin, other, { email })).status).toBe(201);
    } finally {
      await service.set(invitationsPerDayPerOrganizationContact, invitationsPerDayPerOrganizationContact.defaultValue);
    }
  });

  it('are not found, and never an error of the service, while the organization is deleted', async () => {
    const of = await Promise.all([1, 2, 3].map(() => storeOrganization(service, 'Short-lived')));
    const answers = await Promise.all(
      of.flatMap((one) => [
        invite(admin, one, { email: newEmail() }),
        admin.delete(`/api/organization/${one.id}`),
        invite(admin, one, { email: newEmail() }),
      ]),
    );
    expect(answers.map(({ status }) => status).filter((status) => ![201, 204, 404].includes(status))).toEqual([]);
  });

  it('are made once by parallel requests', async () => {
    const email = newEmail();
    const answers = await Promise.all([1, 2, 3].map(() => invite(admin, organization, { email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(messagesTo(service, email)).toHaveLength(1);
  });

  it('show the holder of the token what they are for', async () => {
    const email = newEmail();
    const { body } = await invite(admin, organization, { email });
    const token = lastToken(service, email);
    const expected = {
      organization: { id: organization.id, slug: organization.slug, name: 'Acme', logo: '' },
      look: null,
      inviter: 'Bob',
      channel: 'email',
      contact: 'g***@example.com',
      account_exists: false,
      expires_at: body.expires_at,
    };
    expect((await showInvitation(service, token)).body).toEqual(expected);
    expect((await service.client().post('/api/invitation/show', { token })).body).toEqual(expected);
    const username = `owner${++made}`;
    await service.register(username, { email });
    expect((await showInvitation(service, token)).body.account_exists).toBe(false);
    await service.query('UPDATE user_account SET email_verified = true WHERE username = $1', [username]);
    expect((await showInvitation(service, token)).body.account_exists).toBe(true);
  });

  it.each(['x', 'A'.repeat(43), 'A'.repeat(44), '%00'])('answer the made-up token %s with not found', async (token) => {
    expectProblem(await showInvitation<Problem>(service, token), 404, 'not_found');
  });

  it('are withdrawn', async () => {
    const email = newEmail();
    const { body } = await invite(admin, organization, { email });
    const other = await storeOrganization(service, 'Other');
    const elsewhere = `/api/organization/${other.id}/invitations/${body.id}`;
    expectProblem(await admin.delete<Problem>(elsewhere), 404, 'not_found');
    expectProblem(await admin.post<Problem>(`${elsewhere}/resend`), 404, 'not_found');
    expect((await admin.delete(path(body.id))).status).toBe(204);
    await expectUnknown(service, lastToken(service, email));
    expectProblem(await admin.delete<Problem>(path(body.id)), 404, 'not_found');
    expect(await audited('invitation.withdraw', body.id)).toMatchObject([
      { before: { organization_id: organization.id, contact: 'g***@example.com' } },
    ]);
  });

  it('expire', async () => {
    const email = newEmail();
    const { body } = await invite(admin, organization, { email });
    await service.query('UPDATE invitation SET expires_at = now() WHERE id = $1', [body.id]);
    await expectUnknown(service, lastToken(service, email));
  });

  it('are not kept when the message is rejected', async () => {
    const email = newEmail();
    const mailer = service.app.get(Mailer, { strict: false });
    const rejecting = jest.spyOn(mailer, 'send').mockResolvedValue({ outcome: 'rejected', provider: 'smtp' });
    expectProblem(await invite<Problem>(admin, organization, { email }), 502, 'delivery_failed');
    rejecting.mockRestore();
    expect(await service.query('SELECT 1 FROM invitation WHERE target = $1', [email])).toEqual([]);
    expect((await invite(admin, organization, { email })).status).toBe(201);
  });

  it('are rejected while the channel is not set up', async () => {
    const mailer = service.app.get(Mailer, { strict: false });
    const offering = jest.spyOn(mailer, 'isOffered').mockResolvedValue(false);
    const answer = await invite<Problem>(admin, organization, { email: newEmail() });
    offering.mockRestore();
    expectProblem(answer, 409, 'channel_unavailable');
  });

  it('are deleted 30 days after their end', async () => {
    const emails = [newEmail(), newEmail()] as const;
    for (const email of emails) await invited(service, admin, organization, email);
    const end = (email: string, days: number): Promise<unknown> =>
      service.query(`UPDATE invitation SET expires_at = now() - make_interval(days => $2) WHERE target = $1`, [
        email,
        days,
      ]);
    await end(emails[0], 31);
    await end(emails[1], 29);
    await service.app.get(InvitationCleanupJob, { strict: false }).clean();
    const left = await service.query<{ target: string }>('SELECT target FROM invitation WHERE target = ANY($1)', [
      emails,
    ]);
    expect(left).toEqual([{ target: emails[1] }]);
  });
});
