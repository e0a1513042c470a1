/*
 * Removes packages that the container never runs: the embedded database, which production rejects, and build tools that
 * remain as optional peers of other packages. Run after `npm prune --omit=dev`:
 *
 *   node deploy/image/slim.mjs [--from .]
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const NOT_IN_IMAGE = ['@electric-sql/pglite', 'typescript'];

const { values } = parseArgs({ options: { from: { type: 'string', default: '.' } } });
const packages = join(values.from, 'node_modules');
for (const name of NOT_IN_IMAGE) rmSync(join(packages, name), { recursive: true, force: true });

const commands = join(packages, '.bin');
for (const name of readdirSync(commands)) if (/^(tsc|tsserver|pglite.*)$/.test(name)) rmSync(join(commands, name));
