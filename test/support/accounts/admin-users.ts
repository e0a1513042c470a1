import type { TestClient } from '../service/test-client';

/** A user as the administration API returns it. */
export interface AdminUser {
  readonly id: string;
  readonly username: string;
  readonly nickname: string;
  readonly avatar: string;
  readonly email: string | null;
  readonly email_verified: boolean;
  readonly phone: string | null;
  readonly phone_verified: boolean;
  readonly locale: string | null;
  readonly status: 'active' | 'disabled';
  readonly has_password: boolean;
  readonly terms_version: string | null;
  readonly terms_accepted_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_login_at: string | null;
  readonly must_change_password: boolean;
  readonly locked_until: string | null;
}

/** Creates an account through the administration API. */
export async function createUser(admin: TestClient, username: string, more: object = {}): Promise<AdminUser> {
  const answer = await admin.post<AdminUser>('/api/user', { username, ...more });
  if (answer.status !== 201) throw new Error(`Could not create ${username}: ${answer.text}`);
  return answer.body;
}
