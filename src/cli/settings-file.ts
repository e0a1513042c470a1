import { Document, isMap, parseDocument } from 'yaml';
import { serviceVersion } from '../platform/config';
import { declaredSettings } from '../platform/settings';
import { AskedUpdate, StoredSettings } from '../settings';
import { CommandError } from './command';

/** The settings that are set, one a line, by key. Secrets are named in a comment and left out. */
export function writeSettingsFile(stored: StoredSettings): string {
  const set = declaredSettings()
    .filter(({ key }) => (stored.get(key)?.value ?? null) !== null)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  const open = set.filter(({ secret }) => !secret);
  const secrets = set.filter(({ secret }) => secret);
  const file = new Document(Object.fromEntries(open.map(({ key }) => [key, stored.get(key)?.value])));
  file.commentBefore = ` Settings of Castellan ${serviceVersion}; what is not here has its default.`;
  if (secrets.length > 0) {
    file.comment = [' Set as well, and left out because they are secret:', ...secrets.map(({ key }) => ` ${key}`)].join(
      '\n',
    );
  }
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
