import { Client } from 'pg';
import { newId } from '../platform/crypto';
import { EmbeddedDatabase } from '../platform/database';

/** An in-memory PostgreSQL in this process, or a separate database on a server. Its owner closes it. */
export interface TestDatabase {
  readonly embedded?: EmbeddedDatabase;
  /** The database on the server. */
  readonly url?: string;
  /** Runs between the service's statements. A query that waits for the service's open transaction never returns. */
  query<T = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/**
 * Opens an empty database. The service migrates it when it starts.
 * @param serverUrl of a PostgreSQL on which the user may create databases. Default: embedded.
 */
export async function openTestDatabase(serverUrl?: string): Promise<TestDatabase> {
  return serverUrl === undefined ? testDatabaseOn(await EmbeddedDatabase.open()) : createOn(serverUrl);
}

async function createOn(serverUrl: string): Promise<TestDatabase> {
  const name = `castellan_test_${newId().replaceAll('-', '')}`;
  await runOn(serverUrl, `CREATE DATABASE ${name}`);
  const own = new URL(serverUrl);
  own.pathname = `/${name}`;
  const url = own.toString();
  return {
    url,
    query: (sql, parameters = []) => runOn(url, sql, parameters),
    close: async () => {
      await runOn(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function runOn<T>(connectionString: string, sql: string, parameters: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql, parameters)).rows as T[];
  } finally {
    await client.end();
  }
}

export function testDatabaseOn(embedded: EmbeddedDatabase): TestDatabase {
  return {
    embedded,
    query: async <T>(sql: string, parameters: unknown[] = []) => {
      const lease = await embedded.lease();
      try {
        return (await lease.query({ text: sql, values: parameters })).rows as T[];
      } finally {
        lease.release();
      }
    },
    close: () => embedded.close(),
  };
}
