import { makeDataFolder, refusedDataFolder, StartRefusedError } from '../config';
import { DataFolderInUseError, DataFolderLock } from './embedded';

/** Makes the folder if missing and takes it. Errors: `EnvironmentError`; `StartRefusedError` while another owner lives. */
export async function takeDataFolder(folder: string): Promise<DataFolderLock> {
  await makeDataFolder(folder);
  try {
    return await DataFolderLock.acquire(folder);
  } catch (error) {
    if (error instanceof DataFolderInUseError) throw new StartRefusedError(error.message, { cause: error });
    throw refusedDataFolder(folder, error);
  }
}
