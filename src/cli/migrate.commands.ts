import { Database, MigrationReport, PlannedStatement } from '../platform/database';
import { Command } from './command';
import { print } from './output';

const pendingOf = (reports: readonly MigrationReport[]): MigrationReport[] =>
  reports.filter(({ isPending }) => isPending);

const status: Command = {
  name: 'migrate status',
  summary: 'List the migrations and whether they are applied',
  example: 'migrate status',
  printsData: true,
  needsSchema: false,
  async run(invocation) {
    const reports = await invocation.service.get(Database).migrations();
    const items = reports.map(({ name, isPending }) => ({ name, status: isPending ? 'pending' : 'applied' }));
    print(
      invocation,
      { items },
      items.map(({ name, status }) => `${status}\t${name}`),
    );
  },
};

const HEAD = '-- Each migration is one transaction: locks are held until the end of the migration.';

const written = ({ sql, parameters }: PlannedStatement): string[] => [
  ...parameters.map((value, place) => `-- $${place + 1}: ${JSON.stringify(value)}`),
  `${sql.trim()};`,
];

const plan: Command = {
  name: 'migrate plan',
  summary: 'Print the SQL of the pending migrations without running it',
  example: 'migrate plan',
  printsData: true,
  needsSchema: false,
  async run(invocation) {
    const waiting = pendingOf(await invocation.service.get(Database).migrations());
    const items = waiting.map(({ name, statements }) => ({ name, statements }));
    const lines = items.flatMap(({ name, statements }) => [`-- ${name}`, ...statements.flatMap(written), '']);
    print(invocation, { items }, lines.length === 0 ? ['-- No pending migrations.'] : [HEAD, '', ...lines]);
  },
};

const run: Command = {
  name: 'migrate run',
  summary: 'Run the pending migrations',
  example: 'migrate run',
  printsData: true,
  needsSchema: false,
  async run(invocation) {
    const database = invocation.service.get(Database);
    const applied = pendingOf(await database.migrations()).map(({ name }) => name);
    await database.prepare(true, async () => {});
    print(invocation, { applied }, applied.length === 0 ? ['No pending migrations.'] : applied);
  },
};

export const migrateCommands: readonly Command[] = [status, plan, run];
