import { AuditTarget } from '../../audit';
import { Grant } from '../permission';
import type { GrantState, RoleState } from './role.acts';
import { Role } from './role.entity';

/** A role with its grants. */
export interface AssignedRole {
  readonly role: Role;
  readonly grants: readonly Grant[];
}

export interface RoleView extends AssignedRole {
  /** Exact up to 10,000, then an estimate. */
  readonly userCount: number;
}

export type NamedRole = Pick<Role, 'id' | 'name'> & Partial<Pick<Role, 'organizationId'>>;

/** The audit target of a role. */
export const targetOf = ({ id, name, organizationId }: NamedRole): AuditTarget => ({
  type: 'role',
  id,
  label: name,
  ...(organizationId && { organizationId }),
});

/** A role in the audit log. */
export function auditedRole({ role, grants }: AssignedRole): RoleState {
  return {
    name: role.name,
    description: role.description,
    scope: role.scope,
    ...(role.organizationId && { organization_id: role.organizationId }),
    mfa_required: role.mfaRequired,
    permissions: auditedGrants(grants),
  };
}

export function auditedGrants(grants: readonly Grant[]): readonly GrantState[] {
  return grants.map(({ scope, permissionId, level }) => ({ scope, permission_id: permissionId, level }));
}
