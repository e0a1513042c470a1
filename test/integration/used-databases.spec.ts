import { hasServer } from '../support/service/on-server';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

/** Rows and sequences of all tables. */
async function contentOf(database: TestDatabase): Promise<unknown> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  const rows = tables.map(({ name }) => `(SELECT json_agg(t ORDER BY t::text) FROM public.${name} t) AS ${name}`);
  const [content] = await database.query(`SELECT ${rows.join(', ')}`);
  const sequences = await database.query('SELECT sequencename, last_value FROM pg_sequences ORDER BY 1');
  return { content, sequences };
}

const addUser = `INSERT INTO user_account (id, username) VALUES (gen_random_uuid(), 'left_behind')`;

(hasServer ? describe : describe.skip)('a database of a test (needs TEST_DATABASE_URL)', () => {
  it('is put back into the state after the migrations for the next test', async () => {
    const first = await createTestDatabase();
    const fresh = await contentOf(first);
    await first.query(addUser);
    await first.query('DELETE FROM castellan_migration');
    await first.query('CREATE TABLE added (id int)');
    expect(await contentOf(first)).not.toEqual(fresh);
    await first.drop();

    const next = await createTestDatabase();
    expect(await contentOf(next)).toEqual(fresh);
    await next.drop();
  });

  it.each([
    ['column', 'ALTER TABLE user_account ADD COLUMN shoe_size int'],
    ['constraint', 'ALTER TABLE user_role DROP CONSTRAINT user_role_user_fk'],
    ['trigger', 'ALTER TABLE audit_event DISABLE TRIGGER ALL'],
    ['setting', `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = ''8MB''', current_database()); END $$`],
    ['namespace', 'CREATE SCHEMA other'],
  ])('is not used again with a changed %s', async (_, change) => {
    const other = await createTestDatabase();
    const database = await createTestDatabase();
    const name = new URL(database.url!).pathname.slice(1);
    await database.query(`COMMENT ON DATABASE ${name} IS 'was ${name}'`);
    await database.query(change);
    await database.drop();

    const offered = `SELECT datname FROM pg_database
      WHERE shobj_description(oid, 'pg_database') = $1 AND datname LIKE '%\\_left\\_%'`;
    expect(await other.query(offered, [`was ${name}`])).toEqual([]);
    await other.drop();
  });
});
