import { Injectable } from '@nestjs/common';
import { Transactions } from '../database';
import { SigningKey } from './signing-key.entity';

@Injectable()
export class SigningKeyRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Keys in use, the newest first, and the database's time they were read at. */
  async findCurrent(): Promise<{ keys: SigningKey[]; now: Date }> {
    const { manager } = this.transactions;
    const keys = await manager
      .createQueryBuilder(SigningKey, 'key')
      .where('key.retiredAt IS NULL')
      .orderBy('key.signsFrom', 'DESC')
      .addOrderBy('key.id')
      .getMany();
    const [row] = await manager.query<[{ now: Date }]>('SELECT now() AS now');
    return { keys, now: row.now };
  }

  async insert(key: Omit<SigningKey, 'createdAt' | 'signsFrom' | 'retiredAt'>): Promise<void> {
    await this.transactions.manager
      .createQueryBuilder()
      .insert()
      .into(SigningKey)
      .values({ ...key, publicJwk: () => ':jwk::jsonb', signsFrom: () => 'now()', retiredAt: null })
      .setParameter('jwk', JSON.stringify(key.publicJwk))
      .execute();
  }
}
