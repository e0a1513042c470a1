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

/** What the pool makes its connections of. */
interface OwnConnection extends Connection {
  connect(): Promise<unknown>;
  end(): Promise<void>;
}

/** `pg`'s, or the embedded database's. */
interface Pool {
  readonly options: { readonly max?: number };
  readonly Client: new (options: object) => OwnConnection;
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  connect(): Promise<Connection & { release(): void }>;
}

/** What the data source lends from, of which TypeORM's types say nothing; none before it is connected. */
export function poolOf({ driver }: DataSource): Pool | undefined {
  return (driver as unknown as { master?: Pool }).master;
}

/** Whether whoever asks now would have to wait until somebody gives a connection back. */
export function isLentOut(dataSource: DataSource): boolean {
  const pool = poolOf(dataSource);
  if (!pool) return false;
  const { options, totalCount, idleCount, waitingCount } = pool;
  return waitingCount > 0 || (idleCount === 0 && totalCount >= (options.max ?? Infinity));
}

type Lent = (...outcome: readonly unknown[]) => void;

/** Observes, in seconds, how long each caller waits who finds no idle connection. */
export function measureWaits(dataSource: DataSource, observe: (seconds: number) => void): void {
  const pool = poolOf(dataSource);
  if (!pool) return;
  const connect = pool.connect.bind(pool) as (callback?: Lent) => Promise<unknown> | undefined;
  const measured = (callback?: Lent): Promise<unknown> | undefined => {
    // Those that asked a moment ago still queue for the idle ones.
    if (pool.idleCount > pool.waitingCount) return connect(callback);
    const asked = performance.now();
    const end = (): void => {
      observe((performance.now() - asked) / 1_000);
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

/** A connection like those of the pool, and beside it. */
export async function askBesidePool(dataSource: DataSource, sql: string): Promise<void> {
  const pool = poolOf(dataSource);
  if (!pool) throw new Error('The database is not connected');
  const connection = new pool.Client(pool.options);
  try {
    await connection.connect();
    await connection.query(sql);
  } finally {
    // Nobody waits for the farewell of a server that is silent.
    void connection.end().catch(() => undefined);
  }
}

/** One statement, on whatever connection is free: TypeORM's own way to ask costs as much again as the asking. */
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
    // One that is broken is not lent again: the pool looks.
    connection.release();
  }
}
