import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../../..');

export interface CompiledFolder {
  /** A new folder inside the repository, so that compiled code finds its packages. */
  readonly folder: string;
  /** The compiled entry module of the embedded database for child processes. */
  readonly frontDoor: string;
  remove(): void;
}

/** Compiles the embedded database for child processes, which run without jest. */
export function compileEmbedded(): CompiledFolder {
  const parent = join(ROOT, '.tmp');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'embedded-'));
  const compiled = join(folder, 'compiled');
  const swc = join(ROOT, 'node_modules/@swc/cli/bin/swc.js');
  const source = 'src/platform/database/embedded';
  execFileSync(
    process.execPath,
    [
      swc,
      source,
      'src/platform/config',
      'src/platform/passwords',
      'src/platform/util',
      '-d',
      compiled,
      '--ignore',
      '**/*.spec.ts',
      '-q',
    ],
    { cwd: ROOT },
  );
  return {
    folder,
    frontDoor: join(compiled, source, 'index.js'),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
