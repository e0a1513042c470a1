import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database';
import { HostDeclaration } from './host-declaration.entity';

/** SQL: TypeORM would store the JSON value null as NULL, and text as it is. */
@Injectable()
export class HostDeclarationRepository {
  constructor(private readonly transactions: Transactions) {}

  findAll(): Promise<HostDeclaration[]> {
    return this.transactions.rows<HostDeclaration>('SELECT kind, name, content FROM host_declaration', []);
  }

  async save({ kind, name, content }: HostDeclaration): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO host_declaration (kind, name, content) VALUES ($1, $2, $3::jsonb)
       ON CONFLICT ON CONSTRAINT host_declaration_pk DO UPDATE SET content = excluded.content`,
      [kind, name, JSON.stringify(content)],
    );
  }
}
