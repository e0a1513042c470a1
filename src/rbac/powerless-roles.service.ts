import { Injectable } from '@nestjs/common';
import { Environment } from '../platform/config';
import { SettingsService } from '../settings';
import { GrantRepository } from './grant.repository';
import { Grant, grantOfPermission, GrantSet } from './permission';
import { rolePermissions } from './rbac.permissions';
import { defaultRole } from './rbac.settings';
import { Role } from './role.entity';
import { RoleRepository } from './role.repository';

/**
 * Roles of the service that grant nothing beyond the default role of new users. Applications may trust their names, which no
 * cover protects: any administrator of an organisation holds what they grant. Giving one there therefore needs what giving
 * it outside does.
 */
@Injectable()
export class PowerlessRolesService {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsService,
    private readonly roles: RoleRepository,
    private readonly grants: GrantRepository,
  ) {}

  /** What a user must hold everywhere to give such a role in an organisation. */
  get needed(): Grant {
    return grantOfPermission(rolePermissions.update, this.environment.serviceScope);
  }

  /** What a user must hold everywhere to give these roles in an organisation, beside what they grant. */
  async neededFor(roleIds: readonly string[]): Promise<Grant[]> {
    if (roleIds.length === 0) return [];
    const roles = await this.roles.findWithin(null, roleIds);
    if (roles.length === 0) return [];
    const granted = await this.grants.byRole(roles.map(({ id }) => id));
    return (await this.among(roles, granted)).size > 0 ? [this.needed] : [];
  }

  /** The ids of those among the roles. */
  async among(
    roles: readonly Pick<Role, 'id' | 'organizationId'>[],
    granted: ReadonlyMap<string, readonly Grant[]>,
  ): Promise<ReadonlySet<string>> {
    const everyones = await this.grantsOfNewUsers();
    const found = roles.filter(
      ({ id, organizationId }) => organizationId === null && everyones.missing(granted.get(id) ?? []).length === 0,
    );
    return new Set(found.map(({ id }) => id));
  }

  private async grantsOfNewUsers(): Promise<GrantSet> {
    const name = await this.settings.get(defaultRole);
    const role = await this.roles.findByName(this.environment.serviceScope, name);
    return new GrantSet(role ? await this.grants.ofRoles([role.id]) : []);
  }
}
