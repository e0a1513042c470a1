import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN, isForeignKeyViolated, Transactions } from '../../../platform/database';
import { platformErrors } from '../../../platform/errors';
import { LoginProvider } from './login-provider.entity';

export type NewLoginProvider = Omit<LoginProvider, 'version' | 'createdAt' | 'updatedAt'>;

@Injectable()
export class LoginProviderRepository {
  constructor(
    @InjectRepository(LoginProvider, CASTELLAN) private readonly providers: Repository<LoginProvider>,
    private readonly transactions: Transactions,
  ) {}

  /** Ordered by `sort`, then name. There are at most 100. */
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

  /** Serializes changes until the transaction ends, so that names stay unique. Reads continue. SQL: a table lock. */
  async lock(): Promise<void> {
    await this.transactions.manager.query('LOCK TABLE oauth_provider IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Locked until the transaction ends. Waits for links in progress, and new ones wait for it. */
  findLocked(id: string): Promise<LoginProvider | null> {
    return this.providers.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Whether this version exists and is enabled. Locks it against changes until the transaction ends. */
  async hold(id: string, version: number): Promise<boolean> {
    const held = await this.providers.findOne({
      select: { id: true },
      where: { id, version, enabled: true },
      lock: { mode: 'pessimistic_read' },
    });
    return held !== null;
  }

  /** Throws `validation_failed` for an unknown organization. */
  async insert(provider: NewLoginProvider): Promise<void> {
    try {
      await this.providers.insert(provider);
    } catch (error) {
      if (!isForeignKeyViolated(error)) throw error;
      const fields = [
        { field: 'organization_id', code: 'unknown_organization', params: { id: provider.organizationId ?? '' } },
      ];
      throw platformErrors.validationFailed({ fields, cause: error });
    }
  }

  /** Stores the values as the next version. */
  async update({ id, ...values }: NewLoginProvider): Promise<void> {
    await this.providers.update({ id }, { ...values, version: () => 'version + 1', updatedAt: () => 'now()' });
  }

  async delete(id: string): Promise<void> {
    await this.providers.delete({ id });
  }

  /** Stores the same secret encrypted with another key, unless it has been replaced in the meantime. */
  async replaceSealed(id: string, before: string, after: string): Promise<void> {
    await this.providers.update({ id, clientSecret: before }, { clientSecret: after });
  }
}
