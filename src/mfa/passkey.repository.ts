import { Injectable } from '@nestjs/common';
import { Transactions, violatedUnique } from '../platform/database';
import { Passkey, PasskeyChallenge } from './mfa.entities';

export type NewPasskey = Omit<Passkey, 'createdAt' | 'lastUsedAt'>;
export type NewChallenge = Omit<PasskeyChallenge, 'expiresAt'>;

const CHALLENGE_LIFE = `interval '5 minutes'`;

@Injectable()
export class PasskeyRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Oldest first. */
  ofUser(userId: string): Promise<Passkey[]> {
    return this.transactions.manager.find(Passkey, { where: { userId }, order: { id: 'ASC' } });
  }

  async ownersAmong(userIds: readonly string[]): Promise<string[]> {
    const rows = await this.transactions.manager.query<{ user_id: string }[]>(
      'SELECT DISTINCT user_id FROM mfa_passkey WHERE user_id = ANY($1::uuid[])',
      [userIds],
    );
    return rows.map(({ user_id }) => user_id);
  }

  async exist(): Promise<boolean> {
    const rows = await this.transactions.manager.query<unknown[]>('SELECT 1 FROM mfa_passkey LIMIT 1');
    return rows.length > 0;
  }

  findByCredential(credentialId: string): Promise<Passkey | null> {
    return this.transactions.manager.findOneBy(Passkey, { credentialId });
  }

  /** undefined: the credential is registered already. */
  async insert(passkey: NewPasskey): Promise<Passkey | undefined> {
    try {
      await this.transactions.manager.insert(Passkey, passkey);
    } catch (error) {
      if (violatedUnique(error) === 'mfa_passkey_credential_unique') return undefined;
      throw error;
    }
    return this.transactions.manager.findOneByOrFail(Passkey, { id: passkey.id });
  }

  async rename(userId: string, id: string, name: string): Promise<Passkey | null> {
    await this.transactions.manager.update(Passkey, { userId, id }, { name });
    return this.transactions.manager.findOneBy(Passkey, { userId, id });
  }

  async delete(userId: string, id: string): Promise<boolean> {
    const { affected } = await this.transactions.manager.delete(Passkey, { userId, id });
    return affected === 1;
  }

  async deleteAll(userId: string): Promise<void> {
    await this.transactions.manager.delete(Passkey, { userId });
  }

  /** One compare-and-set: a count that does not rise is refused, unless the authenticator does not count (WebAuthn §7.2). */
  async spendCount(id: string, counter: number, isBackedUp: boolean): Promise<boolean> {
    const rows = await this.transactions.rows(
      `UPDATE mfa_passkey SET counter = $2, is_backed_up = $3, last_used_at = now()
       WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2::bigint = 0)) RETURNING id`,
      [id, counter, isBackedUp],
    );
    return rows.length > 0;
  }

  async insertChallenge({ challengeHash, ceremony, boundTo, rpId }: NewChallenge): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO mfa_passkey_challenge (challenge_hash, ceremony, bound_to, rp_id, expires_at)
       VALUES ($1, $2, $3, $4, now() + ${CHALLENGE_LIFE})`,
      [challengeHash, ceremony, boundTo, rpId],
    );
  }

  /** Takes the challenge away; of parallel answers one finds it. False too where it was made for something else. */
  async takeChallenge({ challengeHash, ceremony, boundTo, rpId }: NewChallenge): Promise<boolean> {
    const rows = await this.transactions.rows(
      `DELETE FROM mfa_passkey_challenge
       WHERE challenge_hash = $1 AND ceremony = $2 AND bound_to = $3 AND rp_id = $4 AND expires_at > now()
       RETURNING challenge_hash`,
      [challengeHash, ceremony, boundTo, rpId],
    );
    return rows.length > 0;
  }

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
