import { Injectable } from '@nestjs/common';
import { AuditTarget } from '../audit';
import { GrantRepository } from './grant.repository';
import { mergedGrants } from './organizations/merged-grants';
import { OrganizationGrantRepository } from './organizations/organization-grant.repository';
import { OwnedClientGrants } from './owned-client-grants';
import { Actor, PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';

/**
 * Requires that an actor holds everything that other users hold, including what their OAuth clients may request and what
 * the users hold in organisations.
 * Call every method in the transaction of the change, before its first write. Throws `escalation_denied`.
 */
@Injectable()
export class UserCoverService {
  constructor(
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly grants: GrantRepository,
    private readonly organizationGrants: OrganizationGrantRepository,
    private readonly clients: OwnedClientGrants,
  ) {}

  /** For a change of any part of the user. */
  async requireCoverOfUser(actor: Actor, userId: string): Promise<void> {
    await this.escalationGuard.lock();
    const held = [...(await this.grants.ofUser(userId)), ...(await this.ofClients(actor, [userId]))];
    const target = { type: 'user', id: userId };
    await this.escalationGuard.requireCover(actor, held, target);
    await this.requireCoverWithin(actor, [userId], target);
  }

  /** For a change of many users through `target`. */
  async requireCoverOfUsers(actor: Actor, userIds: readonly string[], target: AuditTarget): Promise<void> {
    await this.escalationGuard.lock();
    const held = [...(await this.grants.ofUsers(userIds)), ...(await this.ofClients(actor, userIds))];
    await this.escalationGuard.requireCover(actor, held, target);
    await this.requireCoverWithin(actor, userIds, target);
  }

  /** For a change of who holds the roles. */
  async requireCoverOfRoles(actor: Actor, roleIds: readonly string[], target?: AuditTarget): Promise<void> {
    await this.escalationGuard.requireCover(actor, await this.grants.ofRoles(roleIds), target);
  }

  private async requireCoverWithin(actor: Actor, userIds: readonly string[], target: AuditTarget): Promise<void> {
    const own = await this.organizationGrants.byOrganization(userIds);
    const held = mergedGrants(own, await this.clients.byOrganization(others(actor, userIds)));
    await this.escalationGuard.requireCoverWithin(actor, held, target);
  }

  private ofClients(actor: Actor, userIds: readonly string[]): ReturnType<OwnedClientGrants['ofOwners']> {
    return this.clients.ofOwners(others(actor, userIds));
  }
}

/** The actor's own clients are left out: for their own account, they give nothing new. */
const others = ({ userId }: Actor, userIds: readonly string[]): string[] => userIds.filter((id) => id !== userId);
