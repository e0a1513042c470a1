import { invitationsPerDayPerContact } from '../../src/organizations/invitations';
import { Mailer } from '../../src/messaging/delivery';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole } from '../support/accounts/holders';
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
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let organization: StoredOrganization;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  await admin.patch('/api/auth/me', { nickname: 'Bob' });
  await service.set(invitationsPerDayPerContact, 1_000);
  organization = await storeOrganization(service);
});

const newEmail = (): string => `inviter_guest${++made}@example.com`;
const path = (id = ''): string => `/api/organization/${organization.id}/invitations${id && `/${id}`}`;
const audited = async (action: string, id: string): Promise<object[]> =>
  (await admin.get<{ items: object[] }>(`/api/audit?action=${action}&target_id=${id}`)).body.items;

describe('invitations and their inviter', () => {
  it('are not sent again by a user who lacks permissions of the roles', async () => {
    const inviter = await anyUserWith(service, admin, 'invitation:create');
    const role = await createRole(admin, 'Writer', 'setting:update');
    const { body } = await invite(admin, organization, { email: newEmail(), role_ids: [role.id] });
    expectProblem(await inviter.client.post<Problem>(path(`${body.id}/resend`)), 403, 'escalation_denied');
  });

  it('end the former token when they are sent again, and last as long as before', async () => {
    const email = newEmail();
    const { body } = await invite(admin, organization, { email, expires_in: 7_200 });
    const former = lastToken(service, email);
    await service.query(
      `UPDATE invitation SET sent_at = sent_at - interval '1 day', expires_at = expires_at - interval '1 day' WHERE id = $1`,
      [body.id],
    );
    const again = await admin.post<InvitationAnswer>(path(`${body.id}/resend`));
    expect([again.status, again.body.id]).toEqual([200, body.id]);
    expect(Date.parse(again.body.expires_at) - Date.parse(again.body.sent_at)).toBe(7_200_000);
    await expectUnknown(service, former);
    expect((await showInvitation(service, lastToken(service, email))).status).toBe(200);
    expect(await audited('invitation.resend', body.id)).toHaveLength(1);
  });

  it('keep the former link when the message is rejected that sends them again', async () => {
    const email = newEmail();
    const inviter = await anyUserWith(service, admin, 'invitation:create');
    const { body } = await invite(admin, organization, { email, expires_in: 7_200 });
    const former = lastToken(service, email);
    const mailer = service.app.get(Mailer, { strict: false });
    const rejecting = jest.spyOn(mailer, 'send').mockResolvedValue({ outcome: 'rejected', provider: 'smtp' });
    expectProblem(await inviter.client.post<Problem>(path(`${body.id}/resend`)), 502, 'delivery_failed');
    rejecting.mockRestore();
    expect((await showInvitation(service, former)).body.expires_at).toBe(body.expires_at);
    const { items } = (await admin.get<{ items: InvitationAnswer[] }>(path())).body;
    expect(items.find(({ id }) => id === body.id)).toEqual(body);
    expect(await audited('invitation.resend', body.id)).toMatchObject([
      { outcome: 'failure', reason: 'message rejected' },
      { outcome: 'success' },
    ]);
  });

  it('stay when the account of the inviter is deleted, and open again when another user sends them', async () => {
    const inviter = await anyUserWith(service, admin, 'invitation:create');
    const email = newEmail();
    const { body } = await invite(inviter.client, organization, { email });
    expect((await inviter.client.delete('/api/auth/me')).status).toBe(204);
    await expectUnknown(service, lastToken(service, email));
    const again = await admin.post<InvitationAnswer>(path(`${body.id}/resend`));
    expect(again.body.inviter_id).toBe((await admin.get<{ id: string }>('/api/auth/me')).body.id);
    expect((await showInvitation(service, lastToken(service, email))).body.inviter).toBe('Bob');
  });

  it.each<[string, (inviterId: string, roleId: string) => Promise<Answer<unknown>>]>([
    ['is no member any more', (id) => admin.delete(`/api/organization/${organization.id}/members/${id}`)],
    [
      'has lost the permission to invite',
      (id, role) => admin.patch(`/api/organization/${organization.id}/members/${id}`, { role_ids: [role] }),
    ],
    [
      'lacks a permission that a role has got',
      (_, role) => admin.patch(`/api/role/${role}`, { add: [{ permission_id: 'setting:read' }] }),
    ],
  ])('open nothing while the inviter %s', async (_, change) => {
    const { id, client } = await anyUserWith(service, admin);
    const inviting = await createRole(admin, `Inviting_${++made}`, 'invitation:*', 'group:read');
    const given = await createRole(admin, `Given_${++made}`, 'group:read');
    const member = { user_id: id, role_ids: [inviting.id] };
    expect((await admin.post(`/api/organization/${organization.id}/members`, member)).status).toBe(201);
    const email = newEmail();
    const token = await invited(service, client, organization, email, { role_ids: [given.id] });
    const user = await service.signUp(`guest_of_${++made}`, { email });
    expect((await change(id, given.id)).status).toBeLessThan(300);
    expectProblem(await showInvitation<Problem>(service, token), 404, 'not_found');
    expectProblem(await user.post<Problem>('/api/invitation/accept', { token }), 404, 'not_found');
    const body = { username: `new_of_${++made}`, password: PASSWORD, invitation_token: token };
    expectProblem(await service.client().post<Problem>('/api/auth/register', body), 404, 'not_found');
  });
});
