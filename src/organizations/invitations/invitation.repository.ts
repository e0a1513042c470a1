import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { CASTELLAN, inFuture, Transactions, violatedUnique } from '../../platform/database';
import { Page } from '../../platform/lists';
import { SetUpPlace } from '../../rbac';
import { Invitation, InvitationRole } from './invitation.entities';
import { InvitationView } from './invitation.views';
import { invitationErrors } from './invitations.errors';

export type NewInvitation = Omit<Invitation, 'createdAt' | 'sentAt' | 'expiresAt' | 'isSuspended'>;

type Renewed = 'tokenDigest' | 'inviterId' | 'sentAt' | 'expiresAt';

/** Expired invitations stay this long, so that they can be sent again. */
const KEPT = `interval '30 days'`;

@Injectable()
export class InvitationRepository {
  constructor(
    @InjectRepository(Invitation, CASTELLAN) private readonly invitations: Repository<Invitation>,
    @InjectRepository(InvitationRole, CASTELLAN) private readonly roles: Repository<InvitationRole>,
    private readonly transactions: Transactions,
  ) {}

  /** Newest first, and the number of all. */
  async list(
    organizationId: string,
    { limit, offset }: Pick<Page, 'limit' | 'offset'>,
  ): Promise<{ items: InvitationView[]; total: number }> {
    const where = { organizationId };
    const found = await this.invitations.find({ where, order: { id: 'DESC' }, take: limit, skip: offset });
    return { items: await this.withRoles(found), total: await this.invitations.countBy(where) };
  }

  /** Locks the row until the transaction ends. */
  async lock(organizationId: string, id: string): Promise<InvitationView | undefined> {
    const found = await this.invitations.findOne({
      where: { organizationId, id },
      lock: { mode: 'pessimistic_write' },
    });
    return this.oneWithRoles(found);
  }

  /** Whether the contact has an open invitation to the organization. */
  isInvited(contact: Pick<Invitation, 'organizationId' | 'channel' | 'target'>): Promise<boolean> {
    return this.invitations.existsBy({ ...contact, expiresAt: inFuture() });
  }

  /** The open invitations of the inviters, oldest first. */
  async findOpenBy({ userIds, organizationId }: SetUpPlace, { lock = false } = {}): Promise<InvitationView[]> {
    const found = await this.invitations.find({
      where: {
        inviterId: Any(userIds),
        expiresAt: inFuture(),
        ...(organizationId !== undefined && { organizationId }),
      },
      order: { id: 'ASC' },
      ...(lock && { lock: { mode: 'pessimistic_write' } }),
    });
    return this.withRoles(found);
  }

  async findOpen(tokenDigest: string): Promise<InvitationView | undefined> {
    return this.oneWithRoles(await this.invitations.findOneBy({ tokenDigest, expiresAt: inFuture() }));
  }

  /** As `findOpen`. Of concurrent calls, the others wait, and find nothing if the first one deletes the invitation. */
  async lockOpen(tokenDigest: string): Promise<InvitationView | undefined> {
    const found = await this.invitations.findOne({
      where: { tokenDigest, expiresAt: inFuture() },
      lock: { mode: 'pessimistic_write' },
    });
    return this.oneWithRoles(found);
  }

  /**
   * Replaces an expired invitation of the contact to the organization. Throws `already_invited` if there is an open one.
   * SQL: the database's clock.
   */
  async insert(invitation: NewInvitation, roleIds: readonly string[], lifeSeconds: number): Promise<void> {
    const { id, organizationId, channel, target, address, tokenDigest, inviterId } = invitation;
    await this.transactions.affected(
      `DELETE FROM invitation WHERE organization_id = $1 AND channel = $2 AND target = $3 AND expires_at <= now()`,
      [organizationId, channel, target],
    );
    try {
      await this.transactions.rows(
        `INSERT INTO invitation (id, organization_id, channel, target, address, token_digest, inviter_id, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8::int))`,
        [id, organizationId, channel, target, address, tokenDigest, inviterId, lifeSeconds],
      );
    } catch (error) {
      throw violatedUnique(error) === 'invitation_contact_unique'
        ? invitationErrors.alreadyInvited({ cause: error })
        : error;
    }
    await this.roles.insert(roleIds.map((roleId) => ({ invitationId: id, roleId })));
  }

  /**
   * Gives the locked invitation a new token for as long as the former one was valid. Returns the former token's digest.
   * SQL: the database's clock.
   */
  async renew(
    id: string,
    { tokenDigest, inviterId }: Pick<Invitation, 'tokenDigest' | 'inviterId'>,
  ): Promise<string | undefined> {
    const [former] = await this.transactions.rows<{ tokenDigest: string }>(
      `UPDATE invitation
       SET token_digest = $2, inviter_id = $3, sent_at = now(), expires_at = now() + (invitation.expires_at - invitation.sent_at)
       FROM invitation AS former WHERE invitation.id = $1 AND former.id = $1
       RETURNING former.token_digest AS "tokenDigest"`,
      [id, tokenDigest, inviterId],
    );
    return former?.tokenDigest;
  }

  /** Undoes `renew`. Returns false if the invitation has another token by now, or is gone. */
  async restore(renewedDigest: string, former: Pick<Invitation, Renewed>): Promise<boolean> {
    const { tokenDigest, inviterId, sentAt, expiresAt } = former;
    const { affected } = await this.invitations.update(
      { tokenDigest: renewedDigest },
      { tokenDigest, inviterId, sentAt, expiresAt },
    );
    return affected === 1;
  }

  async endInviter(ids: readonly string[]): Promise<void> {
    await this.invitations.update({ id: Any(ids) }, { inviterId: null });
  }

  async delete(id: string): Promise<void> {
    await this.invitations.delete({ id });
  }

  /** Deletes up to `limit` long expired invitations and returns their number. SQL: skips locked rows. */
  async deleteExpired(limit: number): Promise<number> {
    return this.transactions.affected(
      `DELETE FROM invitation WHERE id IN (
         SELECT id FROM invitation WHERE expires_at < now() - ${KEPT}
         ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
  }

  private async oneWithRoles(invitation: Invitation | null): Promise<InvitationView | undefined> {
    const [view] = invitation ? await this.withRoles([invitation]) : [];
    return view;
  }

  private async withRoles(invitations: readonly Invitation[]): Promise<InvitationView[]> {
    const ids = invitations.map(({ id }) => id);
    const rows = await this.roles.find({ where: { invitationId: Any(ids) }, order: { roleId: 'ASC' } });
    return invitations.map(({ tokenDigest: _, ...invitation }) => ({
      ...invitation,
      roleIds: rows.filter(({ invitationId }) => invitationId === invitation.id).map(({ roleId }) => roleId),
    }));
  }
}
