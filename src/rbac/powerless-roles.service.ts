import { Injectable } from '@nestjs/common';
import { Environment } from '../platform/config';
import { Grant, grantOfPermission } from './permission';
import { rolePermissions } from './rbac.permissions';
import { RoleRepository } from './role.repository';

/**
 * Roles of the service without permissions. Applications may trust their names, which no cover protects: any administrator
 * of an organisation holds what they grant. Giving one there therefore needs what giving it outside does.
 */
@Injectable()
export class PowerlessRolesService {
  constructor(
    private readonly environment: Environment,
    private readonly roles: RoleRepository,
  ) {}

  /** What a user must hold everywhere to give such a role in an organisation. */
  get needed(): Grant {
    return grantOfPermission(rolePermissions.update, this.environment.serviceScope);
  }

  /** What a user must hold everywhere to give these roles in an organisation, beside what they grant. */
  async neededFor(roleIds: readonly string[]): Promise<Grant[]> {
    return (await this.roles.hasPowerless(roleIds)) ? [this.needed] : [];
  }
}
