import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { LoginProvider } from './login-provider.entity';

export type NewLoginProvider = Omit<LoginProvider, 'version' | 'createdAt' | 'updatedAt'>;

@Injectable()
export class LoginProviderRepository {
  constructor(private readonly transactions: Transactions) {}

  /** By `sort`, then name; there are never more than a hundred. */
  findAll(): Promise<LoginProvider[]> {
    return this.transactions.manager.find(LoginProvider, { order: { sort: 'ASC', name: 'ASC' } });
  }

  find(id: string): Promise<LoginProvider | null> {
    return this.transactions.manager.findOneBy(LoginProvider, { id });
  }

  findByName(name: string): Promise<LoginProvider | null> {
    return this.transactions.manager.findOneBy(LoginProvider, { name });
  }

  count(): Promise<number> {
    return this.transactions.manager.count(LoginProvider);
  }

  /** Changes follow each other until the transaction ends, so that names stay apart; reading goes on. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE oauth_provider IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Until the transaction ends: whoever links somebody through it waits, and who has linked is waited for. */
  findLocked(id: string): Promise<LoginProvider | null> {
    return this.transactions.manager.findOne(LoginProvider, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Whether this version is there and enabled; until the transaction ends it is neither changed nor deleted. */
  async hold(id: string, version: number): Promise<boolean> {
    const rows = await this.transactions.manager.query<unknown[]>(
      'SELECT 1 FROM oauth_provider WHERE id = $1 AND version = $2 AND enabled FOR SHARE',
      [id, version],
    );
    return rows.length > 0;
  }

  async insert(provider: NewLoginProvider): Promise<void> {
    await this.transactions.manager.insert(LoginProvider, provider);
  }

  /** Stores it as the next version. */
  async update({ id, ...values }: NewLoginProvider): Promise<void> {
    await this.transactions.manager.update(
      LoginProvider,
      { id },
      { ...values, version: () => 'version + 1', updatedAt: () => 'now()' },
    );
  }

  async delete(id: string): Promise<void> {
    await this.transactions.manager.delete(LoginProvider, { id });
  }

  /** The same secret under another key; undone where somebody replaced it meanwhile. */
  async replaceSealed(id: string, before: string, after: string): Promise<void> {
    await this.transactions.manager.update(LoginProvider, { id, clientSecret: before }, { clientSecret: after });
  }
}
