import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, MoreThan, Repository } from 'typeorm';
import { CASTELLAN, inFuture, Transactions } from '../../../platform/database';
import { AccountLinkToken } from './account-link-token.entity';

@Injectable()
export class AccountLinkTokenRepository {
  constructor(
    @InjectRepository(AccountLinkToken, CASTELLAN) private readonly linkTokens: Repository<AccountLinkToken>,
    private readonly transactions: Transactions,
  ) {}

  async insert(link: Omit<AccountLinkToken, 'failures' | 'expiresAt'>, lifeSeconds: number): Promise<void> {
    await this.linkTokens
      .createQueryBuilder()
      .insert()
      .values({ ...link, expiresAt: () => 'now() + make_interval(secs => :life)' })
      .setParameter('life', lifeSeconds)
      .execute();
  }

  /** Finds an unexpired token with failures left. */
  find(id: string, maxFailures: number): Promise<AccountLinkToken | null> {
    return this.linkTokens.findOneBy({ id, failures: LessThan(maxFailures), expiresAt: inFuture() });
  }

  /** Counts a failure before the attempt. False if none is left. */
  async countFailure(id: string, maxFailures: number): Promise<boolean> {
    const { affected } = await this.linkTokens.increment(
      { id, failures: LessThan(maxFailures), expiresAt: inFuture() },
      'failures',
      1,
    );
    return affected === 1;
  }

  /** Undoes the count of an attempt that was neither accepted nor rejected. */
  async forgiveFailure(id: string): Promise<void> {
    await this.linkTokens.decrement({ id, failures: MoreThan(0) }, 'failures', 1);
  }

  /** Deletes the token. True for only one of several concurrent callers. */
  async consume(id: string): Promise<boolean> {
    const { affected } = await this.linkTokens.delete({ id, expiresAt: inFuture() });
    return affected === 1;
  }

  /** Deletes up to `limit` expired tokens and returns their number. SQL: skips locked rows. */
  async deleteExpired(limit: number): Promise<number> {
    return this.transactions.affected(
      `DELETE FROM oauth_bind_ticket WHERE id IN (
         SELECT id FROM oauth_bind_ticket WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
  }
}
