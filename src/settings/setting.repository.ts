import { Injectable } from '@nestjs/common';
import { prepared, Transactions } from '../platform/database';
import { SettingHistoryRow } from './setting-history.entity';
import { SettingRow } from './setting.entity';

export interface SettingChange {
  readonly key: string;
  /** As it is to be stored; null for the default. */
  readonly value: unknown;
  readonly changedBy: string | null;
  readonly reason: string | null;
}

const json = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));

const FIND = prepared(
  'SELECT key, value, version, updated_at AS "updatedAt", updated_by AS "updatedBy" FROM setting WHERE key = $1',
);

@Injectable()
export class SettingRepository {
  constructor(private readonly transactions: Transactions) {}

  async find(key: string): Promise<SettingRow | null> {
    return (await this.transactions.rows<SettingRow>(FIND, [key]))[0] ?? null;
  }

  findAll(): Promise<SettingRow[]> {
    return this.transactions.manager.find(SettingRow, { order: { key: 'ASC' } });
  }

  /** Changes of settings follow each other until the transaction ends, so that rules between them hold; reading goes on. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE setting IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Stores the value as the setting's next version, in a transaction that holds `lock`; answers the row before it. */
  async put({ key, value, changedBy, reason }: SettingChange): Promise<SettingRow | null> {
    const { manager } = this.transactions;
    const before = await this.find(key);
    const version = (before?.version ?? 0) + 1;
    await manager.query(
      `INSERT INTO setting (key, value, version, updated_by) VALUES ($1, $2::jsonb, $3, $4)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = excluded.version,
         updated_at = now(), updated_by = excluded.updated_by`,
      [key, json(value), version, changedBy],
    );
    await manager.query(
      `INSERT INTO setting_history (key, version, from_value, to_value, changed_by, reason)
       VALUES ($1, $2, $3::jsonb, $4::jsonb, $5, $6)`,
      [key, version, json(before?.value), json(value), changedBy, reason],
    );
    return before;
  }

  /** Newest first. */
  history(key: string, limit: number): Promise<SettingHistoryRow[]> {
    return this.transactions.manager.find(SettingHistoryRow, {
      where: { key },
      order: { version: 'DESC' },
      take: limit,
    });
  }

  /** The changes of the last days, newest first. */
  recentHistory(key: string, days: number, limit: number): Promise<SettingHistoryRow[]> {
    return this.transactions.manager
      .createQueryBuilder(SettingHistoryRow, 'history')
      .where('history.key = :key AND history.changedAt > now() - make_interval(days => :days)', { key, days })
      .orderBy('history.version', 'DESC')
      .limit(limit)
      .getMany();
  }

  /** Every sealed text of the settings, past ones included. */
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

  findVersion(key: string, version: number): Promise<SettingHistoryRow | null> {
    return this.transactions.manager.findOneBy(SettingHistoryRow, { key, version });
  }
}
