import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { EnvironmentError } from './environment-error';
import { quote } from './variable-reader';

const ownerOnly = 0o700;

function unusable(folder: string, problem: string): EnvironmentError {
  const allowed = 'a folder that this process can make, read and write';
  return new EnvironmentError([{ variable: 'DATA_DIR', problem: `is ${quote(folder)}: ${problem}`, allowed }]);
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

/**
 * Creates one folder at a time. Node's `recursive` loops forever where mkdir reports ENOENT below an existing folder
 * (`/proc`).
 */
async function makeWithParents(path: string): Promise<void> {
  if ((await isFolder(path)) !== undefined) return;
  await makeWithParents(dirname(path));
  try {
    await mkdir(path, ownerOnly);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Creates the folder (0700) and its missing parents. Errors: `EnvironmentError` naming `DATA_DIR`. */
export async function makeDataFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  try {
    await makeWithParents(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOTDIR') throw unusable(folder, `it cannot be made (${codeOf(error)})`);
  }
  if ((await isFolder(path)) !== true) throw unusable(folder, 'not a folder');
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw dataFolderError(folder, error);
  }
}

/** Turns a file-system error into an `EnvironmentError` for `DATA_DIR`; returns any other error as it is. */
export function dataFolderError(folder: string, error: unknown): unknown {
  const isFileSystemError = error instanceof Error && 'syscall' in error && codeOf(error) !== undefined;
  return isFileSystemError ? unusable(folder, `it cannot be used (${codeOf(error)})`) : error;
}
