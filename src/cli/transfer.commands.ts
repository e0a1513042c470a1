import { stat } from 'node:fs/promises';
import { AccountExportService, AccountImportService, foreignSources, UnreadableFile } from '../import-export';
import { OPERATOR } from '../platform/context';
import { ProblemError } from '../platform/errors';
import { Command, CommandError, Typed, UsageError } from './command';
import { ImportOutput } from './import-output';
import { choiceOption, flag, isGiven, textOf } from './option';
import { asLine } from './output';

const names = foreignSources.map(({ name }) => name);

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
    'Import the users of another system with their passwords and authenticator apps. Can be repeated. Prints a line of JSON for each user that needs action, then the totals',
  example: 'import --from keycloak realm.json --dry-run',
  printsData: true,
  arguments: [{ name: 'FILE', summary: 'The export of the other system' }],
  options: {
    from: choiceOption(names, 'The other system', { isRequired: true }),
    'dry-run': flag('Only print what would be imported'),
    verbose: flag('Print a line for every user who was not simply imported, also for notes that need no action'),
    roles: flag('Also import roles without permissions, groups without roles, and organizations with their members'),
  },
  async run(invocation) {
    const { words, service, terminal } = invocation;
    const [path = ''] = words;
    const source = sourceOf(invocation);
    const dryRun = isGiven(invocation, 'dry-run');
    const output = new ImportOutput(terminal, await sizeOf(path), isGiven(invocation, 'verbose'));
    const withRoles = isGiven(invocation, 'roles');
    const order = { source, path, dryRun, withRoles, by: OPERATOR, print: output.write, onProgress: output.show };
    try {
      output.writeTotals(dryRun, await service.get(AccountImportService).run(order));
    } catch (error) {
      throw explained(error);
    } finally {
      output.end();
    }
    if (output.unreadable > 0) {
      throw new CommandError(
        `Lines of ${path} that are not JSON objects: ${output.unreadable}. Mend them before the import.`,
      );
    }
  },
};

/** In bytes; 0 for a file that does not exist, which the import names. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

const exportUsers: Command = {
  name: 'export',
  summary:
    'Print all users with their roles, organizations, permissions and third-party accounts, one JSON object per line',
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
