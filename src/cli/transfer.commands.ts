import {
  AccountExportService,
  AccountImportService,
  foreignSources,
  ImportLine,
  ImportTotals,
  UnreadableFile,
} from '../import-export';
import { OPERATOR } from '../platform/context';
import { ProblemError } from '../platform/errors';
import { Command, CommandError, Terminal, Typed, UsageError } from './command';
import { choiceOption, flag, isGiven, textOf } from './option';
import { asLine } from './output';

const names = foreignSources.map(({ name }) => name);

function writeTotals(terminal: Terminal, dryRun: boolean, totals: ImportTotals): void {
  terminal.write(asLine({ result: dryRun ? 'totals of a dry run' : 'totals', ...totals }));
}

function sourceOf(typed: Pick<Typed, 'options'>): (typeof foreignSources)[number] {
  const source = foreignSources.find(({ name }) => name === textOf(typed, 'from'));
  if (!source) throw new UsageError(`--from must be one of ${names.join(', ')}.`);
  return source;
}

function explained(error: unknown): unknown {
  if (error instanceof UnreadableFile) return new CommandError(error.message);
  if (!(error instanceof ProblemError) || error.code !== 'default_role_unavailable') return error;
  return new CommandError('The default role does not exist. Check the setting register.default_role.');
}

const importUsers: Command = {
  name: 'import',
  summary:
    'Import the users of another system with their passwords and authenticator apps. Can be repeated. Prints a line of JSON for each user to check, then the totals',
  example: 'import --from keycloak realm.json --dry-run',
  printsData: true,
  arguments: [{ name: 'FILE', summary: 'The export of the other system' }],
  options: {
    from: choiceOption(names, 'The other system', { isRequired: true }),
    'dry-run': flag('Only print what would be imported'),
    roles: flag('Also import roles without permissions, groups without roles, and organisations with their members'),
  },
  async run(invocation) {
    const { words, service, terminal } = invocation;
    const source = sourceOf(invocation);
    const dryRun = isGiven(invocation, 'dry-run');
    let withoutId = 0;
    const writeLine = (line: ImportLine): void => {
      if (line.why === 'no_id') withoutId += 1;
      terminal.write(asLine(line));
    };
    const withRoles = isGiven(invocation, 'roles');
    const order = { source, path: words[0] ?? '', dryRun, withRoles, by: OPERATOR, print: writeLine };
    try {
      const totals = await service.get(AccountImportService).run(order);
      writeTotals(terminal, dryRun, totals);
      if (totals.read > 0 && withoutId === totals.read) {
        throw new CommandError(`This is not a ${source.name} export: no user in it has a ${source.name} id.`);
      }
    } catch (error) {
      throw explained(error);
    }
  },
};

const exportUsers: Command = {
  name: 'export',
  summary:
    'Print all users with their roles, organisations, permissions and third-party accounts, one JSON object per line',
  example: 'export > users.ndjson',
  printsData: true,
  needsKeys: false,
  options: { 'with-password-hashes': flag('Also print the hashes of the passwords, which are secret') },
  async run(invocation) {
    const { service, terminal } = invocation;
    const withHashes = isGiven(invocation, 'with-password-hashes');
    for await (const user of service.get(AccountExportService).users(withHashes)) {
      if (terminal.isOver) return;
      terminal.write(asLine(user));
    }
  },
};

export const transferCommands: readonly Command[] = [importUsers, exportUsers];
