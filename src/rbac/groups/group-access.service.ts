import { Injectable } from '@nestjs/common';
import { OrganizationReachService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { PlaceAccessService } from '../escalation/place-access.service';
import { Group } from '../grants/group.entities';
import { GroupRepository } from '../grants/group.repository';
import { groupPermissions } from './groups.permissions';

/** Finds the groups that a request reaches. */
@Injectable()
export class GroupAccessService {
  constructor(
    private readonly groups: GroupRepository,
    private readonly reach: OrganizationReachService,
    private readonly places: PlaceAccessService,
  ) {}

  /** Throws `not_found`, also for a group out of reach. */
  async find(caller: Caller, permission: string, id: string): Promise<Group> {
    const group = await this.groups.findById(id);
    if (!group || !(await this.reach.reaches(caller, permission, group.organizationId))) {
      throw platformErrors.notFound();
    }
    return group;
  }

  /** A group whose members the caller may list. Throws `not_found` or `permission_denied`. */
  async findToListMembers(caller: Caller, id: string): Promise<Group> {
    const group = await this.find(caller, groupPermissions.read, id);
    await this.places.requireMemberReader(caller, group.organizationId);
    return group;
  }
}
