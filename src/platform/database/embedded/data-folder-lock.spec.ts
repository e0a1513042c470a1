import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { LineChild } from '../../../../test/support/embedded/child';
import { compileEmbedded, CompiledFolder } from '../../../../test/support/embedded/compile';
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
  const refusal = (): Promise<unknown> =>
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

  it('makes the folder readable for its owner only', async () => {
    const fresh = join(folder, 'a', 'b');
    const lock = await DataFolderLock.acquire(fresh);
    expect(statSync(fresh).mode & 0o777).toBe(0o700);
    await lock.release();
  });

  it('refuses a second owner in the same process, until the first releases', async () => {
    const lock = await DataFolderLock.acquire(folder);
    expect(await refusal()).toBeInstanceOf(DataFolderInUseError);
    await lock.release();
    expect(existsSync(lockFile())).toBe(false);
    await (await DataFolderLock.acquire(folder)).release();
  });

  it('releases once: a late second release leaves the next owner alone', async () => {
    const first = await DataFolderLock.acquire(folder);
    await first.release();
    const second = await DataFolderLock.acquire(folder);
    await first.release();
    expect(await refusal()).toBeInstanceOf(DataFolderInUseError);
    await second.release();
  });

  it('refuses while another process lives and names it, and is free after kill -9', async () => {
    const owner = await startChild();
    owner.go();
    expect(await owner.nextLine()).toBe('won');

    expect(await refusal()).toMatchObject({ name: 'DataFolderInUseError', pid: owner.pid, folder });
    expect(String(await refusal())).toMatch(/is in use by process \d+ on host .*: stop the server first/);

    await owner.kill();
    await (await DataFolderLock.acquire(folder)).release();
  });

  it('lets one of eight starters win that find a dead owner at the same time', async () => {
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
    { rule: 'a pid nobody has', claim: { pid: 0x3fffffff }, taken: true },
    { rule: 'another boot of this machine', claim: { bootId: 'earlier' }, taken: true },
    { rule: 'a process on another host', claim: { host: `not-${hostname()}` }, taken: false },
    { rule: 'our own process', claim: {}, taken: false },
  ])('judges the claim of $rule: taken over $taken', async ({ claim, taken }) => {
    leaveClaim(claim);
    expect((await refusal()) === undefined).toBe(taken);
  });

  it('takes over a lock file that a power cut left unreadable, and tidies it', async () => {
    writeFileSync(lockFile(), '\0\0\0\n{"id":"half');
    const lock = await DataFolderLock.acquire(folder);
    expect(readFileSync(lockFile(), 'utf8').trim().split('\n')).toHaveLength(1);
    await lock.release();
  });

  it('leaves a lock file alone that somebody else has taken meanwhile', async () => {
    const lock = await DataFolderLock.acquire(folder);
    leaveClaim({ host: 'elsewhere' });
    await lock.release();
    expect(await refusal()).toMatchObject({ host: 'elsewhere' });
  });
});
