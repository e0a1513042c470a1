import { DataSource, MigrationInterface, ObjectLiteral } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { RequestClient } from './request-client';

/** A class that is a table. */
export type Entity = new () => ObjectLiteral;

export interface Schema {
  readonly entities: readonly Entity[];
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/** What the server calls a connection that migrates. */
export const MIGRATION_APPLICATION = 'castellan-migration';

const CONNECT_TIMEOUT_MS = 2_000;

/** What a request may cost the database: a statement 5 s, a lock 2 s, an idle transaction 10 s. */
const REQUEST_LIMITS = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};

/** After which a server that says nothing is given up: it would itself have ended the statement by then. */
const SILENCE_MS = REQUEST_LIMITS.statement_timeout + 1_500;

/** A statement that begins this long after it was sent may end, a wait for a lock later, when nobody waits for it any more. */
export const LATEST_START_MS = SILENCE_MS - REQUEST_LIMITS.lock_timeout;

/** Sets the limits for one transaction, which is all that a pooler leaves to a request. */
export const LIMIT_TRANSACTION = `SELECT ${Object.entries(REQUEST_LIMITS)
  .map(([name, milliseconds]) => `set_config('${name}', '${milliseconds}', true)`)
  .join(', ')}`;

function common({ entities, migrations }: Schema): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    entities: entities as never[],
    migrations: [...migrations],
    migrationsTableName: 'castellan_migration',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    // A condition on null or undefined would silently match every row.
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
  };
}

export interface ServerOptions {
  readonly url: string;
  readonly poolSize: number;
  /** A pooler stands between: it takes no settings at the start of a connection; `LIMIT_TRANSACTION` brings them to each transaction. */
  readonly pooled: boolean;
  readonly onPoolError: (error: unknown) => void;
}

/** A data source on a PostgreSQL server, for requests. */
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

/** A data source on the same server for migrations, which may take their time. */
export function migrationDataSource(schema: Schema, url: string): DataSource {
  return new DataSource({
    ...common(schema),
    url,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: MIGRATION_APPLICATION,
    extra: { max: 2 },
  });
}

/** A data source on the embedded database; `driver` is a look-alike of the `pg` module. */
export function embeddedDataSource(schema: Schema, driver: { Pool: unknown }): DataSource {
  return new DataSource({ ...common(schema), driver });
}
