import { chmod, link, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encryptionKeys } from './checks';
import { makeDataFolder, dataFolderError } from './data-folder';
import { Environment } from './environment';
import { EnvironmentError } from './environment-error';

const ownerOnly = 0o600;
const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

async function readKept(path: string): Promise<string | undefined> {
  try {
    const keys = (await readFile(path, 'utf8')).trim();
    await chmod(path, ownerOnly);
    return keys;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/**
 * Creates the file once, complete or not at all: link() fails on an existing name as O_EXCL does, and no other process
 * can read half a key.
 */
async function keepOnce(folder: string, path: string, keys: string): Promise<void> {
  const draftFolder = await mkdtemp(join(folder, '.keys-'));
  try {
    const draft = join(draftFolder, 'keys');
    await writeFile(draft, `${keys}\n`, { flag: 'wx', mode: ownerOnly, flush: true });
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draftFolder, { recursive: true, force: true });
  }
}

async function keep(folder: string, path: string, keys: string): Promise<string | undefined> {
  await makeDataFolder(folder);
  await keepOnce(folder, path, keys);
  return readKept(path);
}

/**
 * Returns the keys of a development installation: generated once and kept in `<folder>/encryption-keys`.
 * @param isInUse whether other keys have already sealed values in the database; then new keys are not stored.
 */
export async function developmentEncryptionKeys(
  folder: string,
  generate: () => string,
  isInUse: () => Promise<boolean>,
): Promise<string> {
  const path = join(folder, 'encryption-keys');
  const fail = (error: unknown): never => {
    throw dataFolderError(folder, error);
  };
  let keys = await readKept(path).catch(fail);
  if (keys === undefined) {
    if (await isInUse()) return generate();
    keys = await keep(folder, path, generate()).catch(fail);
  }
  const problem = encryptionKeys(false)(keys ?? '');
  if (problem === undefined && keys !== undefined) return keys;
  const form = 'kid:base64url(32 bytes)[,older…], as the service wrote it';
  throw new EnvironmentError([{ variable: 'DATA_DIR', problem: `holds an unusable file ${path}`, allowed: form }]);
}

/** Returns `ENCRYPTION_KEYS`, or the keys stored under `DATA_DIR`. Production requires the variable. */
export async function resolveEncryptionKeys(
  environment: Environment,
  generate: () => string,
  isInUse: () => Promise<boolean>,
): Promise<string> {
  return environment.encryptionKeys ?? (await developmentEncryptionKeys(environment.dataDir, generate, isInUse));
}
