import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { CASTELLAN, preparedStatement, Transactions } from '../platform/database';
import { SettingChange } from './setting-change.entity';
import { StoredSetting } from './stored-setting.entity';

export interface NewSettingValue {
  readonly key: string;
  /** The stored form. null means the default. */
  readonly value: unknown;
  readonly changedBy: string | null;
  readonly reason: string | null;
}

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));

/** Prepared because it runs wherever a setting may have changed. */
const FIND = preparedStatement(
  'SELECT key, value, version, updated_at AS "updatedAt", updated_by AS "updatedBy" FROM setting WHERE key = $1',
);

@Injectable()
export class SettingRepository {
  constructor(
    @InjectRepository(StoredSetting, CASTELLAN) private readonly settings: Repository<StoredSetting>,
    @InjectRepository(SettingChange, CASTELLAN) private readonly histories: Repository<SettingChange>,
    private readonly transactions: Transactions,
  ) {}

  async find(key: string): Promise<StoredSetting | null> {
    return (await this.transactions.rows<StoredSetting>(FIND, [key]))[0] ?? null;
  }

  findAll(): Promise<StoredSetting[]> {
    return this.settings.find({ order: { key: 'ASC' } });
  }

  /**
   * Serializes writers until the transaction ends, so that validators across settings still hold at commit. Reads
   * continue. Raw SQL for the table lock.
   */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE setting IN SHARE ROW EXCLUSIVE MODE');
  }

  /**
   * Stores the value as the next version and returns the previous row. Call in a transaction that holds `lock`. Raw SQL
   * for ON CONFLICT, because the first change inserts.
   */
  async put({ key, value, changedBy, reason }: NewSettingValue): Promise<StoredSetting | null> {
    const before = await this.find(key);
    const version = (before?.version ?? 0) + 1;
    await this.transactions.manager.query(
      `INSERT INTO setting (key, value, version, updated_by) VALUES ($1, $2::jsonb, $3, $4)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = excluded.version,
         updated_at = now(), updated_by = excluded.updated_by`,
      [key, json(value), version, changedBy],
    );
    const change = { key, version, fromValue: before?.value ?? null, toValue: value ?? null, changedBy, reason };
    await this.histories.insert(change as QueryDeepPartialEntity<SettingChange>);
    return before;
  }

  /** Newest first. */
  history(key: string, limit: number): Promise<SettingChange[]> {
    return this.histories.find({
      where: { key },
      order: { version: 'DESC' },
      take: limit,
    });
  }

  /** Changes of the last `days` days, newest first. */
  recentHistory(key: string, days: number, limit: number): Promise<SettingChange[]> {
    return this.histories
      .createQueryBuilder('history')
      .where('history.key = :key AND history.changedAt > now() - make_interval(days => :days)', { key, days })
      .orderBy('history.version', 'DESC')
      .limit(limit)
      .getMany();
  }

  /** Every sealed value in the settings and their history. Raw SQL for a union that extracts text from JSON. */
  findSealed(keys: readonly string[]): Promise<{ key: string; sealed: string }[]> {
    return this.transactions.manager.query(
      `SELECT key, value #>> '{}' AS sealed FROM (
         SELECT key, value FROM setting
         UNION SELECT key, from_value FROM setting_history
         UNION SELECT key, to_value FROM setting_history) AS stored
       WHERE key = ANY($1) AND value IS NOT NULL`,
      [keys],
    );
  }

  /** Raw SQL for a compare-and-set on JSON in three columns. */
  async replaceSealed(key: string, before: string, after: string): Promise<void> {
    const columns = [
      ['setting', 'value'],
      ['setting_history', 'from_value'],
      ['setting_history', 'to_value'],
    ];
    for (const [table, column] of columns) {
      await this.transactions.manager.query(
        `UPDATE ${table} SET ${column} = to_jsonb($3::text) WHERE key = $1 AND ${column} = to_jsonb($2::text)`,
        [key, before, after],
      );
    }
  }

  findVersion(key: string, version: number): Promise<SettingChange | null> {
    return this.histories.findOneBy({ key, version });
  }
}
