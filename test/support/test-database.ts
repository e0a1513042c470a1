import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrations } from '../../migrations';
import { Database, EmbeddedDatabase } from '../../src/platform/database';

/** Set by the global set-up: the prepared image, or the server and its prepared template. */
const IMAGE = 'CASTELLAN_TEST_IMAGE';
const TEMPLATE = 'CASTELLAN_TEST_TEMPLATE';

const serverUrl = (): string | undefined => process.env['TEST_DATABASE_URL'];
const schema = { entities: [], migrations };
const ignore = (): void => undefined;

/** A migrated database of its own for one test file: on the server of TEST_DATABASE_URL, else embedded. */
export interface TestDatabase {
  readonly url?: string;
  readonly embedded?: EmbeddedDatabase;
  query<T = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<T[]>;
  drop(): Promise<void>;
}

function withName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function migrate(options: { url?: string; embedded?: EmbeddedDatabase }): Promise<void> {
  const database = await Database.open(schema, { ...options, onPoolError: ignore, onWaiting: ignore });
  await database.prepare(true, async () => {});
  await database.close();
}

/** Migrates once, so that every test file starts from a copy. */
export async function prepareTestDatabase(): Promise<void> {
  const url = serverUrl();
  const name = `castellan_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  if (url !== undefined) {
    await onServer(`CREATE DATABASE ${name}`);
    await migrate({ url: withName(url, name) });
    process.env[TEMPLATE] = name;
    return;
  }
  const embedded = await EmbeddedDatabase.open();
  await migrate({ embedded });
  const image = join(tmpdir(), `${name}.tar`);
  await writeFile(image, Buffer.from(await (await embedded.dump()).arrayBuffer()), { mode: 0o600 });
  await embedded.close();
  process.env[IMAGE] = image;
}

export async function removeTestDatabase(): Promise<void> {
  const image = process.env[IMAGE];
  const template = process.env[TEMPLATE];
  if (image !== undefined) await rm(image, { force: true });
  if (template !== undefined) await onServer(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
}

async function copyOnServer(url: string): Promise<TestDatabase> {
  const template = process.env[TEMPLATE] ?? '';
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const own = withName(url, name);
  const client = new Client({ connectionString: own });
  client.on('error', ignore);
  await client.connect();
  return {
    url: own,
    query: async <T>(sql: string, parameters: unknown[] = []) => (await client.query(sql, parameters)).rows as T[],
    drop: async () => {
      await client.end();
      await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function copyOfImage(): Promise<TestDatabase> {
  const embedded = await EmbeddedDatabase.open({ image: new Blob([await readFile(process.env[IMAGE] ?? '')]) });
  return {
    embedded,
    query: async <T>(sql: string, parameters: unknown[] = []) => {
      const lease = await embedded.lease();
      try {
        return (await lease.query({ text: sql, values: parameters })).rows as T[];
      } finally {
        lease.release();
      }
    },
    drop: () => embedded.close(),
  };
}

export function createTestDatabase(): Promise<TestDatabase> {
  const url = serverUrl();
  return url === undefined ? copyOfImage() : copyOnServer(url);
}
