import { logInLongAgo } from '../support/accounts/accounts';
import { createUser } from '../support/accounts/admin-users';
import { expectProblem } from '../support/service/expect-problem';
import { createRole, userWith, systemRole } from '../support/accounts/holders';
import { outcome } from '../support/accounts/second-factors';
import type { Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const ALL = { scope: '*', permission_id: '*', level: 7 };

describe('administration of user contacts', () => {
  let service: TestService;
  let admin: TestClient;

  withService(async (started) => {
    service = started;
    admin = await service.admin();
  });

  it.each([
    ['an address with its verification', { email: 'thief@example.com', email_verified: true }],
    ['a number', { phone: '+8613800138009' }],
    ['the verification alone', { email_verified: true }],
  ])('needs a recent login for %s, which allows a password reset, but not for a name', async (what, change) => {
    const username = `led_to_by_${what.replaceAll(' ', '_')}`;
    const { id } = await createUser(admin, username, { email: `${username}@example.com` });
    const { username: stolen } = await userWith(service, admin, `holder_${id.slice(-12)}`, ALL);
    const stale = await logInLongAgo(service, stolen);
    expectProblem(await stale.patch<Problem>(`/api/user/${id}`, change), 401, 'reauthentication_required');
    expect(outcome(await stale.patch<Problem>(`/api/user/${id}`, { nickname: 'Somebody' }))).toBe('200');
    expect(outcome(await admin.patch<Problem>(`/api/user/${id}`, change))).toBe('200');
  });

  it('keeps contacts that the last administrator needs to log in', async () => {
    const { id: powers } = await createRole(admin, 'powers', ALL);
    const { id: admins } = await systemRole(admin, 'admin');
    const contacts = { email: 'by.mail@example.com', email_verified: true };
    const { id } = await createUser(admin, 'by_mail', { ...contacts, role_ids: [admins] });
    await createUser(admin, 'not_in_the_role', { password: PASSWORD, must_change_password: false, role_ids: [powers] });
    const other = await service.logIn('not_in_the_role');
    const { id: first } = (await admin.get<{ id: string }>('/api/auth/me')).body;
    expect((await other.delete(`/api/user/${first}/roles/${admins}`)).status).toBe(204);
    for (const change of [{ email: null }, { email_verified: false }, { email: 'elsewhere@example.com' }]) {
      expectProblem(await other.patch<Problem>(`/api/user/${id}`, change), 409, 'last_admin');
    }
    expect(outcome(await other.patch<Problem>(`/api/user/${id}`, { email: 'BY.mail@example.com' }))).toBe('200');
  });
});
