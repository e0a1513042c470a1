import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, Transactions } from '../../../platform/database';
import { LoginProvider } from './login-provider.entity';

export type NewLoginProvider = Omit<LoginProvider, 'version' | 'createdAt' | 'updatedAt'>;

@Injectable()
export class LoginProviderRepository {
  constructor(
    @InjectRepository(LoginProvider, CASTELLAN) private readonly providers: Repository<LoginProvider>,
    private readonly transactions: Transactions,
  ) {}

  /** By `sort`, then name; there are never more than a hundred. */
  findAll(): Promise<LoginProvider[]> {
    return this.providers.find({ order: { sort: 'ASC', name: 'ASC' } });
  }

  find(id: string): Promise<LoginProvider | null> {
    return this.providers.findOneBy({ id });
  }

  findByName(name: string): Promise<LoginProvider | null> {
    return this.providers.findOneBy({ name });
  }

  count(): Promise<number> {
    return this.providers.count();
  }

  /** Changes follow each other until the transaction ends, so that names stay apart; reading goes on. SQL: a lock. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE oauth_provider IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Held until the transaction ends: a parallel linking through it waits, and a running one is waited for. */
  findLocked(id: string): Promise<LoginProvider | null> {
    return this.providers.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Whether this version is there and enabled; until the transaction ends it is neither changed nor deleted. */
  async hold(id: string, version: number): Promise<boolean> {
    const held = await this.providers.findOne({
      select: { id: true },
      where: { id, version, enabled: true },
      lock: { mode: 'pessimistic_read' },
    });
    return held !== null;
  }

  async insert(provider: NewLoginProvider): Promise<void> {
    await this.providers.insert(provider);
  }

  /** Stores it as the next version. */
  async update({ id, ...values }: NewLoginProvider): Promise<void> {
    await this.providers.update({ id }, { ...values, version: () => 'version + 1', updatedAt: () => 'now()' });
  }

  async delete(id: string): Promise<void> {
    await this.providers.delete({ id });
  }

  /** Encrypts the same secret with another key; does nothing where the secret was replaced in the meantime. */
  async replaceSealed(id: string, before: string, after: string): Promise<void> {
    await this.providers.update({ id, clientSecret: before }, { clientSecret: after });
  }
}
