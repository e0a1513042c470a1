import { UserWithGrants } from '../accounts/holders';
import { TestClient } from '../service/test-client';

export interface OrganizationAnswer {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly logo: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly mfa_required: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface OrganizationMemberAnswer {
  readonly id: string;
  readonly username: string;
  readonly role_ids: string[];
  readonly joined_at: string;
}

export async function createOrganization(
  client: TestClient,
  slug: string,
  more: object = {},
): Promise<OrganizationAnswer> {
  const answer = await client.post<OrganizationAnswer>('/api/organization', { slug, name: slug, ...more });
  if (answer.status !== 201) throw new Error(`Could not create the organization ${slug}: ${answer.text}`);
  return answer.body;
}

export async function addMember(
  client: TestClient,
  organization: Pick<OrganizationAnswer, 'id'>,
  { id }: Pick<UserWithGrants, 'id'>,
  ...roles: { readonly id: string }[]
): Promise<void> {
  const body = { user_id: id, role_ids: roles.map((role) => role.id) };
  const answer = await client.post(`/api/organization/${organization.id}/members`, body);
  if (answer.status !== 201) throw new Error(`Could not add a member: ${answer.text}`);
}

/** Names the organization of a request. */
export const within = ({ id }: Pick<OrganizationAnswer, 'id'>): { headers: Record<string, string> } => ({
  headers: { 'x-organization-id': id },
});
