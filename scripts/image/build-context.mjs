import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that `COPY . .` takes: all but those that .dockerignore leaves out. Paths relative to the root. */
export function contextFiles(root) {
  const isIgnored = ignoreRules(readFileSync(join(root, '.dockerignore'), 'utf8'));
  const files = [];
  const walk = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && isIgnored.mayContain(path)) walk(path);
      else if (!entry.isDirectory() && !isIgnored(path)) files.push(path);
    }
  };
  walk('');
  return files.sort();
}

/** The last pattern that matches a path, or a folder above it, decides. */
function ignoreRules(text) {
  const lines = text.split('\n').map((line) => line.trim());
  const rules = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ ignores: !line.startsWith('!'), pattern: line.replace(/^!/, '').replace(/^\/|\/$/g, '') }))
    .map((rule) => ({ ...rule, regex: regexOf(rule.pattern) }));
  const isIgnored = (path) => rules.findLast(({ regex }) => regex.test(path))?.ignores ?? false;
  const isExceptionBelow = (path) => rules.some(({ ignores, pattern }) => !ignores && pattern.startsWith(`${path}/`));
  return Object.assign(isIgnored, { mayContain: (path) => !isIgnored(path) || isExceptionBelow(path) });
}

/** Docker's patterns: `*` and `?` stay within a name, `**` crosses folders. */
function regexOf(pattern) {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (wild) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' })[wild]);
  return new RegExp(`^${source}(?:/.*)?$`);
}
