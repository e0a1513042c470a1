import 'reflect-metadata';
import type { QueryRunner } from 'typeorm';
import { migrations } from '../../migrations';
import { NameOrganizationsInAudit1760162000000 } from '../../migrations/1760162000000-name-organizations-in-audit';
import { ListAuditByOrganization1760162000500 } from '../../migrations/1760162000500-list-audit-by-organization';
import { schema } from '../../src/identity/identity.module';
import { Database } from '../../src/platform/database';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { fake } from '../support/service/fake';

const ignore = (): void => undefined;

describe('migrations of the audit log', () => {
  it('create its indexes for organizations apart from the column, which locks out readers', async () => {
    const statementsOf = async (Migration: (typeof migrations)[number]): Promise<string[]> => {
      const query = jest.fn<Promise<void>, [string]>().mockResolvedValue();
      await new Migration().up(fake<QueryRunner>({ query }));
      return query.mock.calls.map(([sql]) => sql.trim().split(' ').slice(0, 2).join(' '));
    };
    expect(await statementsOf(NameOrganizationsInAudit1760162000000)).toEqual(['SET LOCAL', 'ALTER TABLE']);
    const indexes = ['SET LOCAL', 'CREATE INDEX', 'CREATE INDEX'];
    expect(await statementsOf(ListAuditByOrganization1760162000500)).toEqual(indexes);
  });
});

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

  it('does not take a table that the role may not read for none', async () => {
    const role = `castellan_blind_${process.pid}`;
    await place.query(`CREATE ROLE ${role}`);
    try {
      await database.dataSource.query(`SET ROLE ${role}`);
      await expect(database.hasPendingMigrations()).rejects.toThrow(/lacks rights|permission denied/);
    } finally {
      await database.dataSource.query('RESET ROLE');
      await place.query(`DROP ROLE ${role}`);
    }
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
