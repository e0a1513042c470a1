import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditService } from '../../audit';
import { OrganizationReachService } from '../../platform/access';
import { Caller } from '../../platform/context';
import { DomainEvents } from '../../platform/jobs/events';
import { userDeleting, usersDisabled } from '../../users';
import { membershipActs } from '../grants/membership.acts';
import { OrganizationRepository } from '../grants/organization.repository';
import { organizationTarget } from '../grants/organization.views';
import { organizationMemberPermissions } from '../grants/organizations.permissions';
import { rbacErrors } from '../grants/rbac.errors';
import { OrganizationHolderRepository } from './organization-holder.repository';
import { PrivilegeEscalationGuardService } from './privilege-escalation-guard.service';

/** Keeps an active member in each organization who holds everything there. */
@Injectable()
export class OrganizationHoldersService implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly reach: OrganizationReachService,
    private readonly organizations: OrganizationRepository,
    private readonly holders: OrganizationHolderRepository,
    private readonly audit: AuditService,
  ) {}

  /** Users can be disabled and deleted whatever they hold. */
  onModuleInit(): void {
    this.events.on(usersDisabled, ({ userIds }) => this.recordLost(userIds));
    this.events.on(userDeleting, ({ userId }) => this.recordLost([userId]));
  }

  /** Runs a change of the transaction. Throws `last_admin` if the organization had an active member who holds everything, and has none afterwards. */
  async keep<T>(organizationId: string, change: () => Promise<T>): Promise<T> {
    await this.escalationGuard.lock();
    const wasAdministered = await this.isAdministered(organizationId);
    const result = await change();
    if (wasAdministered && !(await this.isAdministered(organizationId))) throw rbacErrors.lastAdmin();
    return result;
  }

  /**
   * Same as `keep`, unless the caller may change the members of every organization, and so can appoint another one.
   * @param organizationId null: nothing of an organization is changed
   */
  async keepFor<T>(
    caller: Pick<Caller, 'userId'>,
    organizationId: string | null,
    change: () => Promise<T>,
  ): Promise<T> {
    if (organizationId === null || (await this.reach.reaches(caller, organizationMemberPermissions.update, null))) {
      return change();
    }
    return this.keep(organizationId, change);
  }

  private async isAdministered(organizationId: string): Promise<boolean> {
    return (await this.holders.beside([organizationId], [])).some((holding) => holding.isAdministered);
  }

  private async recordLost(userIds: readonly string[]): Promise<void> {
    const holdings = await this.holders.inOrganizationsOf(userIds);
    const lost = holdings.filter(({ isTheirs, isAdministered }) => isTheirs && !isAdministered);
    if (lost.length === 0) return;
    const organizations = await this.organizations.findByIds(lost.map(({ id }) => id));
    await this.audit.recordAll(
      organizations.map((organization) =>
        membershipActs.loseAdministrator({ target: organizationTarget(organization), after: { user_ids: userIds } }),
      ),
    );
  }
}
