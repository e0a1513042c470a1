import { Injectable } from '@nestjs/common';
import { sha256 } from '../../platform/crypto';
import { platformErrors } from '../../platform/errors';
import { OrganizationAuthorityService, OrganizationCoverService } from '../../rbac';
import { InvitationRepository } from './invitation.repository';
import { InvitationView } from './invitation.views';
import { invitationErrors } from './invitations.errors';
import { invitationPermissions } from './invitations.permissions';

const TOKEN = /^[\w-]{43}$/;

/** Finds the open invitation of a token. */
@Injectable()
export class InvitationTokensService {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly authority: OrganizationAuthorityService,
    private readonly cover: OrganizationCoverService,
  ) {}

  /**
   * Throws `not_found` for a token that is unknown, used, withdrawn, replaced or expired, and while the inviter may not
   * invite to the organization, or not with these roles. Throws `invitation_suspended` while the inviter is disabled.
   */
  async find(token: string): Promise<InvitationView> {
    return this.required(TOKEN.test(token) ? await this.invitations.findOpen(sha256(token)) : undefined);
  }

  /** Same as `find`, and locks the invitation, and before it the grants, until the transaction ends. */
  async lock(token: string): Promise<InvitationView> {
    await this.cover.lock();
    return this.required(TOKEN.test(token) ? await this.invitations.lockOpen(sha256(token)) : undefined);
  }

  private async required(invitation: InvitationView | undefined): Promise<InvitationView> {
    if (!invitation) throw platformErrors.notFound();
    if (invitation.isSuspended) throw invitationErrors.invitationSuspended();
    if (!(await this.isStillGiven(invitation))) throw platformErrors.notFound();
    return invitation;
  }

  private async isStillGiven({ inviterId, organizationId, roleIds }: InvitationView): Promise<boolean> {
    if (inviterId === null) return false;
    return this.authority.mayGive({ userId: inviterId, organizationId }, invitationPermissions.create, roleIds);
  }
}
