import { DataSource, MigrationExecutor, MigrationInterface, QueryRunner } from 'typeorm';

/** A migration of this build. */
export interface MigrationReport {
  readonly name: string;
  readonly isPending: boolean;
  /** What it would run; only of pending ones. */
  readonly statements: readonly string[];
}

/** Every migration in its order; nothing is changed, not even the table that keeps count of them. */
export async function listMigrations(dataSource: DataSource): Promise<MigrationReport[]> {
  const executor = new MigrationExecutor(dataSource);
  const executed = new Set((await executor.getExecutedMigrations()).map(({ name }) => name));
  const reports: MigrationReport[] = [];
  for (const migration of dataSource.migrations) {
    const name = migration.name ?? migration.constructor.name;
    const isPending = !executed.has(name);
    reports.push({ name, isPending, statements: isPending ? await statementsOf(migration) : [] });
  }
  return reports;
}

/** Migrations here only send statements, so whoever takes them down instead of running them knows all. */
async function statementsOf(migration: MigrationInterface): Promise<string[]> {
  const statements: string[] = [];
  const query = async (statement: string): Promise<unknown[]> => {
    statements.push(statement);
    return [];
  };
  await migration.up({ query } as unknown as QueryRunner);
  return statements;
}
