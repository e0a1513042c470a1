import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { SettingRow } from './setting.entity';

@Injectable()
export class SettingRepository {
  constructor(private readonly transactions: Transactions) {}

  findAll(): Promise<SettingRow[]> {
    return this.transactions.manager.find(SettingRow, { order: { key: 'ASC' } });
  }

  /** Stores the value as the setting's next version and answers the value before it. */
  async put(key: string, value: unknown, updatedBy: string | null): Promise<unknown> {
    const { manager } = this.transactions;
    const before = await manager
      .createQueryBuilder(SettingRow, 'setting')
      .setLock('pessimistic_write')
      .where('setting.key = :key', { key })
      .getOne();
    await manager.query(
      `INSERT INTO setting (key, value, updated_by) VALUES ($1, $2::jsonb, $3)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = setting.version + 1,
         updated_at = now(), updated_by = excluded.updated_by`,
      [key, JSON.stringify(value), updatedBy],
    );
    return before?.value;
  }
}
