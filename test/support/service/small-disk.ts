import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Owner } from '../servers/postgres-server';

/** The reason why no disk can be created here, or undefined. */
export const noSmallDisk: string | undefined =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0
    ? undefined
    : 'a file system of its own needs the right to mount';

/** A small file system that a test can fill. */
export class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'castellan-disk-'));

  constructor(megabytes: number, { uid, gid }: Owner) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', this.folder]);
    if (uid !== undefined && gid !== undefined) chownSync(this.folder, uid, gid);
  }

  fill(): void {
    const { bavail, bsize } = statfsSync(this.folder);
    writeFileSync(join(this.folder, 'filler'), Buffer.alloc(bavail * bsize));
  }

  makeRoom(): void {
    rmSync(join(this.folder, 'filler'));
  }

  remove(): void {
    execFileSync('umount', [this.folder]);
    rmSync(this.folder, { recursive: true });
  }
}
