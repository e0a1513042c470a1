import { Injectable } from '@nestjs/common';
import { ActingAuthority } from '../../platform/access';
import { Environment } from '../../platform/config';
import { CatalogueCache } from '../permission/catalogue.cache';
import { GrantRepository } from '../grants/grant.repository';
import { mergedGrants } from './merged-grants';
import { missingWithin } from './missing-within';
import { OrganizationGrantRepository } from '../grants/organization-grant.repository';
import { OwnedClientGrants } from '../grants/owned-client-grants';
import { GrantSet, parsePermissionCode } from '../permission';
import { actAsPermissions } from '../grants/rbac.permissions';
import { TrustedUsersService } from './trusted-users.service';

/** Reads what two users hold now, without the lock of a change: each use of an acting session is checked again. */
@Injectable()
export class ActingAuthorityService extends ActingAuthority {
  constructor(
    private readonly environment: Environment,
    private readonly grants: GrantRepository,
    private readonly organizationGrants: OrganizationGrantRepository,
    private readonly clients: OwnedClientGrants,
    private readonly catalogue: CatalogueCache,
    private readonly trusted: TrustedUsersService,
  ) {
    super();
  }

  async covers(actorId: string, userId: string): Promise<boolean> {
    const [own, held, ofClients] = await Promise.all([
      this.grants.ofUser(actorId),
      this.grants.ofUser(userId),
      this.clients.ofOwners([userId]),
    ]);
    const everywhere = new GrantSet(own);
    if (!(await this.mayAct(everywhere))) return false;
    if (everywhere.missing([...held, ...ofClients]).length > 0) return false;
    if (!(await this.coversWithin(actorId, userId, everywhere))) return false;
    return (
      everywhere.missing([this.trusted.needed]).length === 0 || !(await this.trusted.isBeyond({ actorId, userId }))
    );
  }

  private async mayAct(held: GrantSet): Promise<boolean> {
    const code = parsePermissionCode(actAsPermissions.execute, this.environment.serviceScope);
    return code !== undefined && held.allows(code, await this.catalogue.ranksFor(code));
  }

  private async coversWithin(actorId: string, userId: string, everywhere: GrantSet): Promise<boolean> {
    const [own, held, ofClients] = await Promise.all([
      this.organizationGrants.byOrganization([actorId]),
      this.organizationGrants.byOrganization([userId]),
      this.clients.byOrganization([userId]),
    ]);
    return missingWithin(mergedGrants(held, ofClients), everywhere, own).length === 0;
  }
}
