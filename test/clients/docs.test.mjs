import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const docs = readFileSync(resolve(import.meta.dirname, '../../docs/clients.md'), 'utf8');

/** The lines between the marks, without their common indentation. */
function configurationOf(file) {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  const marked = /^( *)\/\/ <configuration>\n([\s\S]*?)\n *\/\/ <\/configuration>$/m.exec(text);
  return marked?.[2].replace(new RegExp(`^${marked[1]}`, 'gm'), '');
}

for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.mjs'))) {
  const configuration = configurationOf(file);
  if (configuration === undefined) continue;
  test(`docs/clients.md prints the configuration of ${file}`, () => {
    assert.ok(docs.includes(configuration), configuration);
  });
}
