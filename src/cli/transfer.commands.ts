import {
  AccountExportService,
  AccountImportService,
  foreignSources,
  ImportLine,
  ImportTotals,
  UnreadableFile,
} from '../import-export';
import { Command, CommandError, Terminal, Typed, UsageError } from './command';

const names = foreignSources.map(({ name }) => name).join('|');

const asLine = (value: object): string => `${JSON.stringify(value)}\n`;

function writeTotals(terminal: Terminal, dryRun: boolean, totals: ImportTotals): void {
  terminal.write(asLine({ result: dryRun ? 'totals of a dry run' : 'totals', ...totals }));
}

function sourceOf(options: Typed['options']): (typeof foreignSources)[number] {
  const source = foreignSources.find(({ name }) => name === options['from']);
  if (!source) throw new UsageError(`--from must be one of ${names}`);
  return source;
}

const importUsers: Command = {
  name: 'import',
  usage: `--from ${names} FILE [--dry-run] [--roles]`,
  summary:
    'Import the users of another system with their passwords. Can be repeated. Prints a line of JSON for each user to check, then the totals',
  options: { from: { type: 'string' }, 'dry-run': { type: 'boolean' }, roles: { type: 'boolean' } },
  words: { min: 1, max: 1 },
  check({ options }) {
    sourceOf(options);
  },
  async run({ words, options, service, terminal }) {
    const source = sourceOf(options);
    const dryRun = options['dry-run'] === true;
    let withoutId = 0;
    const writeLine = (line: ImportLine): void => {
      if (line.why === 'no_id') withoutId += 1;
      terminal.write(asLine(line));
    };
    const order = { source, path: words[0] ?? '', dryRun, withRoles: options['roles'] === true, print: writeLine };
    try {
      const totals = await service.get(AccountImportService).run(order);
      writeTotals(terminal, dryRun, totals);
      if (totals.read > 0 && withoutId === totals.read) {
        throw new CommandError(`This is not a ${source.name} export: no user in it has a ${source.name} id.`);
      }
    } catch (error) {
      if (error instanceof UnreadableFile) throw new CommandError(error.message);
      throw error;
    }
  },
};

const exportUsers: Command = {
  name: 'export',
  usage: '[--with-password-hashes]',
  summary: 'Print all users with their roles, permissions and third-party accounts, one JSON object per line',
  needsKeys: false,
  options: { 'with-password-hashes': { type: 'boolean' } },
  async run({ options, service, terminal }) {
    const withHashes = options['with-password-hashes'] === true;
    for await (const user of service.get(AccountExportService).users(withHashes)) {
      if (terminal.isOver) return;
      terminal.write(asLine(user));
    }
  },
};

export const transferCommands: readonly Command[] = [importUsers, exportUsers];
