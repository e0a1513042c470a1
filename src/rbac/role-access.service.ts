import { Injectable } from '@nestjs/common';
import { OrganizationReachService } from '../platform/access';
import { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';

/** Finds the roles that a request reaches. */
@Injectable()
export class RoleAccessService {
  constructor(
    private readonly roles: RoleRepository,
    private readonly reach: OrganizationReachService,
  ) {}

  /** Throws `not_found`, also for a role out of reach. */
  async find(caller: Caller, permission: string, id: string): Promise<Role> {
    const role = await this.roles.findById(id);
    if (!role || !(await this.reach.reaches(caller, permission, role.organizationId))) throw platformErrors.notFound();
    return role;
  }
}
