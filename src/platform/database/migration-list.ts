import { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { MIGRATION_TABLE } from './data-source';

/** A statement that a migration would run. */
export interface PlannedStatement {
  readonly sql: string;
  /** Values of `$1`, `$2` and so on. */
  readonly parameters: readonly unknown[];
}

/** A migration of this build. */
export interface MigrationReport {
  readonly name: string;
  readonly isPending: boolean;
  /** Statements that it would run in one transaction; empty unless pending. */
  readonly statements: readonly PlannedStatement[];
}

/** Lists all migrations in order. Changes nothing, not even TypeORM's migration table. */
export async function listMigrations(dataSource: DataSource): Promise<MigrationReport[]> {
  const executed = await executedNames(dataSource);
  const reports: MigrationReport[] = [];
  for (const migration of dataSource.migrations) {
    const name = migration.name ?? migration.constructor.name;
    const isPending = !executed.has(name);
    reports.push({ name, isPending, statements: isPending ? await statementsOf(migration) : [] });
  }
  return reports;
}

/** TypeORM would take a table that the role may not read for none. */
async function executedNames(dataSource: DataSource): Promise<Set<string>> {
  const found = await dataSource.query<{ table: string | null }[]>('SELECT to_regclass($1) AS table', [
    MIGRATION_TABLE,
  ]);
  if (!found[0]?.table) return new Set();
  const executed = await dataSource.query<{ name: string }[]>(`SELECT name FROM ${MIGRATION_TABLE}`);
  return new Set(executed.map(({ name }) => name));
}

/** Records the statements instead of running them. This is complete, because no migration depends on a query result. */
async function statementsOf(migration: MigrationInterface): Promise<PlannedStatement[]> {
  const statements: PlannedStatement[] = [];
  const query = async (sql: string, parameters: readonly unknown[] = []): Promise<unknown[]> => {
    statements.push({ sql, parameters });
    return [];
  };
  await migration.up({ query } as unknown as QueryRunner);
  return statements;
}
