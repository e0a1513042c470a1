import { Injectable } from '@nestjs/common';
import { Caller } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { Organization, OrganizationMembershipsService } from '../../rbac';
import { OrganizationViewsService } from '../organization-views.service';
import { sessionErrors } from '../../session';
import { UserRepository } from '../../users';
import { InvitationChangesService } from './invitation-changes.service';
import { InvitationTokensService } from './invitation-tokens.service';
import { InvitationView } from './invitation.views';
import { InvitedContactsService } from './invited-contacts.service';

export interface AcceptedInvitation {
  readonly organization: Organization;
  readonly roleIds: readonly string[];
}

type NewMember = Parameters<InvitationChangesService['accept']>[1];

/** Makes the holder of an invitation a member. A member gets the roles in addition to those there are. */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly transactions: Transactions,
    private readonly tokens: InvitationTokensService,
    private readonly users: UserRepository,
    private readonly contacts: InvitedContactsService,
    private readonly organizations: OrganizationViewsService,
    private readonly members: OrganizationMembershipsService,
    private readonly changes: InvitationChangesService,
  ) {}

  /**
   * For a logged-in user. Of concurrent calls, one succeeds. Throws `not_found`, `invitation_for_another`,
   * `login_method_not_accepted`, `reauthentication_required`, `email_taken` or `phone_taken`.
   */
  accept(caller: Caller, token: string): Promise<AcceptedInvitation> {
    return this.transactions.run(async () => {
      const invitation = await this.tokens.lock(token);
      const user = await this.users.lock(caller.userId);
      if (!user) throw sessionErrors.sessionRevoked();
      await this.contacts.require(caller, user, invitation);
      return this.join(invitation, user);
    });
  }

  /** Call first in the transaction that creates a user for `acceptAsNew`: grants are locked before users. Throws `not_found`. */
  async hold(token: string): Promise<void> {
    await this.tokens.lock(token);
  }

  /** For a new user with the invited contact. Call in the transaction that creates the user. Throws `not_found`. */
  async acceptAsNew(user: NewMember, token: string): Promise<void> {
    await this.join(await this.tokens.lock(token), user);
  }

  private async join(invitation: InvitationView, { id, username }: NewMember): Promise<AcceptedInvitation> {
    const { organizationId, roleIds, inviterId } = invitation;
    const actor = { id, username };
    await this.members.add(organizationId, id, roleIds, { actor, reason: `invitation ${invitation.id}`, inviterId });
    await this.changes.accept(invitation, actor);
    return { organization: await this.organizations.find(organizationId), roleIds };
  }
}
