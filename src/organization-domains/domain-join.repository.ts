import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { OrganizationDomainJoin } from './organization-domain.entities';

export type DomainJoin = Pick<OrganizationDomainJoin, 'userId' | 'domain'>;

/** Users who are about to become members by a domain. Raw SQL for conditions on what is written. */
@Injectable()
export class DomainJoinRepository {
  constructor(private readonly transactions: Transactions) {}

  /** If users join by the domain. One statement, because most addresses belong to no organisation. */
  async add({ userId, domain }: DomainJoin): Promise<void> {
    await this.transactions.rows(
      `INSERT INTO organization_domain_join (user_id, domain)
       SELECT $1::uuid, $2::varchar WHERE EXISTS (
         SELECT 1 FROM organization_domain WHERE domain = $2::varchar AND members_join AND verified_at IS NOT NULL)
       ON CONFLICT DO NOTHING`,
      [userId, domain],
    );
  }

  /** Returns whether it was there. Another transaction that takes it waits, and finds it gone. */
  async take({ userId, domain }: DomainJoin): Promise<boolean> {
    const taken = await this.transactions.rows(
      'DELETE FROM organization_domain_join WHERE user_id = $1 AND domain = $2 RETURNING 1',
      [userId, domain],
    );
    return taken.length > 0;
  }

  /** Oldest first. */
  findOlderThan(seconds: number, limit: number): Promise<DomainJoin[]> {
    return this.transactions.rows(
      `SELECT user_id AS "userId", domain FROM organization_domain_join
       WHERE created_at < now() - make_interval(secs => $1::int) ORDER BY created_at LIMIT $2`,
      [seconds, limit],
    );
  }
}
