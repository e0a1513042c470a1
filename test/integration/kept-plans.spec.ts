import 'reflect-metadata';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { openTestDataSource } from '../support/service/test-data-source';

const PREPARED = '../../src/platform/database/prepared-statement';

jest.mock('../../src/platform/database/prepared-statement', () => {
  const actual = jest.requireActual<typeof import('../../src/platform/database/prepared-statement')>(
    '../../src/platform/database/prepared-statement',
  );
  const marked = new Set<string>();
  const preparedStatement = (sql: string): string => {
    marked.add(sql);
    return actual.preparedStatement(sql);
  };
  return { ...actual, preparedStatement, marked };
});

interface Plan {
  readonly 'QUERY PLAN': string;
}

/** Connections cache the plan of a prepared statement, which was made while the tables had few rows. */
describe('a plan that was made for an empty database', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await (await openTestDataSource(database)).destroy();
    await database.query('SET plan_cache_mode = force_generic_plan');
  });

  afterAll(() => database.drop());

  it('scans no whole table, however large it grows', async () => {
    const { marked } = jest.requireMock<{ marked: Set<string> }>(PREPARED);
    expect(marked.size).toBeGreaterThan(15);
    const wholes: string[] = [];
    for (const [index, sql] of [...marked].entries()) {
      const name = `kept_${index}`;
      await database.query(`PREPARE ${name} AS ${sql}`);
      const [{ count } = { count: 0 }] = await database.query<{ count: number }>(
        `SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = $1`,
        [name],
      );
      const nulls = Array.from({ length: count }, () => 'NULL').join(', ');
      const rows = await database.query<Plan>(`EXPLAIN EXECUTE ${name}${count > 0 ? `(${nulls})` : ''}`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      // An index scan must have a condition, otherwise it reads the whole index.
      const [scans, lookups] = [/Index (Only )?Scan /g, /Index Cond: /g].map((each) => plan.match(each)?.length ?? 0);
      if (plan.includes('Seq Scan') || scans !== lookups) wholes.push(`${sql}\n${plan}`);
    }
    expect(wholes).toEqual([]);
  });
});
