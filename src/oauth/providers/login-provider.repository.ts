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
