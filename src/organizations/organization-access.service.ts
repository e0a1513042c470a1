import { Injectable } from '@nestjs/common';
import { OrganizationAccess } from '../platform/access';
import { isId, andThen, MaybePromise } from '../platform/util';
import { everythingIn, WILDCARD, PermissionsService } from '../rbac';

const EVERYTHING = [everythingIn(WILDCARD)];

/** Decides in which organisations a user may act, from memory that is at most a second old. */
@Injectable()
export class OrganizationAccessService extends OrganizationAccess {
  constructor(private readonly permissions: PermissionsService) {
    super();
  }

  isMember(userId: string, organizationId: string): MaybePromise<boolean> {
    if (!isId(organizationId)) return false;
    return andThen(this.permissions.inOrganization(userId, organizationId), ({ isMember }) => isMember);
  }

  /** Who has full authority everywhere is not limited: no organisation may shut out its service by adding its administrators. */
  acceptsLogin(userId: string, organizationId: string, method: string | undefined): MaybePromise<boolean> {
    if (!isId(organizationId)) return true;
    return andThen(this.permissions.inOrganization(userId, organizationId), ({ acceptedLogins }) => {
      const isAccepted = acceptedLogins === undefined || (method !== undefined && acceptedLogins.has(method));
      return isAccepted || this.holdsEverything(userId);
    });
  }

  /** Full authority must hold everywhere: what is held in the organisation only does not count. */
  isOpenTo(userId: string, organizationId: string): MaybePromise<boolean> {
    if (!isId(organizationId)) return false;
    return andThen(this.permissions.inOrganization(userId, organizationId), ({ isMember, exists }) => {
      if (isMember || !exists) return isMember;
      return this.holdsEverything(userId);
    });
  }

  private holdsEverything(userId: string): MaybePromise<boolean> {
    return andThen(this.permissions.of(userId), (held) => held.missing(EVERYTHING).length === 0);
  }
}
