import { Injectable } from '@nestjs/common';
import { Transactions } from './transactions';

/**
 * Identifies a database even if it started as a copy of another: the server's system identifier and the database's OID.
 */
const IDENTITY = `SELECT system_identifier::text || '/' || oid AS identity
  FROM pg_control_system(), pg_database WHERE datname = current_database()`;

/** Facts about the database server. SQL, because no table holds them. */
@Injectable()
export class DatabaseServerRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Throws if the role may not read it or the server is unreachable. */
  async identity(): Promise<string | undefined> {
    return (await this.transactions.rows<{ readonly identity: string }>(IDENTITY, []))[0]?.identity;
  }

  /** The server's clock at this moment, not at the start of a transaction. */
  async clock(): Promise<Date | undefined> {
    return (await this.transactions.rows<{ readonly now: Date }>('SELECT clock_timestamp() AS now', []))[0]?.now;
  }
}
