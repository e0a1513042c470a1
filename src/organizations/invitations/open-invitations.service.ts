import { Injectable } from '@nestjs/common';
import { Organization } from '../../rbac';
import { OrganizationOverlay, OrganizationSettingsService } from '../organization-settings.service';
import { OrganizationViewsService } from '../organization-views.service';
import { UserCache } from '../../users';
import { CodeTargetsService } from '../../verification';
import { InvitationTokensService } from './invitation-tokens.service';
import { InvitationView } from './invitation.views';

export interface OpenInvitation {
  readonly invitation: InvitationView;
  readonly organization: Organization;
  /** What it has set. */
  readonly overlay: OrganizationOverlay | undefined;
  /** The nickname or, without one, the username. Null after the inviter's account was deleted. */
  readonly inviter: string | null;
  readonly accountExists: boolean;
}

/** Shows an invitation to the holder of its token, who reads the messages to the invited contact. */
@Injectable()
export class OpenInvitationsService {
  constructor(
    private readonly tokens: InvitationTokensService,
    private readonly organizations: OrganizationViewsService,
    private readonly users: UserCache,
    private readonly targets: CodeTargetsService,
    private readonly settings: OrganizationSettingsService,
  ) {}

  /** Throws `not_found`, as `InvitationTokensService.find`. */
  async find(token: string): Promise<OpenInvitation> {
    const invitation = await this.tokens.find(token);
    const { organizationId, inviterId, channel, target, address } = invitation;
    const organization = await this.organizations.find(organizationId);
    const inviter = inviterId === null ? undefined : await this.users.get(inviterId);
    const owner = await this.targets.findOwner({ channel, key: target, address });
    return {
      invitation,
      organization,
      overlay: await this.settings.overlayOf(organizationId),
      inviter: inviter ? inviter.nickname || inviter.username : null,
      accountExists: owner !== null,
    };
  }
}
