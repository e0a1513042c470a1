import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Not, Repository } from 'typeorm';
import { CASTELLAN, isForeignKeyViolated, Transactions } from '../../platform/database';
import { CountEstimateRepository, Page, Total } from '../../platform/lists';
import { rbacErrors } from './rbac.errors';
import { Organization } from './organization.entity';
import { organizationNameKey } from './organization-name';

/** The changeable part of an organization. */
export type OrganizationContent = Pick<Organization, 'slug' | 'name' | 'logo' | 'attributes' | 'mfaRequired'>;

export interface OrganizationFilter {
  /** Part of a name or of a slug, ignoring case. */
  readonly keyword?: string | undefined;
  /** Only organizations of this member. */
  readonly memberId?: string | undefined;
}

const COLUMNS = `id, slug, name, name_key AS "nameKey", logo, attributes, mfa_required AS "mfaRequired", settings, created_at AS "createdAt", updated_at AS "updatedAt"`;
const MATCHING = `($1::varchar IS NULL OR position($1 IN name_key) > 0 OR position($1 IN slug) > 0)
  AND ($2::uuid IS NULL OR id IN (SELECT organization_id FROM organization_member WHERE user_id = $2))`;

const valuesOf = ({ keyword, memberId }: OrganizationFilter): (string | null)[] => [
  keyword === undefined ? null : organizationNameKey(keyword),
  memberId ?? null,
];

@Injectable()
export class OrganizationRepository {
  constructor(
    @InjectRepository(Organization, CASTELLAN) private readonly organizations: Repository<Organization>,
    private readonly transactions: Transactions,
    private readonly totals: CountEstimateRepository,
  ) {}

  findById(id: string): Promise<Organization | null> {
    return this.organizations.findOneBy({ id });
  }

  findByIds(ids: readonly string[]): Promise<Organization[]> {
    return ids.length === 0
      ? Promise.resolve([])
      : this.organizations.find({ where: { id: Any(ids) }, order: { id: 'ASC' } });
  }

  /** Whether another organization than `id` has the slug. */
  isTaken(slug: string, id: string): Promise<boolean> {
    return this.organizations.existsBy({ slug, id: Not(id) });
  }

  /** Those of the slugs that organizations have. */
  async takenSlugs(slugs: readonly string[]): Promise<string[]> {
    const found = await this.organizations.find({ where: { slug: Any(slugs) }, select: { slug: true } });
    return found.map(({ slug }) => slug);
  }

  /** By name, ignoring case. Raw SQL for the filter. */
  list(filter: OrganizationFilter, { limit, offset }: Pick<Page, 'limit' | 'offset'>): Promise<Organization[]> {
    return this.transactions.rows(
      `SELECT ${COLUMNS} FROM organization WHERE ${MATCHING} ORDER BY name_key, id LIMIT $3 OFFSET $4`,
      [...valuesOf(filter), limit, offset],
    );
  }

  /** Raw SQL, because `CountEstimateRepository` counts a statement. */
  count(filter: OrganizationFilter): Promise<Total> {
    return this.totals.count(`SELECT 1 FROM organization WHERE ${MATCHING}`, valuesOf(filter));
  }

  async insert(id: string, content: OrganizationContent): Promise<void> {
    await this.organizations.insert({ id, ...content, nameKey: organizationNameKey(content.name) });
  }

  /** Raw SQL for a batch. */
  async insertAll(organizations: readonly (OrganizationContent & Pick<Organization, 'id'>)[]): Promise<void> {
    const rows = organizations.map(({ id, slug, name, logo, attributes }) => ({
      id,
      slug,
      name,
      name_key: organizationNameKey(name),
      logo,
      attributes,
    }));
    await this.transactions.rows(
      `INSERT INTO organization (id, slug, name, name_key, logo, attributes)
       SELECT id, slug, name, name_key, logo, attributes FROM jsonb_to_recordset($1::jsonb)
         AS made (id uuid, slug varchar, name varchar, name_key varchar, logo varchar, attributes jsonb)`,
      [JSON.stringify(rows)],
    );
  }

  async update(id: string, content: OrganizationContent): Promise<void> {
    const change = { ...content, nameKey: organizationNameKey(content.name), updatedAt: () => 'now()' };
    await this.organizations.update({ id }, change);
  }

  /** Throws `in_use` if something refers to the organization that is not deleted with it, such as a login provider. */
  async delete(id: string): Promise<void> {
    try {
      await this.organizations.delete({ id });
    } catch (error) {
      throw isForeignKeyViolated(error) ? rbacErrors.inUse({ cause: error }) : error;
    }
  }
}
