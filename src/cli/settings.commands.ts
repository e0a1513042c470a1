import { readFile } from 'node:fs/promises';
import { ProblemError } from '../platform/errors';
import { findSetting } from '../platform/settings';
import { RequestedUpdate, SettingsService, SettingUpdatesService, StoredSettings } from '../settings';
import { Command, CommandError, Terminal } from './command';
import { readSettingsFile, writeSettingsFile } from './settings-file';

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
  usage: '',
  summary: 'Print the settings that have a value as YAML, without secrets',
  needsKeys: false,
  async run({ service, terminal }) {
    terminal.write(writeSettingsFile(await service.get(SettingsService).stored()));
  },
};

const importSettings: Command = {
  name: 'settings import',
  usage: 'FILE|- [--dry-run]',
  summary: 'Set all settings of a YAML file, or none if one is invalid. null restores the default',
  options: { 'dry-run': { type: 'boolean' } },
  words: { min: 1, max: 1 },
  async run({ words, options, service, terminal }) {
    const asked = readSettingsFile(await readText(words[0] ?? STANDARD_INPUT, terminal));
    const stored = await service.get(SettingsService).stored();
    const news = asked.filter((update) => isNews(update, stored));
    const dryRun = options['dry-run'] === true;
    await service.get(SettingUpdatesService).update(news, { reason: 'settings import', dryRun }).catch(nameKeys(news));
    for (const { key } of news) terminal.write(`${dryRun ? 'would change' : 'changed'}\t${key}\n`);
    if (news.length === 0) terminal.write('Nothing to change.\n');
  },
};

export const settingsCommands: readonly Command[] = [exportSettings, importSettings];
