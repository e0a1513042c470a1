import { PASSWORD, TestService } from './test-service';
import type { TestClient } from './test-client';

/** The parts of a user's own view that tests look at. */
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

/** A new login of the user whose last proof of identity is long ago. To be asked for before the login's first request. */
export async function logInLongAgo(service: TestService, username: string): Promise<TestClient> {
  const client = await service.logIn(username, PASSWORD);
  await service.query(
    `UPDATE session SET authenticated_at = now() - interval '1 hour'
     WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
    [username],
  );
  return client;
}

/** Marks the user's contacts as proven. */
export async function proveContacts(service: TestService, username: string): Promise<void> {
  await service.query(
    `UPDATE user_account SET email_verified = email IS NOT NULL, phone_verified = phone IS NOT NULL WHERE username = $1`,
    [username],
  );
}

/** The stored user, whole. */
export async function storedUser(service: TestService, username: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await service.query('SELECT * FROM user_account WHERE username = $1', [username]);
  return row;
}
