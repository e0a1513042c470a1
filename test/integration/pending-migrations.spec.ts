import 'reflect-metadata';
import { schema } from '../../src/identity.module';
import { Database } from '../../src/platform/database';
import { createTestDatabase, TestDatabase } from '../support/test-database';

const ignore = (): void => undefined;

describe('check for pending migrations', () => {
  let place: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    place = await createTestDatabase();
    const { url, embedded } = place;
    const where = { ...(url !== undefined && { url }), ...(embedded && { embedded }) };
    database = await Database.open(schema, { ...where, poolSize: 1, onPoolError: ignore, onWaiting: ignore });
  });

  afterAll(async () => {
    await database.close();
    await place.drop();
  });

  it('changes nothing, however often it runs', async () => {
    expect(await database.hasPendingMigrations()).toBe(false);
    await place.query('DELETE FROM castellan_migration WHERE id = (SELECT max(id) FROM castellan_migration)');
    expect(await database.hasPendingMigrations()).toBe(true);
    await place.query('DROP TABLE castellan_migration');
    expect(await database.hasPendingMigrations()).toBe(true);
    expect(await database.hasPendingMigrations()).toBe(true);
    expect(await place.query(`SELECT to_regclass('castellan_migration') AS found`)).toEqual([{ found: null }]);
  });
});
