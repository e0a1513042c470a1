import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataFolder, dataFolderError } from './data-folder';
import { EnvironmentError } from './environment-error';

describe('makeDataFolder', () => {
  let parent: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'castellan-folder-'));
  });
  afterEach(() => {
    rmSync(parent, { recursive: true, force: true });
  });

  const errorOf = async (folder: string): Promise<unknown> => {
    try {
      await makeDataFolder(folder);
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it('creates the folder and its missing parents, for the owner only', async () => {
    const folder = join(parent, 'a', 'b');
    await makeDataFolder(folder);
    await makeDataFolder(`${folder}/`);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('creates the folder once when several processes start in parallel', async () => {
    const folder = join(parent, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 8 }, () => makeDataFolder(folder)));
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  it('accepts a link to a folder', async () => {
    const link = join(parent, 'link');
    symlinkSync(parent, link);
    await makeDataFolder(link);
  });

  it.each([
    ['a file', () => join(parent, 'file'), 'not a folder'],
    ['a folder below a file', () => join(parent, 'file', 'a', 'b'), 'not a folder'],
    ['a folder below a device', () => '/dev/null/x', 'not a folder'],
    // mkdir reports a missing parent there, and Node's own recursion never ends.
    ['a folder that cannot be created', () => '/proc/foo/bar', 'it cannot be made (ENOENT)'],
  ])('rejects %s in one line', async (_name, folder, problem) => {
    writeFileSync(join(parent, 'file'), '');
    const error = await errorOf(folder());
    expect(error).toBeInstanceOf(EnvironmentError);
    expect((error as Error).message).toBe(
      `DATA_DIR is ${JSON.stringify(folder())}: ${problem}; allowed: a folder that this process can make, read and write`,
    );
  });

  it('names the code of a file-system error and returns any other error as it is', () => {
    const other = new TypeError('other');
    const failure = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS', syscall: 'open' });
    expect(dataFolderError('/data', other)).toBe(other);
    expect(dataFolderError('/data', failure)).toMatchObject({
      problems: [{ variable: 'DATA_DIR', problem: 'is "/data": it cannot be used (EROFS)' }],
    });
  });
});
