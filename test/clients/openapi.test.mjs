import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ISSUER } from './service.mjs';

const WARNING = /\b(?:warn(?:ing)?|error|deprecated|unsupported|invalid)\b|⚠|❌/i;
let folder;
let document;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-openapi-'));
  document = join(folder, 'openapi.json');
  await writeFile(document, await (await fetch(`${ISSUER}/api/openapi.json`)).text());
});

after(() => rm(folder, { recursive: true, force: true }));

/** Runs a generator with the packages of this folder. */
function generate(name, ...options) {
  const bin = join(import.meta.dirname, 'node_modules/.bin', name);
  const { status, stdout, stderr } = spawnSync(bin, options, { cwd: folder, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}`.replaceAll(folder, '') };
}

for (const [name, file, ...options] of [
  ['openapi-typescript', 'types.ts', 'openapi.json', '-o', 'types.ts'],
  ['openapi-ts', 'hey-api/index.ts', '-i', 'openapi.json', '-o', 'hey-api', '-c', '@hey-api/client-fetch'],
  ['orval', 'orval.ts', '--input', 'openapi.json', '--output', 'orval.ts', '--client', 'fetch'],
]) {
  test(`${name} generates valid TypeScript without a warning`, () => {
    const { status, said } = generate(name, ...options);
    assert.equal(status, 0, said);
    assert.doesNotMatch(said, WARNING);
    const tsc = join(import.meta.dirname, 'node_modules/.bin/tsc');
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--skipLibCheck',
      '--lib',
      'es2022,dom,dom.iterable',
      '--module',
      'esnext',
    ];
    execFileSync(tsc, [...flags, '--moduleResolution', 'bundler', join(folder, file)], { stdio: 'inherit' });
  });
}
