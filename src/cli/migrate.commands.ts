import { Database, MigrationReport } from '../platform/database';
import { Command, Terminal } from './command';

const pendingOf = (reports: readonly MigrationReport[]): MigrationReport[] =>
  reports.filter(({ isPending }) => isPending);

function tell(terminal: Terminal, reports: readonly MigrationReport[], empty: string): void {
  if (reports.length === 0) terminal.write(`${empty}\n`);
  for (const { name } of reports) terminal.write(`${name}\n`);
}

const status: Command = {
  name: 'migrate status',
  usage: '',
  summary: 'List the migrations: which have run, which wait',
  needsSchema: false,
  async run({ service, terminal }) {
    for (const { name, isPending } of await service.get(Database).migrations()) {
      terminal.write(`${isPending ? 'waits' : 'has run'}\t${name}\n`);
    }
  },
};

const plan: Command = {
  name: 'migrate plan',
  usage: '',
  summary: 'Print the SQL of the migrations that wait; runs nothing',
  needsSchema: false,
  async run({ service, terminal }) {
    const waiting = pendingOf(await service.get(Database).migrations());
    if (waiting.length === 0) terminal.write('-- Nothing waits.\n');
    for (const { name, statements } of waiting) {
      terminal.write(`-- ${name}\n${statements.map((statement) => `${statement.trim()};\n`).join('')}\n`);
    }
  },
};

const run: Command = {
  name: 'migrate run',
  usage: '',
  summary: 'Run the migrations that wait',
  needsSchema: false,
  async run({ service, terminal }) {
    const database = service.get(Database);
    const waiting = pendingOf(await database.migrations());
    await database.prepare(true, async () => {});
    tell(terminal, waiting, 'Nothing waits.');
  },
};

export const migrateCommands: readonly Command[] = [status, plan, run];
