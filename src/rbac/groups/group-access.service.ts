import { Injectable } from '@nestjs/common';
import { OrganizationReachService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { Group } from './group.entities';
import { GroupRepository } from './group.repository';

/** Finds the groups that a request reaches. */
@Injectable()
export class GroupAccessService {
  constructor(
    private readonly groups: GroupRepository,
    private readonly reach: OrganizationReachService,
  ) {}

  /** Throws `not_found`, also for a group out of reach. */
  async find(caller: Caller, permission: string, id: string): Promise<Group> {
    const group = await this.groups.findById(id);
    if (!group || !(await this.reach.reaches(caller, permission, group.organizationId))) {
      throw platformErrors.notFound();
    }
    return group;
  }
}
