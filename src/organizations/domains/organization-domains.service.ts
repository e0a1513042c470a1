import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { platformErrors } from '../../platform/errors';
import { Organization, organizationTarget, OrganizationCoverService } from '../../rbac';
import { OrganizationViewsService } from '../organization-views.service';
import { normalizeDomain } from '../../users';
import { ChangeDomainDto } from './dto/organization-domain.dto';
import { DomainRulesService } from './domain-rules.service';
import { MAX_DOMAINS, newTxtValue } from './domain-claim';
import { OrganizationDomainRepository } from './organization-domain.repository';
import { auditedDomain, OrganizationDomainView, txtNameOf } from './organization-domain.views';
import { organizationDomainErrors } from './organization-domains.errors';
import { TxtResolver } from './txt-resolver';
import { domainActs, DomainChange } from '../organization.acts';

/** The domains of one organization. */
@Injectable()
export class OrganizationDomainsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly organizations: OrganizationViewsService,
    private readonly domains: OrganizationDomainRepository,
    private readonly cover: OrganizationCoverService,
    private readonly resolver: TxtResolver,
    private readonly rules: DomainRulesService,
    private readonly audit: AuditService,
  ) {}

  /** By name, at most 100. Throws `not_found`. */
  async list(organizationId: string): Promise<OrganizationDomainView[]> {
    await this.organizations.find(organizationId);
    return this.domains.list(organizationId);
  }

  /** Claims the domain. Throws `not_found`, `too_many_domains` or `name_taken`. */
  claim(organizationId: string, text: string): Promise<OrganizationDomainView> {
    const domain = domainOf(text);
    return this.inOrganization(organizationId, async (organization) => {
      if ((await this.domains.count(organizationId)) >= MAX_DOMAINS) throw organizationDomainErrors.tooManyDomains();
      await this.domains.insert({ organizationId, domain, txtValue: newTxtValue() });
      const after = await this.lock(organizationId, domain);
      await this.audit.record(domainActs.add, {
        target: organizationTarget(organization),
        after: auditedDomain(after),
      });
      return after;
    });
  }

  /**
   * Looks the TXT records up, before the transaction. Another organization whose record is gone loses the domain to this one.
   * Throws `not_found`, `domain_not_verified` or `domain_taken`.
   */
  async verify(organizationId: string, text: string): Promise<OrganizationDomainView> {
    const domain = domainOf(text);
    const claim = await this.domains.find({ organizationId, domain });
    if (!claim) throw platformErrors.notFound();
    if (claim.verifiedAt) return claim;
    const texts = await this.resolver.resolve(txtNameOf(domain));
    if (!texts.includes(claim.txtValue)) throw organizationDomainErrors.domainNotVerified();
    return this.inOrganization(organizationId, async (organization) => {
      const before = await this.lock(organizationId, domain);
      // The claim may have been made again meanwhile, with another value.
      if (before.txtValue !== claim.txtValue) throw organizationDomainErrors.domainNotVerified();
      if (before.verifiedAt) return before;
      await this.releaseUnproven(domain, texts);
      await this.domains.markVerified(before);
      const after = await this.lock(organizationId, domain);
      await this.record(organization, domainActs.verify, before, after);
      return after;
    });
  }

  /**
   * If the rule gives something else, or who set it may no longer give it, the caller answers for it from then on, and must
   * hold the permissions of the roles. Other changes change nothing. Throws `not_found`, `validation_failed`,
   * `system_role_protected` or `escalation_denied`.
   */
  change(caller: Caller, organizationId: string, text: string, body: ChangeDomainDto): Promise<OrganizationDomainView> {
    const domain = domainOf(text);
    return this.inOrganization(organizationId, async (organization) => {
      const known = await this.domains.find({ organizationId, domain });
      if (!known) throw platformErrors.notFound();
      const roleIds = [...new Set(body.role_ids ?? known.roleIds)];
      const membersJoin = body.members_join ?? known.membersJoin;
      if (!(await this.sets(known, body, { membersJoin, roleIds }))) return known;
      await this.cover.requireGivable(caller, organizationId, roleIds, membersJoin ? [] : known.roleIds);
      const before = await this.lock(organizationId, domain);
      await this.domains.setRule(before, { membersJoin, roleIds, ruleSetBy: caller.userId });
      const after = await this.lock(organizationId, domain);
      await this.record(organization, domainActs.update, before, after);
      return after;
    });
  }

  /** Members who joined by the domain stay. Throws `not_found`. */
  async remove(organizationId: string, text: string): Promise<void> {
    const domain = domainOf(text);
    await this.inOrganization(organizationId, async (organization) => {
      const before = await this.lock(organizationId, domain);
      await this.domains.delete(before);
      await this.audit.record(domainActs.remove, {
        target: organizationTarget(organization),
        before: auditedDomain(before),
      });
    });
  }

  /** Whether the body changes what the rule gives, or names again what it does not give now. */
  private async sets(
    known: OrganizationDomainView,
    { members_join, role_ids }: ChangeDomainDto,
    { membersJoin, roleIds }: Pick<OrganizationDomainView, 'membersJoin' | 'roleIds'>,
  ): Promise<boolean> {
    const isSame = [...roleIds].sort().join() === [...known.roleIds].sort().join();
    if (membersJoin !== known.membersJoin || !isSame) return true;
    if (!membersJoin || (members_join === undefined && role_ids === undefined)) return false;
    return !(await this.rules.holds(known));
  }

  /** All claims of a domain have their records under one name, so the answer of DNS shows whether the owner's is there. */
  private async releaseUnproven(domain: string, texts: readonly string[]): Promise<void> {
    const owner = await this.domains.findOwner(domain);
    if (!owner || texts.includes(owner.txtValue)) return;
    await this.domains.release(owner);
    const after = await this.lock(owner.organizationId, domain);
    const organization = await this.organizations.find(owner.organizationId);
    // The actor belongs to the other organization, so the event is not shown to this one.
    const target = { ...organizationTarget(organization), organizationId: null };
    const [before, reason] = [auditedDomain(owner), 'proved by another organization'];
    await this.audit.record(domainActs.update, {
      target,
      before,
      after: auditedDomain(after),
      reason,
    });
  }

  /** The lock keeps the organization, and lets one after the other count its domains. */
  private inOrganization<T>(id: string, work: (organization: Organization) => Promise<T>): Promise<T> {
    return this.transactions.run(async () => {
      await this.cover.lock();
      return work(await this.organizations.find(id));
    });
  }

  private async lock(organizationId: string, domain: string): Promise<OrganizationDomainView> {
    const found = await this.domains.lock({ organizationId, domain });
    if (!found) throw platformErrors.notFound();
    return found;
  }

  private async record(
    organization: Organization,
    act: DomainChange,
    before: OrganizationDomainView,
    after: OrganizationDomainView,
  ): Promise<void> {
    const target = organizationTarget(organization);
    await this.audit.record(act, { target, before: auditedDomain(before), after: auditedDomain(after) });
  }
}

/** Throws `not_found`: a path with another text names no domain. */
function domainOf(text: string): string {
  const domain = normalizeDomain(text);
  if (domain === undefined) throw platformErrors.notFound();
  return domain;
}
