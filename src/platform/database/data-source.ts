import { DataSource, MigrationInterface, ObjectLiteral } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { RequestClient } from './request-client';

/** An entity class. */
export type Entity = new () => ObjectLiteral;

/** A migration of the service. */
export interface ServiceMigration extends MigrationInterface {
  /** Tables, indexes, sequences and functions that it adds to the schema: they share one set of names there. */
  readonly creates?: readonly string[];
}

export interface Schema {
  readonly entities: readonly Entity[];
  readonly migrations: readonly (new () => ServiceMigration)[];
}

/** Application name of migration connections in `pg_stat_activity`. */
export const MIGRATION_APPLICATION = 'castellan-migration';

const CONNECT_TIMEOUT_MS = 2_000;

/** Limits of a request: statement 5 s, lock 2 s, idle transaction 10 s. */
const REQUEST_LIMITS = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};

/** Time after which a silent server is given up: by then it should itself have ended the statement. */
const SILENCE_MS = REQUEST_LIMITS.statement_timeout + 1_500;

/**
 * A statement that starts this long after it was sent may time out. If it then waits for a lock, it may end after its
 * caller has given up.
 */
export const LATEST_START_MS = SILENCE_MS - REQUEST_LIMITS.lock_timeout;

/** Sets the limits for one transaction: with a pooler, settings of a connection do not last longer. */
export const LIMIT_TRANSACTION = `SELECT ${Object.entries(REQUEST_LIMITS)
  .map(([name, milliseconds]) => `set_config('${name}', '${milliseconds}', true)`)
  .join(', ')}`;

/** TypeORM's list of executed migrations. */
export const MIGRATION_TABLE = 'castellan_migration';

function common({ entities, migrations }: Schema): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    entities: entities as never[],
    migrations: [...migrations],
    migrationsTableName: MIGRATION_TABLE,
    migrationsTransactionMode: 'each',
    installExtensions: false,
    // A condition on null or undefined would silently match every row.
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
  };
}

export interface ServerOptions {
  readonly url: string;
  readonly poolSize: number;
  /**
   * The URL leads to a pooler, which accepts no settings at connection start. `LIMIT_TRANSACTION` sets them per
   * transaction.
   */
  readonly pooled: boolean;
  readonly onPoolError: (error: unknown) => void;
}

/** Creates a data source for requests on a PostgreSQL server. */
export function serverDataSource(schema: Schema, options: ServerOptions): DataSource {
  const { url, poolSize, pooled, onPoolError } = options;
  const limits = pooled ? {} : REQUEST_LIMITS;
  return new DataSource({
    ...common(schema),
    url,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    poolErrorHandler: onPoolError,
    applicationName: 'castellan',
    extra: {
      max: poolSize,
      keepAlive: true,
      query_timeout: SILENCE_MS,
      Client: RequestClient,
      keepsPrepared: !pooled,
      pipeline: !pooled,
      ...limits,
    },
  });
}

/** Creates a data source for migrations on the same server, without time limits. */
export function migrationDataSource(schema: Schema, url: string): DataSource {
  return new DataSource({
    ...common(schema),
    url,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: MIGRATION_APPLICATION,
    extra: { max: 2 },
  });
}

/** Creates a data source on the embedded database. `driver` mimics the `pg` module. */
export function embeddedDataSource(schema: Schema, driver: { Pool: unknown }): DataSource {
  return new DataSource({ ...common(schema), driver });
}
