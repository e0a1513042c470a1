import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { Organization, organizationTarget } from '../../rbac';
import { newTxtValue } from './domain-claim';
import { OrganizationDomainRepository } from './organization-domain.repository';
import { auditedDomain } from './organization-domain.views';
import { domainActs } from '../organization.acts';

/** A domain of a new organization, which is not verified here. */
export interface ImportedDomain {
  readonly organization: Pick<Organization, 'id' | 'name'>;
  /** Normalized, and allowed by `domainProblem`. */
  readonly domain: string;
}

/** Claims the domains of organizations of another system. */
@Injectable()
export class ImportedDomainsService {
  constructor(
    private readonly domains: OrganizationDomainRepository,
    private readonly audit: AuditService,
  ) {}

  /** Call in the transaction that creates the organizations, with at most `MAX_DOMAINS` different domains for each. */
  async claimAll(claims: readonly ImportedDomain[]): Promise<void> {
    if (claims.length === 0) return;
    await this.domains.insertAll(
      claims.map(({ organization, domain }) => ({
        organizationId: organization.id,
        domain,
        txtValue: newTxtValue(),
      })),
    );
    await this.audit.recordAll(
      claims.map(({ organization, domain }) =>
        domainActs.add({
          target: organizationTarget(organization),
          after: auditedDomain({ domain, verifiedAt: null, membersJoin: false, roleIds: [], ruleSetBy: null }),
          reason: 'import',
        }),
      ),
    );
  }
}
