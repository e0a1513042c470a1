import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, IsNull, Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../platform/database';
import { SigningKey } from './signing-key.entity';

export type NewSigningKey = Omit<SigningKey, 'createdAt' | 'signsFrom' | 'retiredAt'>;

/** Whether a service has been at work in this database. SQL: it runs before anything is set up, the table included. */
export async function holdsSigningKeys(database: Pick<EntityManager, 'query'>): Promise<boolean> {
  const [table] = await database.query<[{ is_there: boolean }]>(
    `SELECT to_regclass('signing_key') IS NOT NULL AS is_there`,
  );
  return table.is_there && (await database.query<unknown[]>('SELECT 1 FROM signing_key LIMIT 1')).length > 0;
}

@Injectable()
export class SigningKeyRepository {
  constructor(
    @InjectRepository(SigningKey, CASTELLAN) private readonly keys: Repository<SigningKey>,
    private readonly transactions: Transactions,
  ) {}

  /** Keys in use, the newest first, and the database's time they were read at. */
  async findCurrent(): Promise<{ keys: SigningKey[]; now: Date }> {
    const keys = await this.keys.find({ where: { retiredAt: IsNull() }, order: { signsFrom: 'DESC', id: 'ASC' } });
    // SQL: the clock is in no table.
    const [row] = await this.transactions.manager.query<[{ now: Date }]>('SELECT now() AS now');
    return { keys, now: row.now };
  }

  /** Stores a key that signs from `aheadSeconds` from now, by the database's clock. */
  async insert(key: NewSigningKey, aheadSeconds: number): Promise<void> {
    await this.keys
      .createQueryBuilder()
      .insert()
      .values({ ...key, signsFrom: () => 'now() + make_interval(secs => :ahead)' })
      .setParameter('ahead', aheadSeconds)
      .execute();
  }

  /** No other instance makes a key until the transaction ends. SQL: a lock of the table. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Answers whether it was in use. */
  async retire(id: string): Promise<boolean> {
    const { affected } = await this.keys.update({ id, retiredAt: IsNull() }, { retiredAt: () => 'now()' });
    return affected === 1;
  }

  /** Compare-and-set, so that of two instances that seal anew one wins and neither writes over the other. */
  async replaceSealed(id: string, from: string, to: string): Promise<void> {
    await this.keys.update({ id, privateKey: from }, { privateKey: to });
  }
}
