import { Injectable } from '@nestjs/common';
import { SecondFactorPolicy } from '../../../platform/access';
import { OrganizationAccessService } from '../../../rbac';

/** Why there are no tokens of a user for an organisation. */
export type OrganizationRejection = 'not_a_member' | 'second_factor_missing';

/** Decides whether there may be tokens of a user for an organisation, from caches that are at most a second old. */
@Injectable()
export class OrganizationAdmissionService {
  constructor(
    private readonly organizations: OrganizationAccessService,
    private readonly secondFactors: SecondFactorPolicy,
  ) {}

  /** Undefined if there may be. As for requests within the organisation, a required second factor must be there. */
  async rejection(userId: string, organizationId: string): Promise<OrganizationRejection | undefined> {
    if (!(await this.organizations.isMember(userId, organizationId))) return 'not_a_member';
    return (await this.secondFactors.isEnrolmentDue(userId, organizationId)) ? 'second_factor_missing' : undefined;
  }
}
