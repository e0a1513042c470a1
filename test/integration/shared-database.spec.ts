import 'reflect-metadata';
import { migrations } from '../../migrations';
import { schema } from '../../src/identity/identity.module';
import { StartupError } from '../../src/platform/config';
import { Database, ServiceMigration } from '../../src/platform/database';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

const ignore = (): void => undefined;

/** A database of a host without tables of the service. */
async function emptyDatabase(): Promise<TestDatabase> {
  const place = await createTestDatabase();
  await place.query('DROP SCHEMA public CASCADE');
  await place.query('CREATE SCHEMA public');
  return place;
}

describe('database with tables of a host', () => {
  let place: TestDatabase;
  let database: Database;
  let seeded: number;

  beforeEach(async () => {
    place = await emptyDatabase();
    const { url, embedded } = place;
    const where = { ...(url !== undefined && { url }), ...(embedded && { embedded }) };
    database = await Database.open(schema, { ...where, poolSize: 1, onPoolError: ignore, onWaiting: ignore });
    seeded = 0;
  });

  afterEach(async () => {
    await database.close();
    await place.drop();
  });

  const prepare = (): Promise<void> =>
    database.prepare(true, async () => {
      seeded += 1;
    });

  const relations = async (): Promise<string[]> => {
    const rows = await place.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname COLLATE "C"`,
    );
    return rows.map(({ name }) => name);
  };

  it('is rejected in one sentence with all conflicting names, and stays unchanged', async () => {
    await place.query('CREATE TABLE role (title text)');
    await place.query('CREATE TABLE session (token text)');
    const failure: unknown = await prepare().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartupError);
    expect((failure as Error).message).toMatch(/^The database has "role" and "session" in schema public, [^\n.]+\.$/);
    expect(await relations()).toEqual(['role', 'session']);
    expect(seeded).toBe(0);
  });

  it.each([
    ['an index', 'CREATE TABLE orders (id int CONSTRAINT role_name_unique UNIQUE)', 'role_name_unique'],
    ['a type', `CREATE TYPE setting AS ENUM ('a')`, 'setting'],
    ['a view', 'CREATE VIEW user_role AS SELECT 1 AS id', 'user_role'],
    [
      'a function',
      'CREATE FUNCTION audit_event_refuse_change() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
      'audit_event',
    ],
    ['a table', 'CREATE TABLE castellan_migration (shop text)', 'castellan_migration'],
    ['a view', 'CREATE VIEW castellan_migration AS SELECT 1 AS id, 1 AS timestamp, 1 AS name', 'castellan_migration'],
    ['a type', `CREATE TYPE castellan_migration AS ENUM ('a')`, 'castellan_migration'],
  ])('is rejected with %s that has a name of the service', async (_what, statement, name) => {
    await place.query(statement);
    const before = await relations();
    await expect(prepare()).rejects.toThrow(name);
    expect(await relations()).toEqual(before);
  });

  it('is rejected with a list of migrations of another application', async () => {
    await place.query('CREATE TABLE castellan_migration (id serial, timestamp bigint, name varchar)');
    await place.query(`INSERT INTO castellan_migration (timestamp, name) VALUES (1, 'CreateShop1')`);
    await expect(prepare()).rejects.toThrow('The database has "castellan_migration" in schema public');
    await place.query('DELETE FROM castellan_migration');
    await prepare();
    expect(seeded).toBe(1);
  });

  it('gets the tables of the service beside other names, and is recognized afterwards', async () => {
    await place.query('CREATE TABLE roles (title text)');
    await prepare();
    await prepare();
    expect(seeded).toBe(2);
    expect(await relations()).toEqual(expect.arrayContaining(['castellan_migration', 'role', 'roles', 'session']));
  });

  it('may have a table of the same name in another schema', async () => {
    await place.query('CREATE SCHEMA shop');
    await place.query('CREATE TABLE shop.role (title text)');
    await prepare();
    expect(seeded).toBe(1);
  });
});

describe('migrations', () => {
  it('declare every name that they create', async () => {
    const place = await emptyDatabase();
    const { url, embedded } = place;
    const where = { ...(url !== undefined && { url }), ...(embedded && { embedded }) };
    const database = await Database.open(schema, { ...where, poolSize: 1, onPoolError: ignore, onWaiting: ignore });
    try {
      await database.prepare(true, async () => undefined);
      const rows = await place.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relname !~ '^(castellan_migration|PK_)' -- TypeORM's own table
         UNION SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
      );
      const declared = new Set(migrations.flatMap((Migration) => (new Migration() as ServiceMigration).creates ?? []));
      expect(rows.map(({ name }) => name).filter((name) => !declared.has(name))).toEqual([]);
    } finally {
      await database.close();
      await place.drop();
    }
  });
});
