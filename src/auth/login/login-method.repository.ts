import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../platform/database';
import { LoginMethodSwitch } from './login-method.entity';

@Injectable()
export class LoginMethodRepository {
  constructor(
    @InjectRepository(LoginMethodSwitch, CASTELLAN) private readonly methods: Repository<LoginMethodSwitch>,
    private readonly transactions: Transactions,
  ) {}

  findDisabled(): Promise<LoginMethodSwitch[]> {
    return this.methods.findBy({ enabled: false });
  }

  /**
   * Serializes changes until the transaction ends, so that two of them cannot disable the last method. Reads continue.
   * Raw SQL for the table lock.
   */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE login_method IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Raw SQL for ON CONFLICT, because the first change inserts. */
  async put(type: string, enabled: boolean): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO login_method (type, enabled) VALUES ($1, $2)
       ON CONFLICT (type) DO UPDATE SET enabled = excluded.enabled, updated_at = now()`,
      [type, enabled],
    );
  }
}
