import { Injectable } from '@nestjs/common';
import { AuditTarget } from '../../audit';
import { GrantRepository } from '../grants/grant.repository';
import { mergedGrants } from './merged-grants';
import { OrganizationGrantRepository } from '../grants/organization-grant.repository';
import { OwnedClientGrants } from '../grants/owned-client-grants';
import { Actor, PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';
import { TrustedUsersService } from './trusted-users.service';

/**
 * Requires that an actor holds everything that other users hold, including what their OAuth clients may request, what the
 * users hold in organizations, and of a single user what applications give the user by name.
 * Call every method in the transaction of the change, before its first write. Throws `escalation_denied`.
 */
@Injectable()
export class UserCoverService {
  constructor(
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly grants: GrantRepository,
    private readonly organizationGrants: OrganizationGrantRepository,
    private readonly clients: OwnedClientGrants,
    private readonly trusted: TrustedUsersService,
  ) {}

  /** For a change of any part of the user, through which the actor could become the user. */
  async requireCoverOfUser(actor: Actor, userId: string): Promise<void> {
    await this.escalationGuard.lock();
    const held = [...(await this.grants.ofUser(userId)), ...(await this.ofClients(actor, [userId]))];
    const target = { type: 'user', id: userId };
    await this.escalationGuard.requireCover(actor, held, target);
    await this.requireCoverWithin(actor, [userId], target);
    await this.requireTrust(actor, userId, target);
  }

  /** For a change of many users through `target`. */
  async requireCoverOfUsers(actor: Actor, userIds: readonly string[], target: AuditTarget): Promise<void> {
    await this.escalationGuard.lock();
    const held = [...(await this.grants.ofUsers(userIds)), ...(await this.ofClients(actor, userIds))];
    await this.escalationGuard.requireCover(actor, held, target);
    await this.requireCoverWithin(actor, userIds, target);
  }

  private async requireTrust(actor: Actor, userId: string, target: AuditTarget): Promise<void> {
    const needed = [this.trusted.needed];
    if (await this.escalationGuard.holds(actor, needed)) return;
    if (await this.trusted.isBeyond({ actorId: actor.userId, userId })) {
      await this.escalationGuard.requireCover(actor, needed, target);
    }
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
