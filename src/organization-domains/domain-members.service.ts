import { Injectable, OnModuleInit } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { DomainEvents } from '../platform/events';
import { OrganizationCoverService, OrganizationMembershipsService } from '../rbac';
import { contactsBeingProven, contactsProven, ContactsProven } from '../users';
import { DomainJoin, DomainJoinRepository } from './domain-join.repository';
import { domainOfEmail } from './email-domain';
import { OrganizationDomainRepository } from './organization-domain.repository';

/**
 * Makes users who verify an e-mail address members of the organisation that has proved its domain. The transaction of the
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
  ) {}

  onModuleInit(): void {
    this.events.on(contactsBeingProven, async (contacts) => {
      const join = joinOf(contacts);
      if (join) await this.joins.add(join);
    });
    this.events.on(contactsProven, async (contacts) => {
      const join = joinOf(contacts);
      // Most addresses belong to no organisation, and need no lock.
      if (join && (await this.domains.findJoined(join.domain))) await this.complete(join);
    });
  }

  /** Adds the member, unless that has been done. Users no longer join if the domain has lost the setting since. */
  async complete(join: DomainJoin): Promise<void> {
    await this.transactions.run(async () => {
      await this.cover.lock();
      if (!(await this.joins.take(join))) return;
      const joined = await this.domains.findJoined(join.domain);
      if (!joined) return;
      const reason = `domain ${join.domain}`;
      await this.members.admit(joined.organizationId, join.userId, joined.roleIds, { reason });
    });
  }
}

const joinOf = ({ userId, emailKey }: ContactsProven): DomainJoin | undefined =>
  emailKey === undefined ? undefined : { userId, domain: domainOfEmail(emailKey) };
