import { Injectable } from '@nestjs/common';
import { OrganizationReachService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { PermissionsService } from '../grants/permissions.service';
import { OrganizationRepository } from '../grants/organization.repository';
import { organizationMemberPermissions } from '../grants/organizations.permissions';

/** Guards what belongs to an organization or to the service as a whole: lists, and what is to be created there. */
@Injectable()
export class PlaceAccessService {
  constructor(
    private readonly organizations: OrganizationRepository,
    private readonly permissions: PermissionsService,
    private readonly reach: OrganizationReachService,
  ) {}

  /**
   * @param organizationId null: the service
   * Throws `not_found` for an unknown organization and for one out of reach, or `permission_denied` for the service.
   */
  async requireAll(caller: Pick<Caller, 'userId'>, permission: string, organizationId: string | null): Promise<void> {
    const isReached = await this.reach.reaches(caller, permission, organizationId);
    if (organizationId === null) {
      if (!isReached) throw platformErrors.permissionDenied({ params: this.permissions.describe(permission) });
    } else if (!isReached || !(await this.organizations.findById(organizationId))) throw platformErrors.notFound();
  }

  /**
   * For lists of members of an organization who share something. Lists of the service need no such permission. Throws
   * `permission_denied`.
   * @param organizationId null: a list of the service
   */
  async requireMemberReader(caller: Pick<Caller, 'userId'>, organizationId: string | null): Promise<void> {
    const { read } = organizationMemberPermissions;
    if (organizationId === null || (await this.reach.reaches(caller, read, organizationId))) return;
    throw platformErrors.permissionDenied({ params: this.permissions.describe(read) });
  }
}
