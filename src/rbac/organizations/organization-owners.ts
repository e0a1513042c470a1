import { Injectable } from '@nestjs/common';
import { OrganizationAccess, OwnershipRule } from '../../platform/access';
import { Caller } from '../../platform/context';

/** Members see their organisation without any permission. */
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
