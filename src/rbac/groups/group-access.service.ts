import { Injectable } from '@nestjs/common';
import { Caller, currentRequest } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { MaybePromise } from '../../platform/maybe-promise';
import { OrganizationRepository } from '../organizations/organization.repository';
import { PermissionsService } from '../permissions.service';
import { Group } from './group.entities';
import { GroupRepository } from './group.repository';

/**
 * Decides which groups a request reaches: those of the organisation that it names, or without one those of the service.
 * The access guard has checked the permission there. All others need the permission everywhere.
 */
@Injectable()
export class GroupAccessService {
  constructor(
    private readonly groups: GroupRepository,
    private readonly organizations: OrganizationRepository,
    private readonly permissions: PermissionsService,
  ) {}

  /** Throws `not_found`, also for a group out of reach. */
  async find(caller: Caller, permission: string, id: string): Promise<Group> {
    const group = await this.groups.findById(id);
    if (!group || !(await this.isOpen(caller, permission, group.organizationId))) throw platformErrors.notFound();
    return group;
  }

  /**
   * For the groups of an organisation as a whole, or with null for those of the service. Throws `not_found` for an unknown
   * organisation and for one out of reach, or `permission_denied` for the service.
   */
  async requireAll(caller: Caller, permission: string, organizationId: string | null): Promise<void> {
    const isOpen = await this.isOpen(caller, permission, organizationId);
    if (organizationId === null) {
      if (!isOpen) throw platformErrors.permissionDenied({ params: this.permissions.describe(permission) });
    } else if (!isOpen || !(await this.organizations.findById(organizationId))) throw platformErrors.notFound();
  }

  private isOpen(
    { userId }: Pick<Caller, 'userId'>,
    permission: string,
    organizationId: string | null,
  ): MaybePromise<boolean> {
    const request = currentRequest();
    if (request && organizationId === (request.organizationId ?? null)) return true;
    return this.permissions.isGranted(userId, permission);
  }
}
