import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every text in a section, with its path. */
function* flatten(value, path) {
  if (typeof value === 'string') yield [path, value];
  else for (const [key, inner] of Object.entries(value)) yield* flatten(inner, path === '' ? key : `${path}.${key}`);
}

/** The texts of each section of a language: section → key → text. */
export function textsOf(root, language) {
  const folder = join(root, 'i18n', language);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return new Map(files.map((file) => [file.slice(0, -'.json'.length), new Map(flatten(read(file), ''))]));
}

export const placeholdersOf = (text) =>
  [...new Set(Array.from(text.matchAll(/\{([^{}]*)\}/g), ([, name]) => name))].sort();

/** The differences between two languages: sections, keys, placeholders. */
export function differences(one, other, names) {
  const faults = [];
  for (const section of new Set([...one.keys(), ...other.keys()])) {
    const texts = [one.get(section) ?? new Map(), other.get(section) ?? new Map()];
    for (const key of new Set(texts.flatMap((map) => [...map.keys()]))) {
      const absent = texts.findIndex((map) => !map.has(key));
      if (absent >= 0) {
        faults.push(`${names[absent]}/${section}.json: ${key} is missing`);
        continue;
      }
      const [here, there] = texts.map((map) => placeholdersOf(map.get(key)).join(', '));
      if (here !== there) {
        faults.push(`${section}: ${key} has {${here}} in ${names[0]} and {${there}} in ${names[1]}`);
      }
    }
  }
  return faults;
}
