import { Injectable } from '@nestjs/common';
import { OrganizationAccess, OwnershipRule, PermissionChecker } from '../platform/access';
import { Caller } from '../platform/context';
import { isId } from '../platform/util';
import { ROLE_GIVING_PERMISSIONS } from '../rbac';

/** Members see their organization without any permission. */
@Injectable()
export class MemberRule extends OwnershipRule {
  constructor(private readonly organizations: OrganizationAccess) {
    super();
  }

  async isOwner({ userId }: Caller, params: Readonly<Record<string, string>>): Promise<boolean> {
    return this.organizations.isMember(userId, params['id'] ?? '');
  }
}

/** Members see their membership without any permission. */
@Injectable()
export class OwnMembershipRule extends OwnershipRule {
  constructor(private readonly organizations: OrganizationAccess) {
    super();
  }

  async isOwner({ userId }: Caller, params: Readonly<Record<string, string>>): Promise<boolean> {
    return params['user_id'] === userId && this.organizations.isMember(userId, params['id'] ?? '');
  }
}

/** Users who may give roles to someone or something of the organization. */
@Injectable()
export class RoleGiverRule extends OwnershipRule {
  constructor(private readonly permissions: PermissionChecker) {
    super();
  }

  async isOwner({ userId }: Caller, params: Readonly<Record<string, string>>): Promise<boolean> {
    const organizationId = params['id'];
    if (!isId(organizationId)) return false;
    for (const permission of ROLE_GIVING_PERMISSIONS) {
      if (await this.permissions.isGranted(userId, permission, organizationId)) return true;
    }
    return false;
  }
}
