import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { DomainEvents } from '../../platform/jobs/events';
import { OrganizationCoverService, OrganizationMembershipsService } from '../../rbac';
import { contactsBeingProven, contactsProven, ContactsProven, UserRepository } from '../../users';
import { DomainJoin, DomainJoinRepository } from './domain-join.repository';
import { domainOfEmail } from './email-domain';
import { DomainRulesService } from './domain-rules.service';
import { OrganizationDomainRepository } from './organization-domain.repository';
import { OrganizationDomainView } from './organization-domain.views';

/**
 * Makes users who verify an e-mail address members of the organization that has proved its domain. The transaction of the
 * proof notes it, and a separate one adds the member: a failure must not undo the account. `DomainJoinsJob` repeats those
 * that failed.
 */
@Injectable()
export class DomainMembersService implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly transactions: Transactions,
    private readonly cover: OrganizationCoverService,
    private readonly domains: OrganizationDomainRepository,
    private readonly joins: DomainJoinRepository,
    private readonly members: OrganizationMembershipsService,
    private readonly users: UserRepository,
    private readonly rules: DomainRulesService,
  ) {}

  onModuleInit(): void {
    this.events.on(contactsBeingProven, async (contacts) => {
      const proof = proofOf(contacts);
      if (proof) await this.joins.add(proof);
    });
    this.events.on(contactsProven, async (contacts) => {
      const proof = proofOf(contacts);
      // Most addresses belong to no organization, and need no lock.
      const joined = proof && (await this.domains.findJoined(proof.domain));
      if (joined) await this.complete({ ...proof, organizationId: joined.organizationId });
    });
  }

  /**
   * Adds the member, unless that has been done. Users no longer join if their verified address is another one since, if
   * the domain has lost the setting or belongs to another organization, or if who set the rule may not give its roles.
   */
  async complete(join: DomainJoin): Promise<void> {
    await this.transactions.run(async () => {
      await this.cover.lock();
      if (!(await this.joins.exists(join))) return;
      const joined = await this.domains.findJoined(join.domain);
      if (joined?.organizationId === join.organizationId && (await this.hasAddress(join))) {
        await this.admit(joined, join.userId);
      }
      await this.joins.remove(join);
    });
  }

  private async admit(rule: OrganizationDomainView, userId: string): Promise<void> {
    const { organizationId, domain, roleIds } = rule;
    if (!(await this.rules.mayAdmit(rule, userId))) return;
    await this.members.admit(organizationId, userId, roleIds, { reason: `domain ${domain}` });
  }

  private async hasAddress({ userId, domain }: DomainJoin): Promise<boolean> {
    const user = await this.users.findById(userId);
    return user?.emailVerified === true && user.emailKey !== null && domainOfEmail(user.emailKey) === domain;
  }
}

const proofOf = ({ userId, emailKey }: ContactsProven): Pick<DomainJoin, 'userId' | 'domain'> | undefined =>
  emailKey === undefined ? undefined : { userId, domain: domainOfEmail(emailKey) };
