import { EmbeddedDatabase } from '../platform/database';

/** An in-memory PostgreSQL in this process. Its owner closes it. */
export interface TestDatabase {
  readonly embedded: EmbeddedDatabase;
  /** Runs between the service's statements. A query that waits for the service's open transaction never returns. */
  query<T = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** Opens an empty database. The service migrates it when it starts. */
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
