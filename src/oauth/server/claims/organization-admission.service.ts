import { Injectable } from '@nestjs/common';
import { SecondFactorPolicy } from '../../../platform/access';
import { OrganizationAccessService } from '../../../organizations';
import { LoggedInUser } from '../core/request';

/** Why there are no tokens of a user for an organization. */
export type OrganizationRejection = 'not_a_member' | 'login_method_not_accepted' | 'second_factor_missing';

/** Decides whether there may be tokens of a user for an organization, from caches that are at most a second old. */
@Injectable()
export class OrganizationAdmissionService {
  constructor(
    private readonly organizations: OrganizationAccessService,
    private readonly secondFactors: SecondFactorPolicy,
  ) {}

  /** Undefined if there may be. As for requests within the organization, it must accept the login, and a required second factor must be there. */
  async rejection({ userId, login }: LoggedInUser, organizationId: string): Promise<OrganizationRejection | undefined> {
    if (!(await this.organizations.isMember(userId, organizationId))) return 'not_a_member';
    const isAccepted = !login || (await this.organizations.acceptsLogin(userId, organizationId, login.method));
    if (!isAccepted) return 'login_method_not_accepted';
    return (await this.secondFactors.isEnrolmentDue(userId, organizationId)) ? 'second_factor_missing' : undefined;
  }
}
