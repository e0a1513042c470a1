import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataFolder, refusedDataFolder } from './data-folder';
import { EnvironmentError } from './environment-error';

describe('makeDataFolder', () => {
  let parent: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'castellan-folder-'));
  });
  afterEach(() => {
    rmSync(parent, { recursive: true, force: true });
  });

  const refusalOf = async (folder: string): Promise<unknown> => {
    try {
      await makeDataFolder(folder);
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it('makes it and what is missing above it, for the owner alone', async () => {
    const folder = join(parent, 'a', 'b');
    await makeDataFolder(folder);
    await makeDataFolder(`${folder}/`);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('makes it once for all that start at once', async () => {
    const folder = join(parent, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 8 }, () => makeDataFolder(folder)));
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  it('takes a link to a folder', async () => {
    const link = join(parent, 'link');
    symlinkSync(parent, link);
    await makeDataFolder(link);
  });

  it.each([
    ['a file', () => join(parent, 'file'), 'not a folder'],
    ['a folder below a file', () => join(parent, 'file', 'a', 'b'), 'not a folder'],
    ['a folder below a device', () => '/dev/null/x', 'not a folder'],
    // There mkdir answers as if the parent were missing, and Node's own recursion never ends.
    ['a folder where none can be made', () => '/proc/foo/bar', 'it cannot be made (ENOENT)'],
  ])('refuses %s by one line', async (_name, folder, problem) => {
    writeFileSync(join(parent, 'file'), '');
    const refusal = await refusalOf(folder());
    expect(refusal).toBeInstanceOf(EnvironmentError);
    expect((refusal as Error).message).toBe(
      `DATA_DIR is ${JSON.stringify(folder())}: ${problem}; allowed: a folder that this process can make, read and write`,
    );
  });

  it('says of a failure of the file system which one it was, and leaves any other as it is', () => {
    const other = new TypeError('other');
    const failure = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS', syscall: 'open' });
    expect(refusedDataFolder('/data', other)).toBe(other);
    expect(refusedDataFolder('/data', failure)).toMatchObject({
      problems: [{ variable: 'DATA_DIR', problem: 'is "/data": it cannot be used (EROFS)' }],
    });
  });
});
