import { Injectable } from '@nestjs/common';
import { OrganizationReachService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { OrganizationRepository } from '../organizations/organization.repository';
import { PermissionsService } from '../permissions.service';
import { Group } from './group.entities';
import { GroupRepository } from './group.repository';

/** Decides which groups a request reaches: those of the organisation that it names, others by a permission held everywhere. */
@Injectable()
export class GroupAccessService {
  constructor(
    private readonly groups: GroupRepository,
    private readonly organizations: OrganizationRepository,
    private readonly permissions: PermissionsService,
    private readonly reach: OrganizationReachService,
  ) {}

  /** Throws `not_found`, also for a group out of reach. */
  async find(caller: Caller, permission: string, id: string): Promise<Group> {
    const group = await this.groups.findById(id);
    const isOpen = group && (await this.reach.reaches(caller, permission, group.organizationId));
    if (!isOpen) throw platformErrors.notFound();
    return group;
  }

  /**
   * For the groups of an organisation as a whole, or with null for those of the service. Throws `not_found` for an unknown
   * organisation and for one out of reach, or `permission_denied` for the service.
   */
  async requireAll(caller: Caller, permission: string, organizationId: string | null): Promise<void> {
    const isOpen = await this.reach.reaches(caller, permission, organizationId);
    if (organizationId === null) {
      if (!isOpen) throw platformErrors.permissionDenied({ params: this.permissions.describe(permission) });
    } else if (!isOpen || !(await this.organizations.findById(organizationId))) throw platformErrors.notFound();
  }
}
