import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit';
import { newId, randomToken, sha256 } from '../../platform/crypto';
import { platformErrors } from '../../platform/errors';
import { CodeTarget } from '../../verification';
import { InvitationRepository } from './invitation.repository';
import { auditedInvitation, invitationTarget, InvitationView } from './invitation.views';
import { invitationErrors } from './invitations.errors';
import { invitationActs } from '../organization.acts';

export interface InvitationContent {
  readonly organizationId: string;
  readonly inviterId: string;
  readonly contact: CodeTarget;
  readonly roleIds: readonly string[];
  readonly lifeSeconds: number;
}

/** The reason of what follows a rejected message. */
export const REJECTED = 'message rejected';

/** An invitation with its new token, which is stored as a digest only. */
export interface IssuedInvitation {
  readonly invitation: InvitationView;
  readonly token: string;
}

/** An invitation that was sent again, with what it was before. */
export interface RenewedInvitation extends IssuedInvitation {
  readonly before: InvitationView;
  /** Of the former token. */
  readonly formerDigest: string;
}

/** Stores and audits invitations. It checks nothing: call each method in the transaction of the change. */
@Injectable()
export class InvitationChangesService {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly audit: AuditService,
  ) {}

  /** Throws `already_invited`. `create` checks it, too; alone, it refuses before a message is counted. */
  async requireNone(organizationId: string, { channel, key: target }: CodeTarget): Promise<void> {
    if (await this.invitations.isInvited({ organizationId, channel, target })) throw invitationErrors.alreadyInvited();
  }

  /** Throws `already_invited`. */
  async create({ contact, roleIds, lifeSeconds, ...content }: InvitationContent): Promise<IssuedInvitation> {
    const [id, token] = [newId(), randomToken()];
    const { channel, key: target, address } = contact;
    const row = { id, ...content, channel, target, address, tokenDigest: sha256(token) };
    await this.invitations.insert(row, roleIds, lifeSeconds);
    const invitation = await this.find(content.organizationId, id);
    await this.audit.record(invitationActs.create, {
      target: invitationTarget(invitation),
      after: auditedInvitation(invitation),
    });
    return { invitation, token };
  }

  /** The sender is the inviter from then on. */
  async renew(before: InvitationView, inviterId: string): Promise<RenewedInvitation> {
    const token = randomToken();
    const formerDigest = await this.invitations.renew(before.id, { tokenDigest: sha256(token), inviterId });
    if (formerDigest === undefined) throw platformErrors.notFound();
    const invitation = await this.find(before.organizationId, before.id);
    await this.audit.record(invitationActs.resend, {
      target: invitationTarget(invitation),
      before: auditedInvitation(before),
      after: auditedInvitation(invitation),
    });
    return { invitation, token, before, formerDigest };
  }

  /** Makes the former token valid again, unless the invitation was renewed, accepted or withdrawn since. */
  async restore({ invitation, token, before, formerDigest }: RenewedInvitation): Promise<void> {
    if (!(await this.invitations.restore(sha256(token), { ...before, tokenDigest: formerDigest }))) return;
    await this.audit.record(invitationActs.resend, {
      target: invitationTarget(before),
      outcome: 'failure',
      before: auditedInvitation(invitation),
      after: auditedInvitation(before),
      reason: REJECTED,
    });
  }

  async withdraw(invitation: InvitationView, reason?: string): Promise<void> {
    await this.invitations.delete(invitation.id);
    await this.audit.record(invitationActs.withdraw, {
      target: invitationTarget(invitation),
      before: auditedInvitation(invitation),
      ...(reason !== undefined && { reason }),
    });
  }

  /** Nothing opens them until another user sends them again. */
  async disableAll(invitations: readonly InvitationView[], reason: string): Promise<void> {
    await this.invitations.endInviter(invitations.map(({ id }) => id));
    await this.audit.recordAll(
      invitations.map((invitation) =>
        invitationActs.disable({
          target: invitationTarget(invitation),
          before: auditedInvitation(invitation),
          after: auditedInvitation({ ...invitation, inviterId: null }),
          reason,
        }),
      ),
    );
  }

  async accept(invitation: InvitationView, user: { id: string; username: string }): Promise<void> {
    await this.invitations.delete(invitation.id);
    await this.audit.record(invitationActs.accept, {
      target: invitationTarget(invitation),
      actor: user,
      after: { ...auditedInvitation(invitation), user_id: user.id },
    });
  }

  private async find(organizationId: string, id: string): Promise<InvitationView> {
    const found = await this.invitations.lock(organizationId, id);
    if (!found) throw platformErrors.notFound();
    return found;
  }
}
