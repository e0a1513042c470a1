import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { AuditFilter, AuditLogRepository } from '../../src/audit/log/audit-log.repository';
import { newId } from '../../src/platform/crypto';
import { Replicas, Transactions } from '../../src/platform/database';
import { EventLogRepository, Position } from '../../src/platform/lists';
import { openTestDataSource } from '../support/service/test-data-source';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

interface Plan {
  readonly 'QUERY PLAN': string;
}

const OTHERS = 100_000;
/** More than the organization has, and far less than the others have. */
const MAX_READ = 2_000;

describe('a page of the audit log of an organization', () => {
  const own = newId();
  let database: TestDatabase;
  let dataSource: DataSource;
  let log: AuditLogRepository;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openTestDataSource(database);
    const ignore = (): undefined => undefined;
    const transactions = new Transactions(dataSource, ignore);
    const replicas = new Replicas([], transactions, { onAway: ignore, onBack: ignore });
    log = new AuditLogRepository(transactions, new EventLogRepository(transactions, replicas));
    const insert = (values: string, amount: number): Promise<unknown> =>
      database.query(
        `INSERT INTO audit_event (id, at, action, outcome, actor_id, organization_id, target_type, target_id)
         SELECT gen_random_uuid(), now() - number * interval '5 minutes', 'organization.update_member', 'success',
           md5((number % 50)::text)::uuid, ${values}, 'organization', (number % 1000)::text
         FROM generate_series(1, ${amount}) AS number`,
      );
    await insert('md5((number % 1000)::text)::uuid', OTHERS);
    await insert(`'${own}'`, 1_000);
    await database.query('ANALYZE audit_event');
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** How many rows the query of the repository reads, and by which plan. */
  async function readFor(filter: AuditFilter, after?: Position): Promise<[number, string]> {
    const logged = jest.spyOn(dataSource.logger, 'logQuery');
    await log.find({ organizationId: own, ...filter }, after, 21);
    const [sql = '', parameters] = logged.mock.calls.at(-1) ?? [];
    logged.mockRestore();
    const rows = await database.query<Plan>(`EXPLAIN ANALYZE ${sql}`, (parameters ?? []) as unknown[]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const counts = [...plan.matchAll(/ Scan .* rows=(\d+)[.\d]* loops|Rows Removed by Filter: (\d+)/g)];
    return [counts.reduce((sum, [, found, removed]) => sum + Number(found ?? removed), 0), plan];
  }

  it.each<[string, AuditFilter]>([
    ['without a filter', {}],
    ['of an action', { action: 'organization.update_member' }],
    ['of an action that it has never seen', { action: 'group.create' }],
    ['of an outcome', { outcome: 'failure' }],
    ['of an actor who did nothing', { actorId: newId() }],
    ['of a target', { targetType: 'organization', targetId: '7' }],
  ])('%s reads few events of others, however far it goes back', async (_, filter) => {
    const place: Position = [new Date().toISOString(), newId()];
    for (const after of [undefined, place]) {
      for (const from of [undefined, new Date(0)]) {
        const [read, plan] = await readFor({ ...filter, from }, after);
        expect(read <= MAX_READ ? '' : plan).toBe('');
        expect(plan).not.toContain('Seq Scan');
      }
    }
  });
});
