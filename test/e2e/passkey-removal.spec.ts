import { randomUUID } from 'node:crypto';
import { createUser } from '../support/accounts/admin-users';
import { expectProblem } from '../support/service/expect-problem';
import { createRole, systemRole } from '../support/accounts/holders';
import { freshCode, outcome, signUpEnrolled } from '../support/accounts/second-factors';
import type { Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('passkey removal', () => {
  let service: TestService;

  withService((started) => {
    service = started;
  });

  const addPasskey = async (username: string): Promise<string> => {
    const id = randomUUID();
    await service.query(
      `INSERT INTO mfa_passkey (id, user_id, credential_id, rp_id, public_key, counter, transports, is_device_bound,
         is_backed_up, name, aaguid)
       SELECT $1::uuid, id, $2, 'localhost', 'key', 0, '[]', false, false, 'Key', $1::uuid FROM user_account
       WHERE username = $3`,
      [id, id, username],
    );
    return id;
  };
  const typesOf = async (client: TestClient): Promise<string[]> => {
    const { body } = await client.get<{ items: { type: string }[] }>('/api/auth/mfa');
    return body.items.map(({ type }) => type);
  };

  it('is rejected for the last credential', async () => {
    const { client, username, secret } = await signUpEnrolled(service, 'holds_passkeys');
    const code = await freshCode(service, secret);
    expect(outcome(await client.post<Problem>('/api/auth/reauthenticate', { method: 'totp', code }))).toBe('204');
    await service.query(`UPDATE user_account SET password_hash = NULL WHERE username = $1`, [username]);
    const [first, last] = [await addPasskey(username), await addPasskey(username)];
    expect(outcome(await client.delete<Problem>(`/api/auth/passkeys/${first}`))).toBe('204');
    for (const path of ['passkeys', 'mfa']) {
      expectProblem(await client.delete<Problem>(`/api/auth/${path}/${last}`), 409, 'last_credential');
    }
    expect(await typesOf(client)).toEqual(['totp', 'passkey', 'recovery']);
  });

  it('is audited as that of a passkey, by either route', async () => {
    const { client, username, secret } = await signUpEnrolled(service, 'removes_passkeys');
    const code = await freshCode(service, secret);
    expect(outcome(await client.post<Problem>('/api/auth/reauthenticate', { method: 'totp', code }))).toBe('204');
    const ids = [await addPasskey(username), await addPasskey(username)];
    expect(outcome(await client.delete<Problem>(`/api/auth/passkeys/${ids[0]}`))).toBe('204');
    expect(outcome(await client.delete<Problem>(`/api/auth/mfa/${ids[1]}`))).toBe('204');
    const events = await service.query<{ before: unknown }>(
      `SELECT before FROM audit_event WHERE action = 'factor.delete' AND target_label = $1 ORDER BY id`,
      [username],
    );
    expect(events.map(({ before }) => before)).toEqual(ids.map((id) => ({ type: 'passkey', id })));
  });

  it('by an administrator is rejected for the last one who holds the role admin', async () => {
    const admin = await service.admin();
    const { id: powers } = await createRole(admin, 'powers', { scope: '*', permission_id: '*', level: 7 });
    const { id: admins } = await systemRole(admin, 'admin');
    const { id } = await createUser(admin, 'by_passkey', { role_ids: [admins] });
    const passkey = await addPasskey('by_passkey');
    await createUser(admin, 'not_in_the_role', { password: PASSWORD, must_change_password: false, role_ids: [powers] });
    const other = await service.logIn('not_in_the_role');
    const { id: first } = (await admin.get<{ id: string }>('/api/auth/me')).body;
    expect((await other.delete(`/api/user/${first}/roles/${admins}`)).status).toBe(204);
    const reset = async (): Promise<string> => outcome(await other.delete<Problem>(`/api/user/${id}/mfa`));
    expect(await reset()).toBe('409 last_admin');
    expect(await service.query('SELECT id FROM mfa_passkey WHERE user_id = $1', [id])).toEqual([{ id: passkey }]);
    await other.put(`/api/user/${id}/password`, { new_password: PASSWORD });
    expect(await reset()).toBe('204');
  });
});
