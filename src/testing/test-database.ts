import { EmbeddedDatabase } from '../platform/database';

/** A PostgreSQL of its own inside this process, in memory; its owner closes it. */
export interface TestDatabase {
  readonly embedded: EmbeddedDatabase;
  /** Between what the service does; a query that waits for the service's own transaction waits for ever. */
  query<T = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** Opens an empty one; the service migrates it when it starts. */
export async function openTestDatabase(): Promise<TestDatabase> {
  return testDatabaseOn(await EmbeddedDatabase.open());
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
