import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../platform/database';
import { Attribute, AttributeView } from './attribute.entity';

/** SQL: a former version may still write the row, so the lock is what a writer of values waits for, nothing more. */
const LOCK_SHARED = `SELECT name FROM user_attribute WHERE name = ANY($1::varchar[]) ORDER BY name FOR KEY SHARE`;

@Injectable()
export class AttributeRepository {
  constructor(
    @InjectRepository(Attribute, CASTELLAN) private readonly attributes: Repository<Attribute>,
    private readonly transactions: Transactions,
  ) {}

  /** Serializes changes of definitions, so that limits and positions hold. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE user_attribute IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Those in force, by position, then name. */
  findAll(): Promise<Attribute[]> {
    return this.attributes.find({ where: { deletedAt: IsNull() }, order: { position: 'ASC', name: 'ASC' } });
  }

  /**
   * Locks the definitions against changes until the transaction ends, and returns those in force. Call in the transaction
   * that writes values of theirs, or what reads them.
   */
  async findForWriting(names: readonly string[]): Promise<Attribute[]> {
    await this.transactions.rows(LOCK_SHARED, [names]);
    return this.attributes.findBy({ name: Any(names), deletedAt: IsNull() });
  }

  /** Also one that was deleted less than a day ago. Waits for running writes of values. */
  findLocked(name: string): Promise<Attribute | null> {
    return this.attributes.findOne({ where: { name }, lock: { mode: 'pessimistic_write' } });
  }

  async save(attribute: AttributeView): Promise<void> {
    await this.attributes.save(attribute);
  }

  async remove(name: string): Promise<void> {
    await this.attributes.delete({ name });
  }

  /** Whether a user has a value. SQL: looks into JSON. */
  async hasValues(name: string): Promise<boolean> {
    const rows = await this.transactions.rows(
      'SELECT 1 FROM user_account WHERE attributes -> $1::text IS NOT NULL LIMIT 1',
      [name],
    );
    return rows.length > 0;
  }
}
