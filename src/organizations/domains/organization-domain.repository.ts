import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, Not, Repository } from 'typeorm';
import { CASTELLAN, Transactions, violatedUnique } from '../../platform/database';
import { rbacErrors, SetUpPlace } from '../../rbac';
import { OrganizationDomain, OrganizationDomainRole } from './organization-domain.entities';
import { OrganizationDomainView } from './organization-domain.views';
import { organizationDomainErrors } from './organization-domains.errors';

type Place = Pick<OrganizationDomain, 'organizationId' | 'domain'>;

/** What a domain gives, and who answers for it. */
type DomainRule = Pick<OrganizationDomainView, 'membersJoin' | 'roleIds' | 'ruleSetBy'>;

@Injectable()
export class OrganizationDomainRepository {
  constructor(
    @InjectRepository(OrganizationDomain, CASTELLAN) private readonly domains: Repository<OrganizationDomain>,
    @InjectRepository(OrganizationDomainRole, CASTELLAN) private readonly roles: Repository<OrganizationDomainRole>,
    private readonly transactions: Transactions,
  ) {}

  /** By name. An organization has few. */
  async list(organizationId: string): Promise<OrganizationDomainView[]> {
    return this.withRoles(await this.domains.find({ where: { organizationId }, order: { domain: 'ASC' } }));
  }

  count(organizationId: string): Promise<number> {
    return this.domains.countBy({ organizationId });
  }

  async find(place: Place): Promise<OrganizationDomainView | undefined> {
    const found = await this.domains.findOneBy({ organizationId: place.organizationId, domain: place.domain });
    return found ? (await this.withRoles([found]))[0] : undefined;
  }

  /** Locks the row until the transaction ends. */
  async lock({ organizationId, domain }: Place): Promise<OrganizationDomainView | undefined> {
    const lock = { mode: 'pessimistic_write' } as const;
    const found = await this.domains.findOne({ where: { organizationId, domain }, lock });
    return found ? (await this.withRoles([found]))[0] : undefined;
  }

  /** The organization that has proved the domain, if users join it by the domain. */
  async findJoined(domain: string): Promise<OrganizationDomainView | undefined> {
    const found = await this.domains.findOneBy({ domain, membersJoin: true, verifiedAt: Not(IsNull()) });
    return found ? (await this.withRoles([found]))[0] : undefined;
  }

  /** The rules in force that the users have set. */
  async findSetBy({ userIds, organizationId }: SetUpPlace, { lock = false } = {}): Promise<OrganizationDomainView[]> {
    const found = await this.domains.find({
      where: { ruleSetBy: Any(userIds), membersJoin: true, ...(organizationId !== undefined && { organizationId }) },
      order: { organizationId: 'ASC', domain: 'ASC' },
      ...(lock && { lock: { mode: 'pessimistic_write' } }),
    });
    return this.withRoles(found);
  }

  /** The claim of the organization that has proved the domain. */
  async findOwner(domain: string): Promise<OrganizationDomainView | undefined> {
    const found = await this.domains.findOneBy({ domain, verifiedAt: Not(IsNull()) });
    return found ? (await this.withRoles([found]))[0] : undefined;
  }

  /** The id of the organization that has proved the domain. */
  async findOwnerId(domain: string): Promise<string | undefined> {
    const where = { domain, verifiedAt: Not(IsNull()) };
    return (await this.domains.findOne({ select: { organizationId: true }, where }))?.organizationId;
  }

  /** The organization no longer owns the domain, and no user joins by it. The claim stays. */
  async release({ organizationId, domain }: Place): Promise<void> {
    await this.domains.update({ organizationId, domain }, { verifiedAt: null, membersJoin: false });
  }

  /** Throws `name_taken` if the organization has claimed the domain. */
  async insert(domain: Pick<OrganizationDomain, 'organizationId' | 'domain' | 'txtValue'>): Promise<void> {
    try {
      await this.domains.insert(domain);
    } catch (error) {
      throw violatedUnique(error) === 'organization_domain_pk' ? rbacErrors.nameTaken({ cause: error }) : error;
    }
  }

  /** Of organizations without domains. Raw SQL for a batch. */
  async insertAll(
    domains: readonly Pick<OrganizationDomain, 'organizationId' | 'domain' | 'txtValue'>[],
  ): Promise<void> {
    await this.transactions.rows(
      `INSERT INTO organization_domain (organization_id, domain, txt_value)
       SELECT * FROM unnest($1::uuid[], $2::varchar[], $3::varchar[])`,
      [
        domains.map(({ organizationId }) => organizationId),
        domains.map(({ domain }) => domain),
        domains.map(({ txtValue }) => txtValue),
      ],
    );
  }

  /** Throws `domain_taken` if another organization has proved the domain. */
  async markVerified({ organizationId, domain }: Place): Promise<void> {
    try {
      await this.domains.update({ organizationId, domain }, { verifiedAt: () => 'now()' });
    } catch (error) {
      throw violatedUnique(error) === 'organization_domain_owner_unique'
        ? organizationDomainErrors.domainTaken({ cause: error })
        : error;
    }
  }

  /** Raw SQL to write only the difference of the roles in one statement. */
  async setRule({ organizationId, domain }: Place, { membersJoin, roleIds, ruleSetBy }: DomainRule): Promise<void> {
    await this.domains.update({ organizationId, domain }, { membersJoin, ruleSetBy });
    await this.transactions.rows(
      `WITH removed AS (
         DELETE FROM organization_domain_role
         WHERE organization_id = $1 AND domain = $2 AND NOT role_id = ANY($3::uuid[])
       )
       INSERT INTO organization_domain_role (organization_id, domain, role_id)
       SELECT $1, $2, role_id FROM unnest($3::uuid[]) AS wanted (role_id) ON CONFLICT DO NOTHING`,
      [organizationId, domain, roleIds],
    );
  }

  async delete({ organizationId, domain }: Place): Promise<void> {
    await this.domains.delete({ organizationId, domain });
  }

  private async withRoles(domains: readonly OrganizationDomain[]): Promise<OrganizationDomainView[]> {
    const organizationIds = domains.map(({ organizationId }) => organizationId);
    const where = { organizationId: Any(organizationIds), domain: Any(domains.map(({ domain }) => domain)) };
    const rows = await this.roles.find({ where, order: { roleId: 'ASC' } });
    return domains.map(({ organizationId, domain, ...content }) => ({
      organizationId,
      domain,
      ...content,
      roleIds: rows
        .filter((row) => row.organizationId === organizationId && row.domain === domain)
        .map(({ roleId }) => roleId),
    }));
  }
}
