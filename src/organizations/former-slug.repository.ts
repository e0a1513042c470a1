import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';

/** How long a slug stays with the organization that had it. */
const RESERVED = `interval '90 days'`;

/** Slugs that organizations had. Raw SQL for the database's clock. */
@Injectable()
export class FormerSlugRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Those of the slugs that another organization than `id` had not long ago. */
  async reservedAmong(slugs: readonly string[], id: string | null = null): Promise<string[]> {
    const rows = await this.transactions.rows<{ slug: string }>(
      `SELECT slug FROM organization_former_slug
       WHERE slug = ANY($1::varchar[]) AND organization_id IS DISTINCT FROM $2 AND released_at > now() - ${RESERVED}`,
      [slugs, id],
    );
    return rows.map(({ slug }) => slug);
  }

  /** How many slugs are reserved for the organization. */
  async count(organizationId: string): Promise<number> {
    const [row] = await this.transactions.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM organization_former_slug
       WHERE organization_id = $1 AND released_at > now() - ${RESERVED}`,
      [organizationId],
    );
    return row?.count ?? 0;
  }

  /** Reserves the slug from now on, and forgets those that are free again. */
  async reserve(slug: string, organizationId: string): Promise<void> {
    await this.transactions.rows(`DELETE FROM organization_former_slug WHERE released_at <= now() - ${RESERVED}`, []);
    await this.transactions.rows(
      `INSERT INTO organization_former_slug (slug, organization_id) VALUES ($1, $2)
       ON CONFLICT (slug) DO UPDATE SET organization_id = $2, released_at = now()`,
      [slug, organizationId],
    );
  }

  /** The slug is in use again. */
  async release(slug: string): Promise<void> {
    await this.transactions.rows('DELETE FROM organization_former_slug WHERE slug = $1', [slug]);
  }
}
