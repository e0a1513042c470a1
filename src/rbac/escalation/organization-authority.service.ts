import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { UserRepository } from '../../users';
import { CatalogueCache } from '../permission/catalogue.cache';
import { GrantRepository } from '../grants/grant.repository';
import { GrantSet, parsePermissionCode } from '../permission';
import { RoleGivingService } from './role-giving.service';
import { OrganizationGrantRepository, OrganizationUser } from '../grants/organization-grant.repository';

/**
 * Judges again what a user may give in an organization, for an act that the user began and another one completes. Reads
 * the database. A refusal is no attempt of the user, so it is not audited as one.
 */
@Injectable()
export class OrganizationAuthorityService {
  constructor(
    private readonly environment: Environment,
    private readonly users: UserRepository,
    private readonly grants: GrantRepository,
    private readonly organizationGrants: OrganizationGrantRepository,
    private readonly catalogue: CatalogueCache,
    private readonly giving: RoleGivingService,
  ) {}

  /**
   * Whether the user is active, holds the permission, everywhere or there, and may give the roles there. It stays so until the end of a transaction that holds the grant lock.
   */
  async mayGive(giver: OrganizationUser, permission: string, roleIds: readonly string[]): Promise<boolean> {
    if ((await this.users.findById(giver.userId))?.status !== 'active') return false;
    const everywhere = await this.grants.ofUser(giver.userId);
    const held = new GrantSet([...everywhere, ...(await this.organizationGrants.ofMember(giver)).grants]);
    const code = parsePermissionCode(permission, this.environment.serviceScope);
    if (!code || !held.allows(code, await this.catalogue.ranksFor(code))) return false;
    const needs = [...(await this.giving.needs(roleIds)).values()];
    if (held.missing(needs.flatMap(({ granted }) => granted)).length > 0) return false;
    return new GrantSet(everywhere).missing(needs.flatMap((role) => role.everywhere)).length === 0;
  }
}
