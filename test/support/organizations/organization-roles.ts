import { GrantInput, RoleAnswer } from '../accounts/holders';
import { OrganizationAnswer } from './organizations';
import { SendOptions, TestClient } from '../service/test-client';

export interface OrganizationRoleAnswer extends RoleAnswer {
  /** Absent from a role of the service. */
  readonly organization_id?: string;
  readonly mfa_required: boolean;
}

/** Creates a role of the organization. */
export async function createRoleOf(
  client: TestClient,
  { id }: Pick<OrganizationAnswer, 'id'>,
  name: string,
  permissions: readonly (GrantInput | string)[] = [],
  options: SendOptions = {},
): Promise<OrganizationRoleAnswer> {
  const body = {
    name,
    organization_id: id,
    permissions: permissions.map((grant) => (typeof grant === 'string' ? { permission_id: grant } : grant)),
  };
  const answer = await client.post<OrganizationRoleAnswer>('/api/role', body, options);
  if (answer.status !== 201) throw new Error(`Could not create the role ${name}: ${answer.text}`);
  return answer.body;
}
