import { Injectable } from '@nestjs/common';
import { OrganizationNamesService } from '../../../organizations';
import { OAuthClient } from '../clients/client.entity';
import { LoggedInUser } from '../core/request';
import { OrganizationAdmissionService, OrganizationRejection } from './organization-admission.service';

export type RejectedChoice = OrganizationRejection | 'several_organizations';

/** The organization that tokens are for, undefined for none, or the reason why there can be no tokens. */
export type OrganizationChoice =
  { readonly organizationId: string | undefined } | { readonly rejected: RejectedChoice };

/** An id that no organization has. */
const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';
const NONE: OrganizationChoice = { organizationId: undefined };
const NOT_A_MEMBER: OrganizationChoice = { rejected: 'not_a_member' };
const SEVERAL: OrganizationChoice = { rejected: 'several_organizations' };

/**
 * Chooses the organization of an authorization request with the scope `organization`: the one that the request names, the
 * one of the client, or the only one of the user. An unknown organization is rejected like one of others.
 */
@Injectable()
export class OrganizationChoiceService {
  constructor(
    private readonly names: OrganizationNamesService,
    private readonly admission: OrganizationAdmissionService,
  ) {}

  /** @param named a slug or an id */
  async choose(
    { organizationId: tied }: Pick<OAuthClient, 'organizationId'>,
    user: LoggedInUser,
    named: string | undefined,
  ): Promise<OrganizationChoice> {
    if (named !== undefined) return this.chooseNamed(tied, user, named);
    if (tied !== null) return this.requireMember(user, tied);
    const { id, areSeveral } = await this.names.onlyOneOf(user.userId);
    if (areSeveral) return SEVERAL;
    return id === undefined ? NONE : this.chooseOnly(user, id);
  }

  /** Nobody named it, and users are added without their consent: a login that it does not accept is one for no organization. */
  private async chooseOnly(user: LoggedInUser, id: string): Promise<OrganizationChoice> {
    const choice = await this.requireMember(user, id);
    return 'rejected' in choice && choice.rejected === 'login_method_not_accepted' ? NONE : choice;
  }

  private async chooseNamed(tied: string | null, user: LoggedInUser, named: string): Promise<OrganizationChoice> {
    // Looks up memberships of unknown organizations, too, to keep timing equal.
    const choice = await this.requireMember(user, (await this.names.idOf(named)) ?? NO_ORGANIZATION);
    return tied !== null && 'organizationId' in choice && choice.organizationId !== tied ? NOT_A_MEMBER : choice;
  }

  private async requireMember(user: LoggedInUser, organizationId: string): Promise<OrganizationChoice> {
    const rejected = await this.admission.rejection(user, organizationId);
    return rejected === undefined ? { organizationId } : { rejected };
  }
}
