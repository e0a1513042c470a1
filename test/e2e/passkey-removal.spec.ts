import { randomUUID } from 'node:crypto';
import { freshCode, outcome, signUpEnrolled } from '../support/second-factors';
import type { Problem, TestClient } from '../support/test-client';
import { TestService } from '../support/test-service';

describe('the removal of a passkey', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });

  afterAll(() => service.stop());

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

  it('does not take the last way in', async () => {
    const { client, username, secret } = await signUpEnrolled(service, 'holds_passkeys');
    const code = await freshCode(service, secret);
    expect(outcome(await client.post<Problem>('/api/auth/reauthenticate', { method: 'totp', code }))).toBe('204');
    await service.query(`UPDATE user_account SET password_hash = NULL WHERE username = $1`, [username]);
    const [first, last] = [await addPasskey(username), await addPasskey(username)];
    expect(outcome(await client.delete<Problem>(`/api/auth/passkeys/${first}`))).toBe('204');
    for (const path of ['passkeys', 'mfa']) {
      expect(outcome(await client.delete<Problem>(`/api/auth/${path}/${last}`))).toBe('409 last_credential');
    }
    expect(await typesOf(client)).toEqual(['totp', 'passkey', 'recovery']);
  });
});
