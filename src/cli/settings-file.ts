import { Document, isMap, parseDocument } from 'yaml';
import { serviceVersion } from '../platform/config';
import { declaredSettings } from '../platform/settings';
import { RequestedUpdate, StoredSettings } from '../settings';
import { CommandError } from './command';

const named = (title: string, keys: readonly string[]): string[] =>
  keys.length > 0 ? [` ${title}`, ...keys.map((key) => ` ${key}`)] : [];

const isSet = (stored: StoredSettings, key: string): boolean => (stored.get(key)?.value ?? null) !== null;

/**
 * Stored settings that this process does not declare, of an application that embeds the service. Their values are never
 * exported, because they may be secret.
 */
function foreignKeys(stored: StoredSettings): string[] {
  const declared = new Set(declaredSettings().map(({ key }) => key));
  return [...stored.keys()].filter((key) => !declared.has(key) && isSet(stored, key)).sort();
}

interface ExportedSettings {
  /** The values by key. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Keys of secret settings that have a value. */
  readonly secret: readonly string[];
  /** Keys that only an application that embeds the service declares. */
  readonly foreign: readonly string[];
}

/** The settings that have a value, sorted by key. Secret and undeclared ones only by key. */
export function exportedSettings(stored: StoredSettings): ExportedSettings {
  const set = declaredSettings()
    .filter(({ key }) => isSet(stored, key))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const open = set.filter(({ secret }) => !secret);
  return {
    settings: Object.fromEntries(open.map(({ key }) => [key, stored.get(key)?.value])),
    secret: set.filter(({ secret }) => secret).map(({ key }) => key),
    foreign: foreignKeys(stored),
  };
}

/**
 * Writes the settings that have a value, sorted by key, one per line. Secret and undeclared keys are listed in a
 * comment.
 */
export function writeSettingsFile(stored: StoredSettings): string {
  const { settings, secret, foreign } = exportedSettings(stored);
  const file = new Document(settings);
  file.commentBefore = ` Settings of Castellan ${serviceVersion}. All other settings have their default.`;
  const comment = [
    ...named('Secret settings, not exported:', secret),
    ...named('Settings of an application that embeds Castellan, not exported:', foreign),
  ];
  if (comment.length > 0) file.comment = comment.join('\n');
  return file.toString();
}

/** Reads a settings file: one setting per line, null for the default. */
export function readSettingsFile(text: string): RequestedUpdate[] {
  const file = parseDocument(text);
  const [problem] = file.errors;
  if (problem) throw new CommandError(`This is not a settings file: ${problem.message}`);
  if (file.contents === null) return [];
  if (!isMap(file.contents)) {
    throw new CommandError('This is not a settings file: expected lines of the form "key: value".');
  }
  const values = file.toJS({ maxAliasCount: 0 }) as Record<string, unknown>;
  return Object.entries(values).map(([key, value]) => ({ key, value }));
}
