import { Database, MigrationReport, PlannedStatement } from '../platform/database';
import { Command, Terminal } from './command';

const pendingOf = (reports: readonly MigrationReport[]): MigrationReport[] =>
  reports.filter(({ isPending }) => isPending);

function printNames(terminal: Terminal, reports: readonly MigrationReport[], empty: string): void {
  if (reports.length === 0) terminal.write(`${empty}\n`);
  for (const { name } of reports) terminal.write(`${name}\n`);
}

const status: Command = {
  name: 'migrate status',
  usage: '',
  summary: 'List the migrations and whether they are applied',
  needsSchema: false,
  async run({ service, terminal }) {
    for (const { name, isPending } of await service.get(Database).migrations()) {
      terminal.write(`${isPending ? 'pending' : 'applied'}\t${name}\n`);
    }
  },
};

const HEAD = '-- Each migration is one transaction: locks are held until the end of the migration.';

const written = ({ sql, parameters }: PlannedStatement): string =>
  [...parameters.map((value, place) => `-- $${place + 1}: ${JSON.stringify(value)}`), `${sql.trim()};`, ''].join('\n');

const plan: Command = {
  name: 'migrate plan',
  usage: '',
  summary: 'Print the SQL of the pending migrations without running it',
  needsSchema: false,
  async run({ service, terminal }) {
    const waiting = pendingOf(await service.get(Database).migrations());
    terminal.write(waiting.length === 0 ? '-- No pending migrations.\n' : `${HEAD}\n\n`);
    for (const { name, statements } of waiting) {
      terminal.write(`-- ${name}\n${statements.map(written).join('')}\n`);
    }
  },
};

const run: Command = {
  name: 'migrate run',
  usage: '',
  summary: 'Run the pending migrations',
  needsSchema: false,
  async run({ service, terminal }) {
    const database = service.get(Database);
    const waiting = pendingOf(await database.migrations());
    await database.prepare(true, async () => {});
    printNames(terminal, waiting, 'No pending migrations.');
  },
};

export const migrateCommands: readonly Command[] = [status, plan, run];
