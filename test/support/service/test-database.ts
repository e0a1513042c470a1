import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrations } from '../../../migrations';
import { Database, EmbeddedDatabase } from '../../../src/platform/database';
import { FinishedDatabases, finishing } from './finished-databases';
import { FreshState, readFreshState, resetDatabase } from './reset-database';

/** Set by the global setup: the prepared image, or the prepared template on the server and its state. */
const IMAGE = 'CASTELLAN_TEST_IMAGE';
const TEMPLATE = 'CASTELLAN_TEST_TEMPLATE';
const STATE = 'CASTELLAN_TEST_STATE';

const serverUrl = (): string | undefined => process.env['TEST_DATABASE_URL'];
const schema = { entities: [], migrations };
const ignore = (): void => undefined;
/** In the process of the global setup and teardown. */
let finished: FinishedDatabases | undefined;

/** A private migrated database for one test file: on the server of TEST_DATABASE_URL, otherwise embedded. */
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

async function connected<T>(url: string | undefined, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on('error', ignore);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const onServer = (...statements: string[]): Promise<void> =>
  connected(serverUrl(), async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** A commit need not outlive the server here, and waiting for the disk takes longer than most statements. */
const withoutDisk = (name: string): string => `ALTER DATABASE ${name} SET synchronous_commit = off`;

async function migrate(options: { url?: string; embedded?: EmbeddedDatabase }): Promise<void> {
  const database = await Database.open(schema, { ...options, onPoolError: ignore, onWaiting: ignore });
  await database.prepare(true, async () => {});
  await database.close();
}

/** No other database is created in the embedded one. Without its templates the image loads in half the time. */
async function dropTemplates(embedded: EmbeddedDatabase): Promise<void> {
  const lease = await embedded.lease();
  await lease.query({ text: 'UPDATE pg_database SET datistemplate = false' });
  await lease.query({ text: 'DROP DATABASE template0' });
  await lease.query({ text: 'DROP DATABASE template1' });
  lease.release();
}

/** Migrates once, so that every test file starts from a copy. */
export async function prepareTestDatabase(): Promise<void> {
  const url = serverUrl();
  const name = `castellan_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  if (url !== undefined) {
    await onServer(`CREATE DATABASE ${name}`, withoutDisk(name));
    await migrate({ url: withName(url, name) });
    process.env[TEMPLATE] = name;
    process.env[STATE] = JSON.stringify(await connected(withName(url, name), readFreshState));
    finished = new FinishedDatabases(url, name);
    return;
  }
  const embedded = await EmbeddedDatabase.open();
  await migrate({ embedded });
  await dropTemplates(embedded);
  const image = join(tmpdir(), `${name}.tar`);
  await writeFile(image, Buffer.from(await (await embedded.dump()).arrayBuffer()), { mode: 0o600 });
  await embedded.close();
  process.env[IMAGE] = image;
}

export async function removeTestDatabase(): Promise<void> {
  const image = process.env[IMAGE];
  const template = process.env[TEMPLATE];
  if (image !== undefined) await rm(image, { force: true });
  await finished?.end();
  if (template !== undefined) await onServer(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
}

const templateName = (): string => process.env[TEMPLATE] ?? '';
const freshName = (kind: string): string => `${templateName()}_${kind}_${randomBytes(6).toString('hex')}`;

/** Takes a copy that another test has left, possibly in another process. */
async function takeLeftCopy(client: Client, name: string): Promise<boolean> {
  const left = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1) LIMIT 1',
    [`${templateName()}_left_`],
  );
  if (!left.rows[0]) return false;
  return client.query(`ALTER DATABASE ${left.rows[0].datname} RENAME TO ${name}`).then(
    () => true,
    // Another process was quicker.
    () => false,
  );
}

const prepareCopy = (name: string): Promise<void> =>
  connected(serverUrl(), async (client) => {
    if (await takeLeftCopy(client, name)) return;
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${templateName()}`);
    await client.query(withoutDisk(name));
  });

/** Leaves a copy to the next test, or has it dropped. */
async function leaveCopy(url: string, name: string): Promise<void> {
  const state = JSON.parse(process.env[STATE] ?? '') as FreshState;
  const isFresh = await connected(url, (client) => resetDatabase(client, state));
  await onServer(isFresh ? `ALTER DATABASE ${name} RENAME TO ${freshName('left')}` : finishing(name));
}

async function copyOnServer(url: string): Promise<TestDatabase> {
  const name = freshName('used');
  await prepareCopy(name);
  const own = withName(url, name);
  const client = new Client({ connectionString: own });
  client.on('error', ignore);
  await client.connect();
  return {
    url: own,
    query: async <T>(sql: string, parameters: unknown[] = []) => (await client.query(sql, parameters)).rows as T[],
    drop: async () => {
      await client.end();
      await leaveCopy(own, name).catch(() => onServer(finishing(name)));
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

/** Data of a separate process: a database on the server, otherwise a folder with a migrated embedded one. */
export interface ProcessDatabase {
  readonly environment: Record<string, string>;
  /** Reads the database while no process uses it. */
  query<T>(sql: string): Promise<T[]>;
  drop(): Promise<void>;
}

/** @param dataDir path of a folder that does not exist yet */
export async function createProcessDatabase(dataDir: string): Promise<ProcessDatabase> {
  if (serverUrl() !== undefined) {
    const database = await createTestDatabase();
    return { ...database, environment: { DATA_DIR: dataDir, DATABASE_URL: database.url ?? '' } };
  }
  const image = new Blob([await readFile(process.env[IMAGE] ?? '')]);
  await (await EmbeddedDatabase.open({ dataDir, image })).close();
  return { environment: { DATA_DIR: dataDir }, query: (sql) => readFolder(dataDir, sql), drop: async () => undefined };
}

async function readFolder<T>(dataDir: string, sql: string): Promise<T[]> {
  const embedded = await EmbeddedDatabase.open({ dataDir });
  const lease = await embedded.lease();
  try {
    return (await lease.query({ text: sql })).rows as T[];
  } finally {
    lease.release();
    await embedded.close();
  }
}
