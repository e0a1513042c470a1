import { Injectable } from '@nestjs/common';
import { OrganizationReachService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { PlaceAccessService } from './place-access.service';
import { rolePermissions } from '../grants/rbac.permissions';
import { Role } from '../grants/role.entity';
import { RoleRepository } from '../grants/role.repository';

/** Finds the roles that a request reaches. */
@Injectable()
export class RoleAccessService {
  constructor(
    private readonly roles: RoleRepository,
    private readonly reach: OrganizationReachService,
    private readonly places: PlaceAccessService,
  ) {}

  /** Throws `not_found`, also for a role out of reach. */
  async find(caller: Caller, permission: string, id: string): Promise<Role> {
    const role = await this.roles.findById(id);
    if (!role || !(await this.reach.reaches(caller, permission, role.organizationId))) throw platformErrors.notFound();
    return role;
  }

  /** A role whose users the caller may list. Throws `not_found` or `permission_denied`. */
  async findToListUsers(caller: Caller, id: string): Promise<Role> {
    const role = await this.find(caller, rolePermissions.read, id);
    await this.places.requireMemberReader(caller, role.organizationId);
    return role;
  }
}
