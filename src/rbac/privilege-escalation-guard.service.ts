import { Injectable } from '@nestjs/common';
import { AuditService, AuditTarget } from '../audit';
import { accessErrors } from '../platform/access';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { GrantRepository } from './grant.repository';
import { everythingIn, Grant, GrantSet, WILDCARD } from './permission';
import { auditedGrants } from './role.views';

/** Whoever acts: a caller, or the user that a change is recorded under. */
export type Actor = Pick<Caller, 'userId'>;

/** Of what was lacking, so much is written down: enough to see what was tried, whatever was asked for. */
const MAX_AUDITED = 50;

/**
 * Nobody hands out, takes away or acts on more than they hold. Every method belongs in the transaction of the act,
 * before its first write: it lets one such act at a time pass, so that what was looked at still holds when it is written
 * and of two who take away each other's rights the second finds its own gone. Whoever lacks something is in the audit, as `permission.escalate`, although the act is undone.
 * Errors: `escalation_denied`.
 */
@Injectable()
export class PrivilegeEscalationGuardService {
  constructor(
    private readonly transactions: Transactions,
    private readonly grants: GrantRepository,
    private readonly audit: AuditService,
  ) {}

  /** The actor may hand out, and take away, every one of the grants. */
  async requireCover(actor: Actor, grants: Iterable<Grant>, target?: AuditTarget): Promise<void> {
    if (!(await this.covers(actor, grants, target))) throw accessErrors.escalationDenied();
  }

  /** The same as an answer, for whoever has a refusal of their own. */
  async covers(actor: Actor, grants: Iterable<Grant>, target?: AuditTarget): Promise<boolean> {
    const missing = (await this.heldBy(actor)).missing(grants);
    if (missing.length === 0) return true;
    const after = { lacking: auditedGrants(missing.slice(0, MAX_AUDITED)), lacking_count: missing.length };
    this.transactions.afterRollback(() =>
      this.audit.recordFailure({ action: 'permission.escalate', after, ...(target && { target }) }),
    );
    return false;
  }

  /**
   * The actor holds all that the user holds, and so may touch any part of that user.
   * @param further what counts as held by the user beside their grants.
   */
  async requireCoverOfUser(actor: Actor, userId: string, further: Iterable<Grant> = []): Promise<void> {
    await this.stand();
    const held = [...(await this.grants.ofUser(userId)), ...further];
    await this.requireCover(actor, held, { type: 'user', id: userId });
  }

  /** Against a holder of everything only another one may act; all others pass. */
  async requireEqualOfHolderOfAll(actor: Actor, userId: string): Promise<void> {
    await this.stand();
    const everything = [everythingIn(WILDCARD)];
    if (new GrantSet(await this.grants.ofUser(userId)).missing(everything).length > 0) return;
    await this.requireCover(actor, everything, { type: 'user', id: userId });
  }

  /** As `requireCoverOfUser`, of many; the target is what they are to be changed by. */
  async requireCoverOfUsers(actor: Actor, userIds: readonly string[], target: AuditTarget): Promise<void> {
    await this.stand();
    await this.requireCover(actor, await this.grants.ofUsers(userIds), target);
  }

  /** Lets nobody else change who may do what until the transaction ends; what is read from here on stays true. */
  async stand(): Promise<void> {
    if (!this.transactions.isOpen) throw new Error('Authority is judged in the transaction of the act');
    await this.grants.lock();
  }

  private async heldBy({ userId }: Actor): Promise<GrantSet> {
    await this.stand();
    return new GrantSet(await this.grants.ofUser(userId));
  }
}
