import { readFile } from 'node:fs/promises';
import { ProblemError } from '../platform/errors';
import { findSetting } from '../platform/settings';
import { RequestedUpdate, SettingsService, SettingUpdatesService, StoredSettings } from '../settings';
import { Command, CommandError, Terminal } from './command';
import { flag, isGiven } from './option';
import { print } from './output';
import { exportedSettings, readSettingsFile, writeSettingsFile } from './settings-file';

const STANDARD_INPUT = '-';

async function readText(path: string, terminal: Terminal): Promise<string> {
  if (path === STANDARD_INPUT) return terminal.readInput();
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandError(`Cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`);
  }
}

/**
 * Whether an update changes the setting. Always true for a secret, because it is stored encrypted, and for an unknown
 * key, so that it is rejected.
 */
const isNews = ({ key, value }: RequestedUpdate, stored: StoredSettings): boolean =>
  !findSetting(key) || JSON.stringify(stored.get(key)?.value ?? null) !== JSON.stringify(value);

/** Replaces the position of an update in an error by its key. */
const nameKeys =
  (updates: readonly RequestedUpdate[]) =>
  (error: unknown): never => {
    if (!(error instanceof ProblemError)) throw error;
    const lines = error.fields.map((found) => {
      const [, index = ''] = /^updates\[(\d+)\]/.exec(found.field) ?? [];
      return { ...found, field: updates[Number(index)]?.key ?? found.field };
    });
    throw new ProblemError(error, { params: error.params, fields: lines });
  };

const exportSettings: Command = {
  name: 'settings export',
  summary: 'Print the settings that have a value as YAML, without secrets',
  example: 'settings export',
  printsData: true,
  needsKeys: false,
  async run(invocation) {
    const stored = await invocation.service.get(SettingsService).stored();
    print(invocation, exportedSettings(stored), [writeSettingsFile(stored).trimEnd()]);
  },
};

const importSettings: Command = {
  name: 'settings import',
  summary: 'Set all settings of a YAML file, or none if one is invalid. null restores the default',
  example: 'settings import settings.yaml --dry-run',
  printsData: true,
  arguments: [{ name: 'FILE|-', summary: 'A file as "settings export" prints it, or - for standard input' }],
  options: { 'dry-run': flag('Only print what would change') },
  async run(invocation) {
    const { words, service, terminal } = invocation;
    const asked = readSettingsFile(await readText(words[0] ?? STANDARD_INPUT, terminal));
    const stored = await service.get(SettingsService).stored();
    const news = asked.filter((update) => isNews(update, stored));
    const dryRun = isGiven(invocation, 'dry-run');
    await service.get(SettingUpdatesService).update(news, { reason: 'settings import', dryRun }).catch(nameKeys(news));
    const changed = news.map(({ key }) => key);
    const lines = changed.map((key) => `${dryRun ? 'would change' : 'changed'}\t${key}`);
    print(invocation, { changed, dry_run: dryRun }, lines.length > 0 ? lines : ['Nothing to change.']);
  },
};

export const settingsCommands: readonly Command[] = [exportSettings, importSettings];
