import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { FindOptionsWhere, LessThan, Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../platform/database';
import { AuditRoot } from './audit-root.entity';
import { DroppedRange } from './signed-drops';

export type SignedRoot = Pick<AuditRoot, 'number' | 'token'>;

/** The roots that were made in a time. */
export interface RootRange {
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** Roots, and events of them, that are read at once. */
const MAX_ROOTS = 500;
const MAX_EVENTS = 10_000;

@Injectable()
export class AuditRootRepository {
  constructor(
    @InjectRepository(AuditRoot, CASTELLAN) private readonly roots: Repository<AuditRoot>,
    private readonly transactions: Transactions,
  ) {}

  /** Lets one instance at a time extend the chain. Raw SQL for the table lock. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE audit_root IN SHARE ROW EXCLUSIVE MODE');
  }

  async newest(): Promise<SignedRoot | undefined> {
    const [root] = await this.find({}, 1);
    return root;
  }

  async *newestFirst(): AsyncGenerator<SignedRoot> {
    let page = await this.find({}, 1);
    while (page.length > 0) {
      yield* page;
      page = await this.before(page.at(-1)?.number ?? '0', MAX_ROOTS);
    }
  }

  /** The last roots before the number, newest first. */
  before(number: string, limit: number): Promise<SignedRoot[]> {
    return this.find({ number: LessThan(number) }, limit);
  }

  private find(where: FindOptionsWhere<AuditRoot>, take: number): Promise<SignedRoot[]> {
    return this.roots.find({ select: { number: true, token: true }, where, order: { number: 'DESC' }, take });
  }

  /** Age in seconds of the newest root, by the clock of the database; undefined without one. */
  async newestAge(): Promise<number | undefined> {
    const [row] = await this.transactions.rows<{ seconds: number }>(
      'SELECT extract(epoch FROM now() - made_at)::float8 AS seconds FROM audit_root ORDER BY number DESC LIMIT 1',
      [],
    );
    return row?.seconds;
  }

  async insert(root: Omit<AuditRoot, 'madeAt'>): Promise<void> {
    await this.roots.insert(root);
  }

  /** The next roots after the number, in order: few enough that their entries fit into memory. SQL: a running total. */
  async findAfter(number: string, { from, to }: RootRange): Promise<AuditRoot[]> {
    return this.transactions.rows<AuditRoot>(
      `SELECT number::text, token, events, last_at AS "lastAt", made_at AS "madeAt", entries FROM (
         SELECT *, sum(events) OVER (ORDER BY number) - events AS events_before FROM (
           SELECT * FROM audit_root
           WHERE number > $1::bigint AND ($2::timestamptz IS NULL OR made_at >= $2)
             AND ($3::timestamptz IS NULL OR made_at < $3)
           ORDER BY number LIMIT ${MAX_ROOTS}) AS next) AS counted
       WHERE events_before < ${MAX_EVENTS} ORDER BY counted.number`,
      [number, from ?? null, to ?? null],
    );
  }

  /** The roots that say what was dropped are among them. */
  findWithoutEvents(): Promise<SignedRoot[]> {
    return this.roots.find({ select: { number: true, token: true }, where: { events: 0 }, order: { number: 'ASC' } });
  }

  /** The time of the transaction by the clock of the database, by which partitions expire. SQL: the clock. */
  async now(): Promise<Date> {
    const [row] = await this.transactions.rows<{ now: Date }>('SELECT now()', []);
    return row?.now ?? new Date();
  }

  /** Removes the entries of up to `limit` roots whose latest event was dropped. SQL: skips locked rows. */
  async clearEntries(dropped: readonly DroppedRange[], limit: number): Promise<number> {
    const columns = (['from', 'to', 'root'] as const).map((part) => dropped.map((range) => range[part]));
    return this.transactions.affected(
      `UPDATE audit_root SET entries = NULL WHERE number IN (
         SELECT number FROM unnest($1::float8[], $2::float8[], $3::bigint[]) AS range (starts, ends, dropped_by)
         CROSS JOIN LATERAL (
           SELECT number FROM audit_root WHERE entries IS NOT NULL AND number < dropped_by
             AND last_at >= to_timestamp(starts / 1000) AND last_at < to_timestamp(ends / 1000)
           ORDER BY last_at LIMIT $4 FOR UPDATE SKIP LOCKED) AS cleared
         LIMIT $4)`,
      [...columns, limit],
    );
  }
}
