import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Log } from '../../platform/logging';
import {
  OrganizationAuthorityService,
  organizationTarget,
  PlacedSetUp,
  SetUpPlace,
  SetUpRegistry,
  SetUpSource,
  membershipActs,
} from '../../rbac';
import { OrganizationViewsService } from '../organization-views.service';
import { OrganizationDomainRepository } from './organization-domain.repository';
import { auditedDomain, OrganizationDomainView } from './organization-domain.views';
import { organizationDomainPermissions } from './organization-domains.permissions';
import { domainActs } from '../organization.acts';

/** The rules by which users join: whether they still hold, and their end with the user who set them. */
@Injectable()
export class DomainRulesService implements SetUpSource, OnModuleInit {
  constructor(
    private readonly domains: OrganizationDomainRepository,
    private readonly organizations: OrganizationViewsService,
    private readonly authority: OrganizationAuthorityService,
    private readonly setUps: SetUpRegistry,
    private readonly audit: AuditService,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.setUps.register(this);
  }

  /**
   * Whether the user who set the rule may now give there what it gives. If not, the organization finds it in its audit log.
   * Call it in the transaction of the join.
   */
  async mayAdmit(rule: OrganizationDomainView, userId: string): Promise<boolean> {
    if (await this.holds(rule)) return true;
    const { organizationId, domain, roleIds, ruleSetBy } = rule;
    await this.audit.record(membershipActs.add, {
      outcome: 'failure',
      target: organizationTarget(await this.organizations.find(organizationId)),
      after: { added: 0, user_id: userId, role_ids: roleIds, set_by: ruleSetBy },
      reason: `domain ${domain}: who set its rule may not give its roles`,
    });
    const about = { organization_id: organizationId, domain, set_by: ruleSetBy };
    this.log.warn('A user did not join by domain, because who set its rule may not give its roles', about);
    return false;
  }

  /** Whether the user who set the rule may now give there what it gives. Call it in a transaction that holds the grant lock. */
  async holds({ organizationId, roleIds, ruleSetBy }: OrganizationDomainView): Promise<boolean> {
    if (ruleSetBy === null) return false;
    return this.authority.mayGive({ userId: ruleSetBy, organizationId }, organizationDomainPermissions.update, roleIds);
  }

  async list(place: SetUpPlace): Promise<PlacedSetUp[]> {
    return (await this.domains.findSetBy(place)).map(setUpOf);
  }

  async switchOff(place: SetUpPlace, reason: string): Promise<PlacedSetUp[]> {
    const rules = await this.domains.findSetBy(place, { lock: true });
    for (const rule of rules) await this.switchOffOne(rule, reason);
    return rules.map(setUpOf);
  }

  /** The roles stay, for whoever sets the rule next. */
  private async switchOffOne(rule: OrganizationDomainView, reason: string): Promise<void> {
    const { domain, verifiedAt, roleIds, ruleSetBy } = rule;
    const after = { domain, verifiedAt, membersJoin: false, roleIds, ruleSetBy };
    await this.domains.setRule(rule, after);
    await this.audit.record(domainActs.update, {
      target: organizationTarget(await this.organizations.find(rule.organizationId)),
      before: auditedDomain(rule),
      after: auditedDomain(after),
      reason,
    });
  }
}

const setUpOf = ({ organizationId, domain, ruleSetBy, isSuspended }: OrganizationDomainView): PlacedSetUp => ({
  kind: 'domain',
  id: domain,
  name: domain,
  organizationId,
  userIds: ruleSetBy === null ? [] : [ruleSetBy],
  isSuspended,
});
