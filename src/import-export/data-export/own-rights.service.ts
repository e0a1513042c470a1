import { Injectable } from '@nestjs/common';
import { grantDto, PermissionsService, RoleViewsService, UserGroupCache } from '../../rbac';
import { OrganizationNamesService } from '../../organizations';

/** More than a user has, but a bound. */
const MAX_ROLES = 1_000;
const MAX_ORGANIZATIONS = 1_000;

/** Reads what a user belongs to and may do. */
@Injectable()
export class OwnRightsService {
  constructor(
    private readonly organizations: OrganizationNamesService,
    private readonly groups: UserGroupCache,
    private readonly roles: RoleViewsService,
    private readonly permissions: PermissionsService,
  ) {}

  async collect(userId: string): Promise<Readonly<Record<string, readonly object[]>>> {
    const roles = (await this.roles.ofUsers([userId], MAX_ROLES)).get(userId) ?? [];
    return {
      organizations: await this.organizations.membershipsOf(userId, MAX_ORGANIZATIONS),
      groups: (await this.groups.get(userId)).map(({ id, name }) => ({ id, name })),
      roles: roles.map(({ id, scope, name }) => ({ id, scope, name })),
      permissions: (await this.permissions.forPages(userId)).grants.map(grantDto),
    };
  }
}
