import { DataSource } from 'typeorm';
import { pause, withDeadline } from '../util';
import { askBesidePool, isLentOut, measureWaits, poolOf } from './connection';
import { closeAll } from './close-all';
import { embeddedDataSource, LIMIT_TRANSACTION, migrationDataSource, Schema, serverDataSource } from './data-source';
import { isDatabaseBusy, isDatabaseUnavailable, isPoolBusy } from './database-errors';
import { takeDataFolder } from './data-folder';
import { createEmbeddedPool, EmbeddedDatabase } from './embedded';
import { listMigrations, MigrationReport } from './migration-list';
import { connectionError, UrlVariable } from './connection-error';
import { explainingRights } from './rights-error';
import { serverOf } from './server-address';
import { DatabaseUrls, useCredentials } from './server-credentials';
import { SingleFlight } from './single-flight';
import { withStartupLock } from './startup-lock';
import { rejectTakenNames } from './taken-names';

export interface DatabaseOptions {
  /** Undefined: the embedded database. */
  readonly url?: string;
  /** For migrations and the startup lock, if `url` leads to a connection pooler. */
  readonly directUrl?: string;
  /** Replicas of `url`, for reading lists. */
  readonly replicaUrls?: readonly string[];
  /** Folder of the embedded database; undefined: `embedded`, or a database in memory. */
  readonly dataDir?: string;
  readonly embedded?: EmbeddedDatabase;
  readonly poolSize?: number;
  /** How long the startup waits for an unreachable server. */
  readonly waitMs?: number;
  readonly onPoolError: (error: unknown) => void;
  /** Called once if the server is unreachable at startup. */
  readonly onWaiting: (wait: DatabaseWait) => void;
}

/** What the startup waits for, and for how long at most. */
export interface DatabaseWait {
  readonly server: string;
  readonly seconds: number;
}

const POOL_SIZE = 20;
const WAIT_MS = 60_000;
const PING_MS = 2_500;
/** Bounds the connections that unauthenticated health checks can open. */
const PROBE_TTL_MS = 1_000;
const RETRY_MS = 500;
const SILENT = 'The database is silent';

/** URL for migrations, with the variable that configures it. */
interface NamedUrl {
  readonly variable: UrlVariable;
  readonly url: string;
}

/** The database of the service: a PostgreSQL server, or an embedded PostgreSQL that only this process uses. */
export class Database {
  private readonly pinging = new SingleFlight(() => withDeadline(PING_MS, this.ask(), () => new Error(SILENT)));
  private readonly probing = new SingleFlight(() => this.probe(), PROBE_TTL_MS);

  private constructor(
    readonly dataSource: DataSource,
    readonly isEmbedded: boolean,
    private readonly schema: Schema,
    private direct: NamedUrl | undefined,
    private readonly closeStorage: () => Promise<void>,
    /** First statement of each request transaction. */
    readonly transactionOpening?: string,
    /** Not yet connected; closed together with the database. */
    readonly replicas: readonly DataSource[] = [],
  ) {}

  static async open(schema: Schema, options: DatabaseOptions): Promise<Database> {
    return options.url === undefined
      ? Database.openEmbedded(schema, options)
      : Database.openServer(schema, options, options.url);
  }

  private static async openServer(schema: Schema, options: DatabaseOptions, url: string): Promise<Database> {
    const { poolSize = POOL_SIZE, replicaUrls = [] } = options;
    const { directUrl } = options;
    const pooled = directUrl !== undefined;
    const dataSource = serverDataSource(schema, { url, poolSize, pooled, onPoolError: options.onPoolError });
    // A failed read of a replica reports the error and falls back to the database.
    const replicas = replicaUrls.map((replica) =>
      serverDataSource(schema, { url: replica, poolSize, pooled, onPoolError: () => undefined }),
    );
    await Database.initializeWhenReachable(dataSource, url, options);
    const opening = pooled ? LIMIT_TRANSACTION : undefined;
    const direct: NamedUrl = pooled
      ? { variable: 'DATABASE_DIRECT_URL', url: directUrl }
      : { variable: 'DATABASE_URL', url };
    return new Database(dataSource, false, schema, direct, async () => {}, opening, replicas);
  }

  private static async initializeWhenReachable(
    dataSource: DataSource,
    url: string,
    { waitMs = WAIT_MS, onWaiting }: DatabaseOptions,
  ): Promise<void> {
    const deadline = Date.now() + waitMs;
    for (let attempt = 1; ; attempt++) {
      try {
        await dataSource.initialize();
        return;
      } catch (error) {
        if (!isDatabaseUnavailable(error) || Date.now() >= deadline) throw connectionError('DATABASE_URL', error);
        if (attempt === 1) onWaiting({ server: serverOf(url), seconds: waitMs / 1_000 });
        await pause(RETRY_MS);
      }
    }
  }

  private static async openEmbedded(schema: Schema, { dataDir, embedded }: DatabaseOptions): Promise<Database> {
    if (embedded || dataDir === undefined) {
      return Database.onEmbedded(schema, embedded ?? (await EmbeddedDatabase.open()));
    }
    const lock = await takeDataFolder(dataDir);
    try {
      const storage = await EmbeddedDatabase.open({ dataDir });
      return await Database.onEmbedded(schema, storage, () => closeAll([() => storage.close(), () => lock.release()]));
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  private static async onEmbedded(
    schema: Schema,
    storage: EmbeddedDatabase,
    close: () => Promise<void> = async () => {},
  ): Promise<Database> {
    const dataSource = await embeddedDataSource(schema, { Pool: createEmbeddedPool(storage) }).initialize();
    return new Database(dataSource, true, schema, undefined, close);
  }

  /** Uses these credentials for new connections. Only users and passwords may differ from the previous URLs. */
  useCredentials({ url, directUrl, replicaUrls = [] }: DatabaseUrls): void {
    if (url === undefined || this.direct === undefined) return;
    useCredentials(this.dataSource, url);
    this.direct = { ...this.direct, url: directUrl ?? url };
    for (const [index, replica] of this.replicas.entries()) useCredentials(replica, replicaUrls[index] ?? url);
  }

  /** Runs pending migrations, then `seed`, under the startup lock. Errors: `StartupError`. */
  async prepare(migrate: boolean, seed: () => Promise<void>): Promise<void> {
    const { direct } = this;
    if (direct === undefined) {
      if (migrate) await runMigrations(this.dataSource);
      await seed();
      return;
    }
    const migrations = await this.openForMigrations(direct);
    try {
      await withStartupLock(migrations, () =>
        explainingRights(direct.variable, migrations, async () => {
          if (migrate) await runMigrations(migrations);
          await seed();
        }),
      );
    } finally {
      await migrations.destroy();
    }
  }

  private async openForMigrations({ variable, url }: NamedUrl): Promise<DataSource> {
    try {
      return await migrationDataSource(this.schema, url).initialize();
    } catch (error) {
      throw connectionError(variable, error);
    }
  }

  /** Whether a migration of this build is pending. */
  async hasPendingMigrations(): Promise<boolean> {
    return (await this.migrations()).some(({ isPending }) => isPending);
  }

  migrations(): Promise<MigrationReport[]> {
    return explainingRights('DATABASE_URL', this.dataSource, () => listMigrations(this.dataSource));
  }

  /** Open connections, and requests that wait for one. */
  pool(): { open: number; waiting: number } {
    const pool = poolOf(this.dataSource);
    return { open: pool?.totalCount ?? 0, waiting: pool?.waitingCount ?? 0 };
  }

  /** Calls the listener with the seconds that a request waited for a connection, if none was idle. */
  onWaited(listener: (seconds: number) => void): void {
    measureWaits(this.dataSource, listener);
  }

  /**
   * Resolves within 2.5 s if the database replies, even if all connections are in use or the server has none left: busy
   * is not unreachable. Concurrent callers share one query, and a separate connection is opened at most once a second.
   */
  answers(): Promise<void> {
    return this.pinging.ask();
  }

  private async ask(): Promise<void> {
    if (isLentOut(this.dataSource)) return this.probing.ask();
    try {
      await this.ping();
    } catch (error) {
      // Another caller took the last free connection, which does not mean that the database is unreachable.
      if (isPoolBusy(error)) return this.probing.ask();
      unlessBusy(error);
    }
  }

  /** Queries the database through the pool, for at most 2.5 s. */
  async ping(): Promise<void> {
    await withDeadline(PING_MS, this.dataSource.query('SELECT 1'), () => new Error(SILENT));
  }

  /** As `ping`, but independent of the pool: connects to a server separately. */
  async probe(): Promise<void> {
    if (this.isEmbedded) {
      await this.ping();
      return;
    }
    const answer = askBesidePool<unknown>(this.dataSource, 'SELECT 1').catch(unlessBusy);
    await withDeadline(PING_MS, answer, () => new Error(SILENT));
  }

  async close(): Promise<void> {
    const sources = [...this.replicas, this.dataSource].filter(({ isInitialized }) => isInitialized);
    await closeAll([...sources.map((source) => () => source.destroy()), () => this.closeStorage()]);
  }
}

async function runMigrations(dataSource: DataSource): Promise<void> {
  await rejectTakenNames(dataSource);
  await dataSource.runMigrations();
}

function unlessBusy(error: unknown): void {
  if (!isDatabaseBusy(error)) throw error;
}
