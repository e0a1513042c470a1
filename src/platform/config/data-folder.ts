import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { EnvironmentError } from './environment-error';
import { quote } from './variable-reader';

const ownerOnly = 0o700;

function refused(folder: string, problem: string): EnvironmentError {
  const allowed = 'a folder that this process can make, read and write';
  return new EnvironmentError([
    { variable: 'DATA_DIR', problem: `is ${quote('DATA_DIR', folder)}: ${problem}`, allowed },
  ]);
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

async function isFolder(path: string): Promise<boolean | undefined> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/** One folder at a time: Node's `recursive` asks for ever where mkdir says ENOENT below a folder that is there (`/proc`). */
async function makeWithParents(path: string): Promise<void> {
  if ((await isFolder(path)) !== undefined) return;
  await makeWithParents(dirname(path));
  try {
    await mkdir(path, ownerOnly);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Makes the folder (0700), and those above it, where missing. Errors: `EnvironmentError` naming `DATA_DIR`. */
export async function makeDataFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  try {
    await makeWithParents(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOTDIR') throw refused(folder, `it cannot be made (${codeOf(error)})`);
  }
  if ((await isFolder(path)) !== true) throw refused(folder, 'not a folder');
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw refusedDataFolder(folder, error);
  }
}

/** What became of a file in the folder, in words of `DATA_DIR`; what is no failure of the file system, as it is. */
export function refusedDataFolder(folder: string, error: unknown): unknown {
  const isOfFiles = error instanceof Error && 'syscall' in error && codeOf(error) !== undefined;
  return isOfFiles ? refused(folder, `it cannot be used (${codeOf(error)})`) : error;
}
