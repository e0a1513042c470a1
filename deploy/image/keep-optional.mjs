/*
 * Turns the optional peers that the standalone service uses into dependencies, so that `npm prune --omit=dev` keeps them. Run before it,
 * in a copy of the project: it changes package.json.
 *
 *   node deploy/image/keep-optional.mjs [--from .]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { from: { type: 'string', default: '.' } } });
const file = join(values.from, 'package.json');
const manifest = JSON.parse(readFileSync(file, 'utf8'));

/** The embedded database is for development. */
const kept = Object.keys(manifest.peerDependenciesMeta).filter((name) => name !== '@electric-sql/pglite');
for (const name of kept) {
  manifest.dependencies[name] = manifest.devDependencies[name];
  delete manifest.devDependencies[name];
  delete manifest.peerDependencies[name];
  delete manifest.peerDependenciesMeta[name];
}
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
