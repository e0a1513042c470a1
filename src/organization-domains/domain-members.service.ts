import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { DomainEvents } from '../platform/events';
import { OrganizationCoverService, OrganizationMembershipsService } from '../rbac';
import { contactsProven, ContactsProven } from '../users';
import { domainOfEmail } from './email-domain';
import { OrganizationDomainRepository } from './organization-domain.repository';

/**
 * Makes users who verify an e-mail address members of the organisation that has proved its domain. In a transaction of
 * its own: a failure must not undo the account, and is logged.
 */
@Injectable()
export class DomainMembersService implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly transactions: Transactions,
    private readonly cover: OrganizationCoverService,
    private readonly domains: OrganizationDomainRepository,
    private readonly members: OrganizationMembershipsService,
  ) {}

  onModuleInit(): void {
    this.events.on(contactsProven, (proven) => this.join(proven));
  }

  private async join({ userId, emailKey }: ContactsProven): Promise<void> {
    if (emailKey === undefined) return;
    const domain = domainOfEmail(emailKey);
    // Most addresses belong to no organisation, and need no lock.
    if (!(await this.domains.findJoined(domain))) return;
    await this.transactions.run(async () => {
      await this.cover.lock();
      const joined = await this.domains.findJoined(domain);
      if (!joined) return;
      await this.members.admit(joined.organizationId, userId, joined.roleIds, { reason: `domain ${domain}` });
    });
  }
}
