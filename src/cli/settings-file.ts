import { Document, isMap, parseDocument } from 'yaml';
import { serviceVersion } from '../platform/config';
import { declaredSettings } from '../platform/settings';
import { AskedUpdate, StoredSettings } from '../settings';
import { CommandError } from './command';

const named = (title: string, keys: readonly string[]): string[] =>
  keys.length > 0 ? [` ${title}`, ...keys.map((key) => ` ${key}`)] : [];

const isSet = (stored: StoredSettings, key: string): boolean => (stored.get(key)?.value ?? null) !== null;

/** Of an application that embeds the service; whether they are secret only that one knows, so their values stay here. */
function foreignKeys(stored: StoredSettings): string[] {
  const declared = new Set(declaredSettings().map(({ key }) => key));
  return [...stored.keys()].filter((key) => !declared.has(key) && isSet(stored, key)).sort();
}

/** The settings that are set, one a line, by key. Secrets, and what this program does not know, are named in a comment. */
export function writeSettingsFile(stored: StoredSettings): string {
  const set = declaredSettings()
    .filter(({ key }) => isSet(stored, key))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const open = set.filter(({ secret }) => !secret);
  const secrets = set.filter(({ secret }) => secret).map(({ key }) => key);
  const file = new Document(Object.fromEntries(open.map(({ key }) => [key, stored.get(key)?.value])));
  file.commentBefore = ` Settings of Castellan ${serviceVersion}; what is not named here has its default.`;
  const comment = [
    ...named('Set as well, and left out because they are secret:', secrets),
    ...named('Set as well, and unknown here: settings of an application that embeds Castellan.', foreignKeys(stored)),
  ];
  if (comment.length > 0) file.comment = comment.join('\n');
  return file.toString();
}

/** What a file asks for: one setting a line, null for the default. */
export function readSettingsFile(text: string): AskedUpdate[] {
  const file = parseDocument(text);
  const [problem] = file.errors;
  if (problem) throw new CommandError(`This is no settings file: ${problem.message}`);
  if (file.contents === null) return [];
  if (!isMap(file.contents)) {
    throw new CommandError('This is no settings file: lines of the form "key: value" are expected.');
  }
  const values = file.toJS({ maxAliasCount: 0 }) as Record<string, unknown>;
  return Object.entries(values).map(([key, value]) => ({ key, value }));
}
