import { chmod, link, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encryptionKeys } from './checks';
import { makeDataFolder, refusedDataFolder } from './data-folder';
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
 * The file appears under its name complete or not at all, and only once: link() refuses an existing name as O_EXCL
 * does, but leaves no moment in which another starter could read half a key.
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
 * The keys of a development installation: made once, kept in `<folder>/encryption-keys`, the same for all starters.
 * @param isInUse whether the database was sealed by keys already; then those made here open nothing and are not kept.
 */
export async function developmentEncryptionKeys(
  folder: string,
  generate: () => string,
  isInUse: () => Promise<boolean>,
): Promise<string> {
  const path = join(folder, 'encryption-keys');
  const refuse = (error: unknown): never => {
    throw refusedDataFolder(folder, error);
  };
  let keys = await readKept(path).catch(refuse);
  if (keys === undefined) {
    if (await isInUse()) return generate();
    keys = await keep(folder, path, generate()).catch(refuse);
  }
  const problem = encryptionKeys(false)(keys ?? '');
  if (problem === undefined && keys !== undefined) return keys;
  const form = 'kid:base64url(32 bytes)[,older…], as the service wrote it';
  throw new EnvironmentError([{ variable: 'DATA_DIR', problem: `holds an unusable file ${path}`, allowed: form }]);
}

/** `ENCRYPTION_KEYS`, or the keys kept under `DATA_DIR`; production never gets here without the variable. */
export async function resolveEncryptionKeys(
  environment: Environment,
  generate: () => string,
  isInUse: () => Promise<boolean>,
): Promise<string> {
  return environment.encryptionKeys ?? (await developmentEncryptionKeys(environment.dataDir, generate, isInUse));
}
