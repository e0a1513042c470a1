import { createUser } from '../support/accounts/admin-users';
import { expectProblem } from '../support/service/expect-problem';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import { lastCode, messagesTo } from '../support/receivers/inbox';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';
const NEW_PASSWORD = 'another horse battery staple';

describe('password reset by an administrator', () => {
  let service: TestService;
  let admin: TestClient;
  let helper: UserWithGrants;
  let names = 0;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
    helper = await userWith(service, admin, 'helper', 'user:admin');
  });

  const reset = (id: string, client = helper.client): Promise<Answer<Problem>> =>
    client.post<Problem>(`/api/user/${id}/password-reset`);

  const createdWith = (contacts: object): Promise<{ id: string; username: string }> =>
    createUser(admin, `forgetful_${names++}`, { password: PASSWORD, ...contacts });

  it('sends the code to the verified e-mail of the user, who sets the password with it', async () => {
    const email = 'both@example.com';
    const { id, username } = await createdWith({
      email,
      email_verified: true,
      phone: '+8613800138101',
      phone_verified: true,
    });
    expect(await reset(id)).toMatchObject({ status: 202, body: { expires_in: 600, resend_after: 60 } });
    await eventually(
      async () => messagesTo(service, email).length,
      (count) => count === 1,
    );
    expect(messagesTo(service, '+8613800138101')).toEqual([]);
    const code = lastCode(service, email);
    const body = { channel: 'email', target: email, code, new_password: NEW_PASSWORD };
    expect((await service.client().post('/api/auth/password/reset', body)).status).toBe(204);
    expect((await service.logIn(username, NEW_PASSWORD)).cookie).not.toBe('');
    const [event] = await service.query(
      `SELECT actor_name, target_id, after FROM audit_event WHERE action = 'password.request_reset' AND target_id = $1`,
      [id],
    );
    expect(event).toEqual({ actor_name: 'helper', target_id: id, after: { channel: 'email' } });
  });

  it('goes to the verified phone when the e-mail is unverified', async () => {
    const phone = '+8613800138102';
    const { id } = await createdWith({ email: 'claimed@example.com', phone, phone_verified: true });
    expect((await reset(id)).status).toBe(202);
    await eventually(
      async () => messagesTo(service, phone).length,
      (count) => count === 1,
    );
    expect(messagesTo(service, 'claimed@example.com')).toEqual([]);
  });

  it('is rejected when no contact is verified, and leaves no trace', async () => {
    const { id } = await createdWith({ email: 'unproved@example.com' });
    expectProblem(await reset(id), 409, 'no_verified_contact');
    expect(messagesTo(service, 'unproved@example.com')).toEqual([]);
    const events = await service.query(
      `SELECT 1 FROM audit_event WHERE action = 'password.request_reset' AND target_id = $1`,
      [id],
    );
    expect(events).toEqual([]);
  });

  it('respects the pause between two codes to one contact', async () => {
    const { id } = await createdWith({ email: 'pause@example.com', email_verified: true });
    expect((await reset(id)).status).toBe(202);
    const again = await reset(id);
    expectProblem(again, 429, 'code_resend_too_soon');
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('is rejected for a disabled user, for an unknown one and while codes are disabled', async () => {
    const { id } = await createdWith({ email: 'off@example.com', email_verified: true });
    await admin.patch(`/api/user/${id}`, { status: 'disabled' });
    expectProblem(await reset(id), 403, 'user_disabled');
    expectProblem(await reset(UNKNOWN), 404, 'not_found');
    await admin.patch(`/api/user/${id}`, { status: 'active' });
    await admin.put('/api/setting', { updates: [{ key: 'code.max_daily_count', value: 0 }] });
    expectProblem(await reset(id), 403, 'verification_disabled');
    await admin.put('/api/setting', { updates: [{ key: 'code.max_daily_count', value: null }] });
  });
});
