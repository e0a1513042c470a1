import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../platform/database';
import { AuditChainKey } from './audit-chain-key.entity';

@Injectable()
export class AuditChainKeyRepository {
  constructor(
    @InjectRepository(AuditChainKey, CASTELLAN) private readonly keys: Repository<AuditChainKey>,
    private readonly transactions: Transactions,
  ) {}

  /** The newest key, if it was made within the days. SQL: an age by the clock of the database. */
  async findNewest(days: number): Promise<AuditChainKey | undefined> {
    const rows = await this.transactions.rows<AuditChainKey>(
      `SELECT id, private_key AS "privateKey", created_at AS "createdAt" FROM audit_chain_key
       WHERE created_at > now() - make_interval(days => $1) ORDER BY created_at DESC, id DESC LIMIT 1`,
      [days],
    );
    return rows[0];
  }

  list(): Promise<AuditChainKey[]> {
    return this.keys.find({ order: { createdAt: 'ASC', id: 'ASC' } });
  }

  async insert(key: Pick<AuditChainKey, 'id' | 'privateKey'>): Promise<void> {
    await this.keys.insert(key);
  }

  /** Compare-and-set, so that two instances that reseal at once do not overwrite each other. */
  async replaceSealed(id: string, from: string, to: string): Promise<void> {
    await this.keys.update({ id, privateKey: from }, { privateKey: to });
  }
}
