import { Injectable } from '@nestjs/common';
import { accessErrors } from '../platform/access';
import { Caller } from '../platform/context';
import { Transactions } from '../platform/database';
import { GrantRepository } from './grant.repository';
import { Grant, GrantSet } from './permission';

/** Whoever acts: a caller, or the user that a change is recorded under. */
export type Actor = Pick<Caller, 'userId'>;

/**
 * Nobody hands out, takes away or acts on more than they hold. Every method belongs in the transaction of the act,
 * before its first write: it lets one such act at a time pass, so that what was looked at still holds when it is written
 * and of two who take away each other's rights the second finds its own gone. Errors: `escalation_denied`.
 */
@Injectable()
export class Authority {
  constructor(
    private readonly transactions: Transactions,
    private readonly grants: GrantRepository,
  ) {}

  /** The actor may hand out, and take away, every one of the grants. */
  async requireCover(actor: Actor, grants: Iterable<Grant>): Promise<void> {
    if (!(await this.covers(actor, grants))) throw accessErrors.escalationDenied();
  }

  /** The same as an answer, for whoever has a refusal of their own. */
  async covers(actor: Actor, grants: Iterable<Grant>): Promise<boolean> {
    return (await this.heldBy(actor)).coversAll(grants);
  }

  /** The actor holds all that the user holds, and so may touch any part of that user. */
  requireCoverOfUser(actor: Actor, userId: string): Promise<void> {
    return this.requireCoverOfUsers(actor, [userId]);
  }

  async requireCoverOfUsers(actor: Actor, userIds: readonly string[]): Promise<void> {
    await this.stand();
    await this.requireCover(actor, await this.grants.ofUsers(userIds));
  }

  /** Lets nobody else change who may do what until the transaction ends; what is read from here on stays true. */
  async stand(): Promise<void> {
    if (!this.transactions.isOpen) throw new Error('Authority is judged in the transaction of the act');
    await this.grants.lock();
  }

  private async heldBy({ userId }: Actor): Promise<GrantSet> {
    await this.stand();
    return new GrantSet(await this.grants.ofUsers([userId]));
  }
}
