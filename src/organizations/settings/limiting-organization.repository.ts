import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';

/** The organizations that have something to do with a change: they have proved one of the domains, or are named. */
export interface ConcernedOrganizations {
  readonly domains: readonly string[];
  readonly organizationIds: readonly string[];
}

/** The organizations of a user that limit login methods. Raw SQL for values inside of settings. */
@Injectable()
export class LimitingOrganizationRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The methods that each one accepts of those that limit them and are concerned. Pending memberships do not count. */
  async acceptedBy(
    userId: string,
    { domains, organizationIds }: ConcernedOrganizations,
  ): Promise<ReadonlySet<string>[]> {
    const rows = await this.transactions.rows<{ accepted: string[] }>(
      `SELECT organization.settings -> 'login_methods' AS accepted
       FROM organization_member AS member JOIN organization ON organization.id = member.organization_id
       WHERE member.user_id = $1 AND organization.settings -> 'login_methods' IS NOT NULL
         AND (organization.id = ANY($2::uuid[]) OR EXISTS (
           SELECT 1 FROM organization_domain AS owned WHERE owned.organization_id = organization.id
             AND owned.verified_at IS NOT NULL AND owned.domain = ANY($3::text[])))`,
      [userId, organizationIds, domains],
    );
    return rows.map(({ accepted }) => new Set(accepted));
  }
}
