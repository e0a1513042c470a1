/**
 * Makes and checks what a release publishes: the tarballs of all packages (publint, arethetypeswrong), the SBOM and the
 * licences of what they bring. Publishes nothing. `--out FOLDER` (`.tmp/release`); `--built` uses the builds that are
 * there. docs/releasing.md explains the rest.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { calmEnd } from './calm-end.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Published packages: the folder of each, in the order of publishing. */
const PACKAGES = ['packages/client', 'packages/guard', 'packages/react', '.'];
/** The client and the React package have an entry for each kind of module; `castellan` is CommonJS, which both can load. */
/** Jest reads its preset by name. No code imports it, so it has no types. */
const ATTW = ['--profile', 'node16', '--format', 'ascii', '--no-emoji', '--exclude-entrypoints', 'jest-preset'];

const { values } = parseArgs({ options: { out: { type: 'string' }, built: { type: 'boolean', default: false } } });
const out = resolve(values.out ?? join(root, '.tmp/release'));
const env = { ...process.env, PATH: [process.env.PATH, join(root, 'node_modules/.bin')].join(delimiter) };

function run(command, args, { cwd = root, keep = false } = {}) {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
    stdio: ['ignore', keep ? 'pipe' : 'inherit', 'inherit'],
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
  return stdout ?? '';
}

function pack(folder) {
  const scripts = values.built ? ['--ignore-scripts'] : [];
  run('npm', ['pack', '--silent', ...scripts, '--pack-destination', out], { cwd: join(root, folder) });
}

function check(tarball) {
  run('publint', ['run', '--strict', tarball]);
  run('attw', [tarball, ...ATTW]);
}

/** npm names the component after the folder; a clone may have any name. */
function writeSbom({ name, version }) {
  const sbom = JSON.parse(
    run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit=dev'], { keep: true }),
  );
  sbom.metadata.component.name = name;
  const file = join(out, `${name}-${version}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  return file;
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const main = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
for (const folder of PACKAGES) pack(folder);
for (const tarball of readdirSync(out).filter((name) => name.endsWith('.tgz'))) check(join(out, tarball));
const sbom = writeSbom(main);
writeFileSync(join(out, 'licences.md'), run(process.execPath, ['scripts/licences.mjs', sbom], { keep: true }));
process.stdout.write(`Ready in ${out}: ${readdirSync(out).join(', ')}\n`);
await calmEnd();
