import { DataSource } from 'typeorm';

export interface QueryAnswer<T = unknown> {
  readonly rows: T[];
  readonly rowCount: number | null;
  /** Kind of the statement; null if the embedded database does not report it. */
  readonly command: string | null;
}

/** A connection of `pg` or of the embedded database. Runs statements in the order in which they are sent. */
export interface Connection {
  query<T>(sql: string, parameters?: readonly unknown[]): Promise<QueryAnswer<T>>;
}

/** Connection class of the pool. */
interface OwnConnection extends Connection {
  connect(): Promise<unknown>;
  end(): Promise<void>;
}

/** The pool of `pg` or of the embedded database. */
interface Pool {
  readonly options: { readonly max?: number };
  readonly Client: new (options: object) => OwnConnection;
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  connect(): Promise<Connection & { release(): void }>;
}

/** Returns the pool of the data source, which TypeORM's types hide; undefined before it is connected. */
export function poolOf({ driver }: DataSource): Pool | undefined {
  return (driver as unknown as { master?: Pool }).master;
}

/** Whether all connections are in use, so that the next caller has to wait. */
export function isLentOut(dataSource: DataSource): boolean {
  const pool = poolOf(dataSource);
  if (!pool) return false;
  const { options, totalCount, idleCount, waitingCount } = pool;
  return waitingCount > 0 || (idleCount === 0 && totalCount >= (options.max ?? Infinity));
}

type Lent = (...outcome: readonly unknown[]) => void;

/** Reports the seconds that each caller waits for a connection, if none is idle. */
export function measureWaits(dataSource: DataSource, observe: (seconds: number) => void): void {
  const pool = poolOf(dataSource);
  if (!pool) return;
  const connect = pool.connect.bind(pool) as (callback?: Lent) => Promise<unknown> | undefined;
  const measured = (callback?: Lent): Promise<unknown> | undefined => {
    // Callers that are still in the queue will take idle connections.
    if (pool.idleCount > pool.waitingCount) return connect(callback);
    const startedAt = performance.now();
    const end = (): void => {
      observe((performance.now() - startedAt) / 1_000);
    };
    if (callback) {
      return connect((...outcome) => {
        end();
        callback(...outcome);
      });
    }
    const lent = connect();
    lent?.then(end, end);
    return lent;
  };
  Object.assign(pool, { connect: measured });
}

/** Runs a statement on a separate connection with the options of the pool. */
export async function askBesidePool<T>(
  dataSource: DataSource,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<QueryAnswer<T>> {
  const pool = poolOf(dataSource);
  if (!pool) throw new Error('The database is not connected');
  const connection = new pool.Client(pool.options);
  try {
    await connection.connect();
    return await connection.query<T>(sql, parameters);
  } finally {
    // Does not wait: a silent server would never reply.
    void connection.end().catch(() => undefined);
  }
}

/** Runs one statement on any free connection. TypeORM's own way costs twice as much. */
export async function askPool<T>(
  dataSource: DataSource,
  sql: string,
  parameters: readonly unknown[],
): Promise<QueryAnswer<T>> {
  const pool = poolOf(dataSource);
  if (!pool) throw new Error('The database is not connected');
  const connection = await pool.connect();
  try {
    return await connection.query<T>(sql, parameters);
  } finally {
    // The pool itself discards a broken connection.
    connection.release();
  }
}
