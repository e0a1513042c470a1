import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineChild } from '../../../../test/support/servers/embedded/child';
import { compileEmbedded, CompiledFolder } from '../../../../test/support/servers/embedded/compile';
import { DataFolderInUseError, DataFolderLock } from './data-folder-lock';
import { FolderClaim, makeClaim } from './folder-claim';

describe('DataFolderLock', () => {
  let compiled: CompiledFolder;
  let folder: string;
  const children: LineChild[] = [];

  const lockFile = () => join(folder, 'castellan.lock');
  const leaveClaim = (claim: Partial<FolderClaim>) => {
    writeFileSync(lockFile(), `${JSON.stringify({ ...makeClaim(), ...claim })}\n`);
  };
  const tryToAcquire = (): Promise<unknown> =>
    DataFolderLock.acquire(folder).then(
      () => undefined,
      (error: unknown) => error,
    );
  const startChild = async () => {
    const child = LineChild.start('lock-holder.cjs', compiled.frontDoor, folder);
    children.push(child);
    await child.nextLine();
    return child;
  };

  beforeAll(() => {
    compiled = compileEmbedded();
  });
  afterAll(() => {
    compiled.remove();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-lock-'));
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('creates the folder for its owner only', async () => {
    const fresh = join(folder, 'a', 'b');
    const lock = await DataFolderLock.acquire(fresh);
    expect(statSync(fresh).mode & 0o777).toBe(0o700);
    await lock.release();
  });

  it('rejects a second owner in the same process until the first releases', async () => {
    const lock = await DataFolderLock.acquire(folder);
    expect(await tryToAcquire()).toBeInstanceOf(DataFolderInUseError);
    await lock.release();
    expect(existsSync(lockFile())).toBe(false);
    await (await DataFolderLock.acquire(folder)).release();
  });

  it('ignores a second release after the next owner has claimed the folder', async () => {
    const first = await DataFolderLock.acquire(folder);
    await first.release();
    const second = await DataFolderLock.acquire(folder);
    await first.release();
    expect(await tryToAcquire()).toBeInstanceOf(DataFolderInUseError);
    await second.release();
  });

  it('rejects while another process is alive, names it, and is free after kill -9', async () => {
    const owner = await startChild();
    owner.go();
    expect(await owner.nextLine()).toBe('won');

    expect(await tryToAcquire()).toMatchObject({ name: 'DataFolderInUseError', pid: owner.pid, folder });
    expect(String(await tryToAcquire())).toMatch(/is in use by process \d+ on host .*: stop the server first/);

    await owner.kill();
    await (await DataFolderLock.acquire(folder)).release();
  });

  it('gives the folder of a dead owner to one of eight parallel processes', async () => {
    for (let round = 0; round < 3; round += 1) {
      leaveClaim({ startedAt: '1' });
      const starters = await Promise.all(Array.from({ length: 8 }, startChild));
      starters.forEach((starter) => {
        starter.go();
      });
      const answers = await Promise.all(starters.map((starter) => starter.nextLine()));
      expect(answers.sort()).toEqual([...Array<string>(7).fill('DATA_FOLDER_IN_USE'), 'won']);
      await Promise.all(starters.map((starter) => starter.kill()));
    }
  });

  it.each<{ rule: string; claim: Partial<FolderClaim>; taken: boolean }>([
    { rule: 'our own pid with another start (a restarted container)', claim: { startedAt: '1' }, taken: true },
    { rule: 'a pid that another process has now', claim: { pid: process.ppid, startedAt: '1' }, taken: true },
    { rule: 'a pid without a process', claim: { pid: 0x3fffffff }, taken: true },
    { rule: 'another boot of this machine', claim: { bootId: 'earlier' }, taken: true },
    { rule: 'a process on another host', claim: { host: `not-${hostname()}` }, taken: false },
    { rule: 'our own process', claim: {}, taken: false },
  ])('takes over the claim of $rule: $taken', async ({ claim, taken }) => {
    leaveClaim(claim);
    expect((await tryToAcquire()) === undefined).toBe(taken);
  });

  it('takes over and cleans a lock file that a power cut left unreadable', async () => {
    writeFileSync(lockFile(), '\0\0\0\n{"id":"half');
    const lock = await DataFolderLock.acquire(folder);
    expect(readFileSync(lockFile(), 'utf8').trim().split('\n')).toHaveLength(1);
    await lock.release();
  });

  it('keeps a lock file that another process has claimed meanwhile', async () => {
    const lock = await DataFolderLock.acquire(folder);
    leaveClaim({ host: 'elsewhere' });
    await lock.release();
    expect(await tryToAcquire()).toMatchObject({ host: 'elsewhere' });
  });
});
