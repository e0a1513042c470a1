import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { LoginMethodRow } from './login-method.entity';

@Injectable()
export class LoginMethodRepository {
  constructor(private readonly transactions: Transactions) {}

  findDisabled(): Promise<LoginMethodRow[]> {
    return this.transactions.manager.findBy(LoginMethodRow, { enabled: false });
  }

  /** Changes follow each other until the transaction ends, so that the last method cannot go twice; reading goes on. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE login_method IN SHARE ROW EXCLUSIVE MODE');
  }

  async put(type: string, enabled: boolean): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO login_method (type, enabled) VALUES ($1, $2)
       ON CONFLICT (type) DO UPDATE SET enabled = excluded.enabled, updated_at = now()`,
      [type, enabled],
    );
  }
}
