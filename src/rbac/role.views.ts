import { AuditTarget } from '../audit';
import { Grant } from './permission';
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

/** The audit target of a role. */
export function targetOf({ id, name }: Pick<Role, 'id' | 'name'>): AuditTarget {
  return { type: 'role', id, label: name };
}

/** A role in the audit log. */
export function auditedRole({ role, grants }: AssignedRole): object {
  return {
    name: role.name,
    description: role.description,
    scope: role.scope,
    ...(role.organizationId && { organization_id: role.organizationId }),
    mfa_required: role.mfaRequired,
    permissions: auditedGrants(grants),
  };
}

export function auditedGrants(grants: readonly Grant[]): object {
  return grants.map(({ scope, permissionId, level }) => ({ scope, permission_id: permissionId, level }));
}
