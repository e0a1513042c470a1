import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, IsNull, Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../platform/database';
import { SigningKey } from './signing-key.entity';

export type NewSigningKey = Omit<SigningKey, 'createdAt' | 'signsFrom' | 'retiredAt'>;

/** Whether a service has used this database before. Raw SQL, because it runs before the schema exists. */
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

  /** The keys in use, newest first, and the database time of the read. */
  async findCurrent(): Promise<{ keys: SigningKey[]; now: Date }> {
    const keys = await this.keys.find({ where: { retiredAt: IsNull() }, order: { signsFrom: 'DESC', id: 'ASC' } });
    // Raw SQL, because the clock is in no table.
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

  /** Prevents other instances from creating keys until the transaction ends. Raw SQL for the table lock. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Returns whether the key was in use. */
  async retire(id: string): Promise<boolean> {
    const { affected } = await this.keys.update({ id, retiredAt: IsNull() }, { retiredAt: () => 'now()' });
    return affected === 1;
  }

  /** Compare-and-set, so that two instances that reseal at once do not overwrite each other. */
  async replaceSealed(id: string, from: string, to: string): Promise<void> {
    await this.keys.update({ id, privateKey: from }, { privateKey: to });
  }
}
