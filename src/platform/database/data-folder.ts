import { makeDataFolder, dataFolderError, StartupError } from '../config';
import { DataFolderInUseError, DataFolderLock } from './embedded';

/**
 * Creates the folder if missing, and locks it. Errors: `EnvironmentError`; `StartupError` if another process holds
 * it.
 */
export async function takeDataFolder(folder: string): Promise<DataFolderLock> {
  await makeDataFolder(folder);
  try {
    return await DataFolderLock.acquire(folder);
  } catch (error) {
    if (error instanceof DataFolderInUseError) throw new StartupError(error.message, { cause: error });
    throw dataFolderError(folder, error);
  }
}
