import { Injectable } from '@nestjs/common';
import { mayHaveArrived, MessageBranding, messageTime, MessengerService, plainName } from '../../messaging';
import { Caller, RequestContext } from '../../platform/context';
import { isLanguage } from '../../platform/i18n';
import { Organization } from '../../rbac';
import { OrganizationSettingsService } from '../organization-settings.service';
import { UserCache } from '../../users';
import { CodeTargetsService } from '../../verification';
import { InvitationView } from './invitation.views';

/** An invitation with what its message says. */
export interface InvitationMessage {
  readonly invitation: InvitationView;
  readonly organization: Organization;
  readonly token: string;
}

/** Path of the page that shows and accepts an invitation. */
const PAGE = '/invitation';

/** Sends invitations, in the language of the invited account or else of the inviter. */
@Injectable()
export class InvitationMessagesService {
  constructor(
    private readonly messenger: MessengerService,
    private readonly targets: CodeTargetsService,
    private readonly users: UserCache,
    private readonly settings: OrganizationSettingsService,
  ) {}

  /** Must not run in a transaction. Returns whether the message may have arrived. */
  async send(
    { invitation, organization, token }: InvitationMessage,
    caller: Caller,
    { origin, language }: RequestContext,
  ): Promise<boolean> {
    const { channel, target, address, expiresAt } = invitation;
    const owner = await this.targets.findOwner({ channel, key: target, address });
    const branding = await this.brandingOf(organization);
    const outcome = await this.messenger.send({
      channel,
      purpose: 'invitation',
      target: address,
      language: isLanguage(owner?.locale) ? owner.locale : language,
      values: {
        organization: plainName(organization.name, organization.slug),
        inviter: plainName((await this.users.get(caller.userId))?.nickname, caller.username),
        // In the fragment, which browsers send to no server: no log of a proxy has the token.
        link: `${origin.origin}${PAGE}#${token}`,
        expires: messageTime(expiresAt),
      },
      ...(owner && { userId: owner.id }),
      ...(branding && { branding }),
    });
    return mayHaveArrived(outcome);
  }

  /** Without the name: a message says which service sends it. */
  private async brandingOf({ id }: Organization): Promise<MessageBranding | undefined> {
    const overlay = await this.settings.overlayOf(id);
    if (!overlay) return undefined;
    const { primary_color: color, logo } = overlay.branding;
    return { color, logo };
  }
}
