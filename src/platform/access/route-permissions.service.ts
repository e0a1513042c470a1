import { Injectable } from '@nestjs/common';
import { Caller, contextOf } from '../context';
import { platformErrors } from '../errors';
import { andThen, MaybePromise } from '../util';
import { ORGANIZATION_HEADER } from './policy';
import { OrganizationAccess, PermissionChecker } from './access.ports';

interface OrganizationRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Checks the permissions of a route, within the organization that the request names. */
@Injectable()
export class RoutePermissionsService {
  constructor(
    private readonly permissions: PermissionChecker,
    private readonly organizations: OrganizationAccess,
  ) {}

  /**
   * Notes the organization of the header in the request's context. A client that acts for itself is no member of any.
   * Throws `not_found` for one that the caller may not name.
   */
  enter(request: object, caller?: Caller): MaybePromise<void> {
    const named = (request as OrganizationRequest).headers[ORGANIZATION_HEADER];
    if (named === undefined) return;
    const organizationId = String(named);
    return andThen(caller ? this.organizations.isOpenTo(caller.userId, organizationId) : false, (isOpen) => {
      if (!isOpen) throw platformErrors.notFound();
      contextOf(request).organizationId = organizationId;
    });
  }

  /** Checks them one after the other. Throws `permission_denied` for the first that is not granted. */
  require(wanted: readonly string[], userId: string, organizationId?: string, index = 0): MaybePromise<void> {
    const permission = wanted[index];
    if (permission === undefined) return;
    return andThen(this.permissions.isGranted(userId, permission, organizationId), (isGranted) => {
      if (!isGranted) throw platformErrors.permissionDenied({ params: this.permissions.describe(permission) });
      return this.require(wanted, userId, organizationId, index + 1);
    });
  }

  /**
   * Same as `require`, within the organization that the route's parameter names, which is then noted in the request's context.
   * For others than members it throws `not_found` unless they hold the permissions everywhere, so that they do not learn
   * which organizations exist.
   */
  requireWithin(
    organizationId: string,
    wanted: readonly string[],
    userId: string,
    request: object,
  ): MaybePromise<void> {
    const isMember = this.organizations.isMember(userId, organizationId);
    const passes = andThen(isMember, (isOne) =>
      isOne ? this.require(wanted, userId, organizationId) : this.requireEverywhere(wanted, userId),
    );
    return andThen(passes, () => {
      contextOf(request).organizationId = organizationId;
    });
  }

  private requireEverywhere(wanted: readonly string[], userId: string): MaybePromise<void> {
    return andThen(this.holdsAll(wanted, userId), (holdsAll) => {
      if (!holdsAll) throw platformErrors.notFound();
    });
  }

  private holdsAll(wanted: readonly string[], userId: string, index = 0): MaybePromise<boolean> {
    const permission = wanted[index];
    if (permission === undefined) return true;
    return andThen(this.permissions.isGranted(userId, permission), (isGranted) =>
      isGranted ? this.holdsAll(wanted, userId, index + 1) : false,
    );
  }
}
