import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { OrganizationDomainJoin } from './organization-domain.entities';

export type DomainJoin = Pick<OrganizationDomainJoin, 'userId' | 'domain' | 'organizationId'>;

/** Users who are about to become members by a domain. Raw SQL for conditions on what is written. */
@Injectable()
export class DomainJoinRepository {
  constructor(private readonly transactions: Transactions) {}

  /** If users join by the domain. One statement, because most addresses belong to no organization. */
  async add({ userId, domain }: Omit<DomainJoin, 'organizationId'>): Promise<void> {
    await this.transactions.rows(
      `INSERT INTO organization_domain_join (user_id, domain, organization_id)
       SELECT $1::uuid, domain, organization_id FROM organization_domain
       WHERE domain = $2 AND members_join AND verified_at IS NOT NULL
       ON CONFLICT DO NOTHING`,
      [userId, domain],
    );
  }

  async exists({ userId, domain, organizationId }: DomainJoin): Promise<boolean> {
    const found = await this.transactions.rows(
      'SELECT 1 FROM organization_domain_join WHERE user_id = $1 AND domain = $2 AND organization_id = $3',
      [userId, domain, organizationId],
    );
    return found.length > 0;
  }

  /** Call it last: the proof of an address may hold the user and wait for the deletion. */
  async remove({ userId, domain, organizationId }: DomainJoin): Promise<void> {
    await this.transactions.rows(
      'DELETE FROM organization_domain_join WHERE user_id = $1 AND domain = $2 AND organization_id = $3',
      [userId, domain, organizationId],
    );
  }

  /** Those that were not tried for this time, longest first. */
  findDue(seconds: number, limit: number): Promise<DomainJoin[]> {
    return this.transactions.rows(
      `SELECT user_id AS "userId", domain, organization_id AS "organizationId" FROM organization_domain_join
       WHERE attempted_at < now() - make_interval(secs => $1::int) ORDER BY attempted_at LIMIT $2`,
      [seconds, limit],
    );
  }

  /** Puts it behind all others. Returns whether it is older than the days. */
  async postpone({ userId, domain, organizationId }: DomainJoin, days: number): Promise<boolean> {
    const [row] = await this.transactions.rows<{ isOld: boolean }>(
      `UPDATE organization_domain_join SET attempted_at = now()
       WHERE user_id = $1 AND domain = $2 AND organization_id = $3
       RETURNING created_at < now() - make_interval(days => $4::int) AS "isOld"`,
      [userId, domain, organizationId, days],
    );
    return row?.isOld ?? false;
  }
}
