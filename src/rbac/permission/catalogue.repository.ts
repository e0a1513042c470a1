import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CASTELLAN } from '../../platform/database';
import { CatalogueEntry } from './catalogue.entity';

@Injectable()
export class CatalogueRepository {
  constructor(@InjectRepository(CatalogueEntry, CASTELLAN) private readonly entries: Repository<CatalogueEntry>) {}

  findAll(): Promise<CatalogueEntry[]> {
    return this.entries.find();
  }

  findOfScope(scope: string): Promise<CatalogueEntry[]> {
    return this.entries.findBy({ scope });
  }

  /** Inserts the entries, or replaces level and description of those that exist. */
  async upsert(entries: readonly Omit<CatalogueEntry, 'createdAt'>[]): Promise<void> {
    await this.entries.upsert([...entries], ['scope', 'permissionId']);
  }

  find(scope: string, permissionId: string): Promise<CatalogueEntry | null> {
    return this.entries.findOneBy({ scope, permissionId });
  }

  async insert(entry: Omit<CatalogueEntry, 'createdAt'>): Promise<void> {
    await this.entries.insert(entry);
  }

  async delete(scope: string, permissionId: string): Promise<void> {
    await this.entries.delete({ scope, permissionId });
  }
}
