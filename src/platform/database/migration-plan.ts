import { DataSource } from 'typeorm';
import { listMigrations } from './migration-list';
import { describeLock, locksOf } from './statement-locks';

export interface PlannedStatement {
  readonly sql: string;
  /** What of that which is there it locks, how, and how much there is of it; a line each. */
  readonly notes: readonly string[];
}

/** A migration that waits, and what it would do; all of it is one transaction. */
export interface PlannedMigration {
  readonly name: string;
  readonly statements: readonly PlannedStatement[];
}

interface Size {
  /** As it was asked for: a table, or an index of one. */
  readonly name: string;
  readonly table: string;
  /** By the statistics; null where there are none. */
  readonly rows: string | null;
  readonly size: string;
}

const UNKNOWN = 'what it locks is not known here';

/** Changes nothing. What is locked of a table that a waiting migration makes holds up nobody and is not told. */
export async function planMigrations(dataSource: DataSource): Promise<PlannedMigration[]> {
  const waiting = (await listMigrations(dataSource)).filter(({ isPending }) => isPending);
  const named = waiting.flatMap(({ statements }) => statements.flatMap((sql) => locksOf(sql) ?? []));
  const sizes = await sizesOf(dataSource, [...new Set(named.map(({ table }) => table))]);
  return waiting.map(({ name, statements }) => ({
    name,
    statements: statements.map((sql) => ({ sql, notes: notesOn(sql, sizes) })),
  }));
}

function notesOn(sql: string, sizes: ReadonlyMap<string, Size>): string[] {
  const locks = locksOf(sql);
  if (!locks) return [UNKNOWN];
  return locks.flatMap((lock) => {
    const found = sizes.get(lock.table);
    if (!found) return [];
    const rows = found.rows === null ? [] : [`about ${found.rows} rows`];
    return [`${describeLock(lock, found.table)}; ${[...rows, found.size].join(', ')}`];
  });
}

/** Of those that are there, partitions included. */
async function sizesOf(dataSource: DataSource, names: readonly string[]): Promise<ReadonlyMap<string, Size>> {
  const rows = await dataSource.query<Size[]>(
    `SELECT named.name, found.oid::regclass::text AS "table", pg_size_pretty(coalesce(sum(pg_table_size(part.oid)), 0)) AS size,
       CASE WHEN bool_and(part.reltuples >= 0) THEN round(sum(part.reltuples)::numeric)::text END AS rows
     FROM unnest($1::text[]) AS named (name)
     JOIN pg_class AS known ON known.oid = to_regclass(named.name)
     LEFT JOIN pg_index ON indexrelid = known.oid
     JOIN pg_class AS found ON found.oid = coalesce(indrelid, known.oid) AND found.relkind IN ('r', 'p')
     LEFT JOIN pg_class AS part ON part.relkind = 'r'
       AND (part.oid = found.oid OR part.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = found.oid))
     GROUP BY named.name, found.oid`,
    [names],
  );
  return new Map(rows.map((row) => [row.name, row]));
}
