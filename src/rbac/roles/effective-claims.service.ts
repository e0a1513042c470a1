import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { UserGroupCache } from '../grants/user-group.cache';
import { EffectivePermissionsService } from './effective-permissions.service';
import { permissionIdOf } from '../permission';
import { PermissionsService } from '../grants/permissions.service';
import { qualifiedName } from '../grants/qualified-name';
import { UserRoleCache } from '../grants/user-role.cache';

/** What a user holds, by the names that other systems see, from caches that are at most a second old. */
@Injectable()
export class EffectiveClaimsService {
  constructor(
    private readonly environment: Environment,
    private readonly heldRoles: UserRoleCache,
    private readonly heldGroups: UserGroupCache,
    private readonly heldPermissions: EffectivePermissionsService,
    private readonly grants: PermissionsService,
  ) {}

  /** Reads what the user holds from the database, so that the next names include every change committed before. */
  async reload(userId: string): Promise<void> {
    await Promise.all([this.heldRoles.reload(userId), this.heldGroups.reload(userId), this.grants.reload(userId)]);
  }

  async roles(userId: string): Promise<string[]> {
    return (await this.heldRoles.get(userId)).map(({ scope, name }) => this.qualified(scope, name));
  }

  /** Names of groups are unique, so they need no path. */
  async groups(userId: string): Promise<string[]> {
    return (await this.heldGroups.get(userId)).map(({ name }) => name);
  }

  async permissions(userId: string): Promise<string[]> {
    const codes = await this.heldPermissions.codesOf(userId);
    return codes.map((code) => this.qualified(code.scope, permissionIdOf(code)));
  }

  private qualified(scope: string, name: string): string {
    return qualifiedName(scope, name, this.environment.serviceScope);
  }
}
