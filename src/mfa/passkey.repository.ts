import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { CASTELLAN, inFuture, Transactions, violatedUnique } from '../platform/database';
import { Passkey, PasskeyChallenge } from './mfa.entities';

export type NewPasskey = Omit<Passkey, 'createdAt' | 'lastUsedAt'>;
export type NewChallenge = Omit<PasskeyChallenge, 'expiresAt'>;

const CHALLENGE_LIFE = `interval '5 minutes'`;

@Injectable()
export class PasskeyRepository {
  constructor(
    @InjectRepository(Passkey, CASTELLAN) private readonly passkeys: Repository<Passkey>,
    @InjectRepository(PasskeyChallenge, CASTELLAN) private readonly challenges: Repository<PasskeyChallenge>,
    private readonly transactions: Transactions,
  ) {}

  /** Oldest first. */
  ofUser(userId: string): Promise<Passkey[]> {
    return this.passkeys.find({ where: { userId }, order: { id: 'ASC' } });
  }

  async ownersAmong(userIds: readonly string[]): Promise<string[]> {
    const rows = await this.passkeys
      .createQueryBuilder('passkey')
      .select('passkey.userId', 'id')
      .distinct()
      .where({ userId: Any(userIds) })
      .getRawMany<{ id: string }>();
    return rows.map(({ id }) => id);
  }

  exist(): Promise<boolean> {
    return this.passkeys.exists();
  }

  findByCredential(credentialId: string): Promise<Passkey | null> {
    return this.passkeys.findOneBy({ credentialId });
  }

  /** Returns undefined when the credential is already registered. */
  async insert(passkey: NewPasskey): Promise<Passkey | undefined> {
    try {
      await this.passkeys.insert(passkey);
    } catch (error) {
      if (violatedUnique(error) === 'mfa_passkey_credential_unique') return undefined;
      throw error;
    }
    return this.passkeys.findOneByOrFail({ id: passkey.id });
  }

  async rename(userId: string, id: string, name: string): Promise<Passkey | null> {
    await this.passkeys.update({ userId, id }, { name });
    return this.passkeys.findOneBy({ userId, id });
  }

  async delete(userId: string, id: string): Promise<boolean> {
    const { affected } = await this.passkeys.delete({ userId, id });
    return affected === 1;
  }

  async deleteAll(userId: string): Promise<void> {
    await this.passkeys.delete({ userId });
  }

  /**
   * Stores the new signature counter. Returns false when it does not increase, unless the authenticator does not count
   * (WebAuthn §7.2). Raw SQL for one compare-and-set.
   */
  async consumeCount(id: string, counter: number, isBackedUp: boolean): Promise<boolean> {
    const rows = await this.transactions.rows(
      `UPDATE mfa_passkey SET counter = $2, is_backed_up = $3, last_used_at = now()
       WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2::bigint = 0)) RETURNING id`,
      [id, counter, isBackedUp],
    );
    return rows.length > 0;
  }

  async insertChallenge(challenge: NewChallenge): Promise<void> {
    await this.challenges.insert({ ...challenge, expiresAt: () => `now() + ${CHALLENGE_LIFE}` });
  }

  /**
   * Consumes the challenge. Returns true for only one of parallel responses, and false when the challenge has another
   * purpose.
   * @param boundTo accepts any of these values
   */
  async takeChallenge(
    { challengeHash, ceremony, rpId }: Omit<NewChallenge, 'boundTo'>,
    boundTo: readonly string[],
  ): Promise<boolean> {
    const { affected } = await this.challenges.delete({
      challengeHash,
      ceremony,
      boundTo: Any(boundTo),
      rpId,
      expiresAt: inFuture(),
    });
    return affected === 1;
  }

  /** Raw SQL for a batch that skips locked rows. */
  async deleteExpiredChallenges(limit: number): Promise<number> {
    const rows = await this.transactions.rows(
      `DELETE FROM mfa_passkey_challenge WHERE challenge_hash IN (
         SELECT challenge_hash FROM mfa_passkey_challenge WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING challenge_hash`,
      [limit],
    );
    return rows.length;
  }
}
