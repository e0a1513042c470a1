import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { CatalogueEntry } from './catalogue.entity';

@Injectable()
export class CatalogueRepository {
  constructor(private readonly transactions: Transactions) {}

  findAll(): Promise<CatalogueEntry[]> {
    return this.transactions.manager.find(CatalogueEntry);
  }

  find(scope: string, permissionId: string): Promise<CatalogueEntry | null> {
    return this.transactions.manager.findOneBy(CatalogueEntry, { scope, permissionId });
  }

  async insert(entry: Omit<CatalogueEntry, 'createdAt'>): Promise<void> {
    await this.transactions.manager.insert(CatalogueEntry, entry);
  }

  async delete(scope: string, permissionId: string): Promise<void> {
    await this.transactions.manager.delete(CatalogueEntry, { scope, permissionId });
  }
}
