import { PASSWORD, TestService } from '../service/test-service';
import type { TestClient } from '../service/test-client';

/** The members of `GET /api/auth/me` that tests read. */
export interface Account {
  readonly id: string;
  readonly username: string;
  readonly nickname: string;
  readonly avatar: string;
  readonly email: string | null;
  readonly email_verified: boolean;
  readonly phone: string | null;
  readonly phone_verified: boolean;
  readonly locale: string | null;
  readonly has_password: boolean;
  readonly updated_at: string;
}

/** Logs the user in with an old authentication time. Call it before the first request of the returned client. */
export async function logInLongAgo(service: TestService, username: string): Promise<TestClient> {
  const client = await service.logIn(username, PASSWORD);
  await service.query(
    `UPDATE session SET authenticated_at = now() - interval '1 hour'
     WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
    [username],
  );
  return client;
}

/** Marks the user's contacts as verified. */
export async function proveContacts(service: TestService, username: string): Promise<void> {
  await service.query(
    `UPDATE user_account SET email_verified = email IS NOT NULL, phone_verified = phone IS NOT NULL WHERE username = $1`,
    [username],
  );
}

/** The whole row of the user. */
export async function storedUser(service: TestService, username: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await service.query('SELECT * FROM user_account WHERE username = $1', [username]);
  return row;
}
