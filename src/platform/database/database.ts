import { DataSource } from 'typeorm';
import { pause, withDeadline } from '../time';
import { askBesidePool, isLentOut, measureWaits, poolOf } from './connection';
import { closeAll } from './close-all';
import { embeddedDataSource, LIMIT_TRANSACTION, migrationDataSource, Schema, serverDataSource } from './data-source';
import { isDatabaseBusy, isDatabaseUnavailable, isPoolBusy } from './database-errors';
import { takeDataFolder } from './data-folder';
import { createEmbeddedPool, EmbeddedDatabase } from './embedded';
import { listMigrations, MigrationReport } from './migration-list';
import { refusedConnection, UrlVariable } from './refused-connection';
import { serverOf } from './server-address';
import { DatabaseUrls, useCredentials } from './server-credentials';
import { SingleFlight } from './single-flight';
import { withStartupLock } from './startup-lock';
import { rejectTakenNames } from './taken-names';

export interface DatabaseOptions {
  /** None: the embedded database. */
  readonly url?: string;
  /** For migrations and the start-up lock, where a pooler stands before `url`. */
  readonly directUrl?: string;
  /** Servers that follow `url`, to read lists from. */
  readonly replicaUrls?: readonly string[];
  /** Where the embedded database lives; none: an `embedded` one that is given. */
  readonly dataDir?: string;
  readonly embedded?: EmbeddedDatabase;
  readonly poolSize?: number;
  /** How long the start waits for a server that is away. */
  readonly waitMs?: number;
  readonly onPoolError: (error: unknown) => void;
  /** Once, where a server is away at the start. */
  readonly onWaiting: (wait: DatabaseWait) => void;
}

/** What a start waits for, and for how long at most. */
export interface DatabaseWait {
  readonly server: string;
  readonly seconds: number;
}

const POOL_SIZE = 20;
const WAIT_MS = 60_000;
const PING_MS = 2_500;
/** Whoever asks may be anybody, and asks as often as they like. */
const BELIEVED_MS = 1_000;
const RETRY_MS = 500;
const SILENT = 'The database is silent';

/** Where migrations run, and by what it was named. */
interface NamedUrl {
  readonly variable: UrlVariable;
  readonly url: string;
}

/** The one database of the service: a PostgreSQL server, or an embedded PostgreSQL that only this process owns. */
export class Database {
  private readonly question = new SingleFlight(() => withDeadline(PING_MS, this.ask(), () => new Error(SILENT)));
  private readonly besidePool = new SingleFlight(() => this.probe(), BELIEVED_MS);

  private constructor(
    readonly dataSource: DataSource,
    readonly isEmbedded: boolean,
    private readonly schema: Schema,
    private direct: NamedUrl | undefined,
    private readonly closeStorage: () => Promise<void>,
    /** What each transaction of requests begins with. */
    readonly transactionOpening?: string,
    /** Not connected yet; closed with the database. */
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
    // Whoever reads from a replica that is away is told, and asks the database itself.
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
        if (!isDatabaseUnavailable(error) || Date.now() >= deadline) throw refusedConnection('DATABASE_URL', error);
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

  /** Logs in with these from the next connection on; users and passwords alone may differ from the former ones. */
  useCredentials({ url, directUrl, replicaUrls = [] }: DatabaseUrls): void {
    if (url === undefined || this.direct === undefined) return;
    useCredentials(this.dataSource, url);
    this.direct = { ...this.direct, url: directUrl ?? url };
    for (const [index, replica] of this.replicas.entries()) useCredentials(replica, replicaUrls[index] ?? url);
  }

  /** Runs what has not run yet, then `seed`, while no other instance does. Errors: `StartRefusedError`. */
  async prepare(migrate: boolean, seed: () => Promise<void>): Promise<void> {
    if (this.direct === undefined) {
      if (migrate) await runMigrations(this.dataSource);
      await seed();
      return;
    }
    const migrations = await this.openForMigrations(this.direct);
    try {
      await withStartupLock(migrations, async () => {
        if (migrate) await runMigrations(migrations);
        await seed();
      });
    } finally {
      await migrations.destroy();
    }
  }

  private async openForMigrations({ variable, url }: NamedUrl): Promise<DataSource> {
    try {
      return await migrationDataSource(this.schema, url).initialize();
    } catch (error) {
      throw refusedConnection(variable, error);
    }
  }

  /** Whether migrations of this build wait to be run. */
  async hasPendingMigrations(): Promise<boolean> {
    return (await this.migrations()).some(({ isPending }) => isPending);
  }

  migrations(): Promise<MigrationReport[]> {
    return listMigrations(this.dataSource);
  }

  /** How many connections are open, and how many requests wait for one. */
  pool(): { open: number; waiting: number } {
    const pool = poolOf(this.dataSource);
    return { open: pool?.totalCount ?? 0, waiting: pool?.waitingCount ?? 0 };
  }

  /** The listener is called with the seconds that a request waited for a connection, where none was idle. */
  onWaited(listener: (seconds: number) => void): void {
    measureWaits(this.dataSource, listener);
  }

  /**
   * Resolves where the database answers, within 2.5 s. It does so, too, while all connections are at work, or when it says
   * that it has none left: whoever waits for one is refused, others are served. However many ask, at work or not, the
   * server is asked once at a time, and once a second where that takes a connection of its own.
   */
  answers(): Promise<void> {
    return this.question.ask();
  }

  private async ask(): Promise<void> {
    if (isLentOut(this.dataSource)) return this.besidePool.ask();
    try {
      await this.ping();
    } catch (error) {
      // The last free connection went to somebody else, which says nothing of the database.
      if (isPoolBusy(error)) return this.besidePool.ask();
      unlessBusy(error);
    }
  }

  /** Whoever asks whether the database answers waits 2.5 s at most. */
  async ping(): Promise<void> {
    await withDeadline(PING_MS, this.dataSource.query('SELECT 1'), () => new Error(SILENT));
  }

  /** As `ping`, whatever the pool is doing: a server is asked by a connection of its own. */
  async probe(): Promise<void> {
    if (this.isEmbedded) {
      await this.ping();
      return;
    }
    const answer = askBesidePool(this.dataSource, 'SELECT 1').catch(unlessBusy);
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
