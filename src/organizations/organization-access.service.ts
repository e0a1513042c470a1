import { Injectable } from '@nestjs/common';
import { OrganizationAccess } from '../platform/access';
import { isId, andThen, MaybePromise } from '../platform/util';
import { acceptsMethod, everythingIn, WILDCARD, PermissionsService } from '../rbac';

const EVERYTHING = [everythingIn(WILDCARD)];

/** Decides in which organizations a user may act, from memory that is at most a second old. */
@Injectable()
export class OrganizationAccessService extends OrganizationAccess {
  constructor(private readonly permissions: PermissionsService) {
    super();
  }

  isMember(userId: string, organizationId: string): MaybePromise<boolean> {
    if (!isId(organizationId)) return false;
    return andThen(this.permissions.inOrganization(userId, organizationId), ({ isMember }) => isMember);
  }

  acceptsLogin(userId: string, organizationId: string, method: string | undefined): MaybePromise<boolean> {
    if (!isId(organizationId)) return true;
    return andThen(this.permissions.inOrganization(userId, organizationId), ({ acceptedLogins }) =>
      this.allAccept([acceptedLogins], userId, method),
    );
  }

  /**
   * Whether each of these lists of accepted methods, of organizations of the user, has the method. Who has full authority
   * everywhere is not limited: no organization may shut out its service by adding its administrators.
   */
  allAccept(
    lists: readonly (ReadonlySet<string> | undefined)[],
    userId: string,
    method: string | undefined,
  ): MaybePromise<boolean> {
    return lists.every((accepted) => acceptsMethod(accepted, method)) || this.holdsEverything(userId);
  }

  /** Full authority must hold everywhere: what is held in the organization only does not count. */
  isOpenTo(userId: string, organizationId: string): MaybePromise<boolean> {
    if (!isId(organizationId)) return false;
    return andThen(this.permissions.inOrganization(userId, organizationId), ({ isMember, exists }) => {
      if (isMember || !exists) return isMember;
      return this.holdsEverything(userId);
    });
  }

  private holdsEverything(userId: string): MaybePromise<boolean> {
    return andThen(this.permissions.findGrants(userId), (held) => held.missing(EVERYTHING).length === 0);
  }
}
