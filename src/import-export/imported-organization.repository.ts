import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { KnownOrganization } from './imported-organization-plan';

/** SQL: each statement passes a whole batch as one parameter, where TypeORM would pass one for each value. */
@Injectable()
export class ImportedOrganizationRepository {
  constructor(private readonly transactions: Transactions) {}

  find(source: string, sourceIds: readonly string[]): Promise<KnownOrganization[]> {
    return this.transactions.rows(
      `SELECT imported.source_id AS "sourceId", organization.id, organization.name
       FROM imported_organization AS imported JOIN organization ON organization.id = imported.organization_id
       WHERE imported.source = $1 AND imported.source_id = ANY($2::text[])`,
      [source, sourceIds],
    );
  }

  async insert(source: string, organizations: readonly KnownOrganization[]): Promise<void> {
    await this.transactions.rows(
      `INSERT INTO imported_organization (source, source_id, organization_id)
       SELECT $1, source_id, id FROM unnest($2::text[], $3::uuid[]) AS made (source_id, id)`,
      [source, organizations.map(({ sourceId }) => sourceId), organizations.map(({ id }) => id)],
    );
  }
}
