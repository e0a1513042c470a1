import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { holdHeap } from './start-heap';

type Bundle = (exports: object, require: NodeJS.Require, module: object, file: string, folder: string) => void;

/**
 * Runs the server that scripts/bundle.mjs made of all its modules.
 *
 * Beside it lies what V8 compiled of it. V8 takes that only from its own version and flags, and compiles as ever where
 * they are others: nothing has to be cleared when Node.js changes.
 * @returns what it runs; undefined where there is no bundle.
 */
export function runBundle(folder: string): Script | undefined {
  const file = join(folder, 'server.js');
  const source = readIfThere(file);
  if (!source) return undefined;
  const script = new Script(source.toString('latin1'), {
    filename: file,
    cachedData: readIfThere(join(folder, 'server.v8')),
  });
  // V8 compares its flags with those the code was made with.
  holdHeap();
  const bundle = script.runInThisContext() as Bundle;
  const module = { exports: {} };
  bundle(module.exports, createRequire(file), module, file, dirname(file));
  return script;
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
