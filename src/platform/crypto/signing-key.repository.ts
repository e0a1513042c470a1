import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../database';
import { SigningKey } from './signing-key.entity';

export type NewSigningKey = Omit<SigningKey, 'createdAt' | 'signsFrom' | 'retiredAt'>;

/** Before anything is set up: whether a service has been at work in this database. */
export async function holdsSigningKeys(database: Pick<EntityManager, 'query'>): Promise<boolean> {
  const [table] = await database.query<[{ is_there: boolean }]>(
    `SELECT to_regclass('signing_key') IS NOT NULL AS is_there`,
  );
  return table.is_there && (await database.query<unknown[]>('SELECT 1 FROM signing_key LIMIT 1')).length > 0;
}

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

  /** Stores a key that signs from `aheadSeconds` from now, by the database's clock. */
  async insert(key: NewSigningKey, aheadSeconds: number): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO signing_key (id, usage, algorithm, public_jwk, private_key, signs_from)
       VALUES ($1, $2, $3, $4::jsonb, $5, now() + make_interval(secs => $6::int))`,
      [key.id, key.usage, key.algorithm, JSON.stringify(key.publicJwk), key.privateKey, aheadSeconds],
    );
  }

  /** Nobody else makes a key until the transaction ends. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Answers whether it was in use. */
  async retire(id: string): Promise<boolean> {
    const count = await this.transactions.affected(
      'UPDATE signing_key SET retired_at = now() WHERE id = $1 AND retired_at IS NULL',
      [id],
    );
    return count > 0;
  }

  /** Compare-and-set, so that of two instances that seal anew one wins and neither writes over the other. */
  async replaceSealed(id: string, from: string, to: string): Promise<void> {
    await this.transactions.manager.query(
      'UPDATE signing_key SET private_key = $3 WHERE id = $1 AND private_key = $2',
      [id, from, to],
    );
  }
}
