import { DataSource } from 'typeorm';

export interface QueryAnswer<T = unknown> {
  readonly rows: T[];
  readonly rowCount: number | null;
  /** What kind of statement it was; null where the embedded database names none. */
  readonly command: string | null;
}

/** What `pg` and the embedded database lend. Statements that are asked together are done in their order. */
export interface Connection {
  query<T>(sql: string, parameters?: readonly unknown[]): Promise<QueryAnswer<T>>;
}

interface Pool {
  connect(): Promise<Connection & { release(): void }>;
}

/** One statement, on whatever connection is free: TypeORM's own way to ask costs as much again as the asking. */
export async function askPool<T>(
  dataSource: DataSource,
  sql: string,
  parameters: readonly unknown[],
): Promise<QueryAnswer<T>> {
  const { master } = dataSource.driver as unknown as { master?: Pool };
  if (!master) throw new Error('The database is not connected');
  const connection = await master.connect();
  try {
    return await connection.query<T>(sql, parameters);
  } finally {
    // One that is broken is not lent again: the pool looks.
    connection.release();
  }
}
