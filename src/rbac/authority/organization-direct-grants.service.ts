import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Caller } from '../../platform/context';
import { FieldProblem, platformErrors } from '../../platform/errors';
import { User, userTarget } from '../../users';
import { changeGrants, isSameGrants } from '../permission/change-grants';
import { ChangeUserGrantsDto } from './dto/user-grants.dto';
import { DirectGrant } from '../permission/effective-grants';
import { Grant, mergeGrants } from '../permission';
import { GrantChange, GrantChanges } from '../permission/permission-inputs.service';
import { PrivilegeEscalationGuardService } from '../escalation/privilege-escalation-guard.service';
import { auditedGrants } from '../grants/role.views';
import { OrganizationGrantRepository } from '../grants/organization-grant.repository';
import { OrganizationMemberRepository } from '../grants/organization-member.repository';
import { GrantsOfUser, permissionActs } from '../grants/role.acts';

/** Changes the direct grants of a user that hold in one organization only. */
@Injectable()
export class OrganizationDirectGrantsService {
  constructor(
    private readonly grants: OrganizationGrantRepository,
    private readonly members: OrganizationMemberRepository,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly audit: AuditService,
  ) {}

  /** In all organizations of the user, sorted by organization, scope and permission. */
  async list(userId: string): Promise<DirectGrant[]> {
    const grants = await this.grants.direct(userId);
    return [...grants].flatMap(([organizationId, held]) =>
      mergeGrants(held).map((grant) => ({ ...grant, organizationId })),
    );
  }

  /** Throws `validation_failed` with the organizations that the user is not a member of. */
  async requireMember(userId: string, body: ChangeUserGrantsDto): Promise<void> {
    const named = placesOf(body);
    if (named.length === 0) return;
    const ids = named.map(({ organizationId }) => organizationId);
    const joined = await this.members.organizationsAmong(userId, ids);
    const fields = named.flatMap(({ field, organizationId }): FieldProblem[] =>
      joined.has(organizationId) ? [] : [{ field, code: 'not_a_member' }],
    );
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
  }

  /**
   * Call in the transaction of the change, after the checks that concern the user. Returns whether anything changed. Throws
   * `escalation_denied`.
   */
  async change(caller: Caller, user: User, changes: GrantChanges): Promise<boolean> {
    await this.escalationGuard.lock();
    const target = userTarget(user);
    const before = await this.grants.direct(user.id);
    const after = new Map([...changes].flatMap(([id, change]) => (id === null ? [] : [afterOf(id, before, change)])));
    await this.escalationGuard.requireCoverWithin(caller, after, target);
    const changed = [...after].filter(([id, grants]) => !isSameGrants(before.get(id) ?? [], grants));
    if (changed.length === 0) return false;
    await this.grants.replaceDirect(user.id, new Map(changed));
    await this.audit.recordAll(
      changed.map(([organizationId, grants]) =>
        permissionActs.changeOfUser({
          target,
          organizationId,
          before: stateOf(organizationId, before.get(organizationId) ?? []),
          after: stateOf(organizationId, grants),
        }),
      ),
    );
    return true;
  }
}

const afterOf = (id: string, before: ReadonlyMap<string, Grant[]>, change: GrantChange): [string, Grant[]] => [
  id,
  changeGrants(before.get(id) ?? [], change),
];

const stateOf = (organizationId: string, grants: readonly Grant[]): GrantsOfUser => ({
  organization_id: organizationId,
  permissions: auditedGrants(mergeGrants(grants)),
});

/** The organizations that a body names, each with its field. */
function placesOf({ add = [], remove_organization_id: from }: ChangeUserGrantsDto): {
  field: string;
  organizationId: string;
}[] {
  const added = add.flatMap(({ organization_id: organizationId }, index) =>
    organizationId === undefined ? [] : [{ field: `add[${index}].organization_id`, organizationId }],
  );
  return from === undefined ? added : [...added, { field: 'remove_organization_id', organizationId: from }];
}
