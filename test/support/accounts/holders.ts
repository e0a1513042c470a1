import { TestClient } from '../service/test-client';
import { TestService } from '../service/test-service';

export interface GrantInput {
  readonly scope?: string;
  readonly permission_id: string;
  readonly level?: number;
}

export interface UserWithGrants {
  readonly id: string;
  readonly username: string;
  readonly client: TestClient;
}

/** Registers and logs in a user with these direct grants, beside those of the role `user`. */
export async function userWith(
  service: TestService,
  admin: TestClient,
  username: string,
  ...grants: (GrantInput | string)[]
): Promise<UserWithGrants> {
  const client = await service.signUp(username);
  const { body } = await client.get<{ id: string }>('/api/auth/me');
  const add = grants.map((grant) => (typeof grant === 'string' ? { permission_id: grant } : grant));
  if (add.length > 0) {
    const answer = await admin.patch(`/api/user/${body.id}/permissions`, { add });
    if (answer.status !== 200) throw new Error(`Could not give ${username} grants: ${answer.text}`);
  }
  return { id: body.id, username, client };
}

let made = 0;

/** A holder with a username that is unique in the test file. */
export const anyUserWith = (
  service: TestService,
  admin: TestClient,
  ...grants: (GrantInput | string)[]
): Promise<UserWithGrants> => userWith(service, admin, `person_${made++}`, ...grants);

export interface RoleAnswer {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly scope: string;
  readonly is_system: boolean;
  readonly permissions: { scope: string; permission_id: string; level: number }[];
  readonly user_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export async function createRole(
  client: TestClient,
  name: string,
  ...permissions: (GrantInput | string)[]
): Promise<RoleAnswer> {
  const answer = await client.post<RoleAnswer>('/api/role', {
    name,
    permissions: permissions.map((grant) => (typeof grant === 'string' ? { permission_id: grant } : grant)),
  });
  if (answer.status !== 201) throw new Error(`Could not create the role ${name}: ${answer.text}`);
  return answer.body;
}

export async function systemRole(client: TestClient, name: 'admin' | 'user'): Promise<RoleAnswer> {
  const { body } = await client.get<{ items: RoleAnswer[] }>(`/api/role?scope=iam&keyword=${name}&page_size=100`);
  const role = body.items.find((item) => item.name === name && item.is_system);
  if (!role) throw new Error(`No system role ${name}`);
  return role;
}
