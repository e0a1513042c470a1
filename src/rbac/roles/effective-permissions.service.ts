import { Injectable } from '@nestjs/common';
import { declaredPermissions } from '../../platform/access';
import { Environment } from '../../platform/config';
import { compareCodeUnits } from '../../platform/util';
import { CatalogueCache } from '../permission/catalogue.cache';
import { formatPermissionCode, GrantSet, parsePermissionCode, PermissionCode, permissionIdOf } from '../permission';
import { PermissionsService } from '../grants/permissions.service';

/** Lists what a user may do, for readers that know codes but no levels. */
@Injectable()
export class EffectivePermissionsService {
  constructor(
    private readonly environment: Environment,
    private readonly permissions: PermissionsService,
    private readonly catalogue: CatalogueCache,
  ) {}

  /**
   * The permissions of the catalogue and of the user's grants that a check allows, sorted by scope, then permission. A
   * wildcard is listed only if the grant reaches its level, because its code does not show that it is limited.
   */
  async codesOf(userId: string): Promise<PermissionCode[]> {
    const held = await this.permissions.findGrants(userId);
    const codes = await this.candidates(held);
    const ranks = await this.catalogue.ranksFor(...codes);
    return codes
      .filter((code) => held.allows(code, ranks))
      .sort(
        (one, other) =>
          compareCodeUnits(one.scope, other.scope) || compareCodeUnits(permissionIdOf(one), permissionIdOf(other)),
      );
  }

  private async candidates(held: GrantSet): Promise<PermissionCode[]> {
    const { serviceScope } = this.environment;
    const declared = declaredPermissions().flatMap((id) => parsePermissionCode(id, serviceScope) ?? []);
    const codes = [...declared, ...(await this.catalogue.codes()), ...held.toList()];
    return [...new Map(codes.map((code) => [formatPermissionCode(code), code])).values()];
  }
}
