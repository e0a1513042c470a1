import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGliteOptions } from '@electric-sql/pglite' with { 'resolution-mode': 'import' };
import { PgliteSession } from './pglite-session';
import { DEFAULT_LEASE_LIMITS, LeaseLimits, SessionLease, SessionQueue } from './session-queue';

export interface EmbeddedDatabaseOptions {
  /** Folder on disk, made if missing; hold its `DataFolderLock` first. Without it the database lives in memory. */
  readonly dataDir?: string;
  /** A `dump()` that a new database starts from; a folder that already has a database ignores it. */
  readonly image?: Blob;
}

/** A PostgreSQL inside this process: one session, which any number of pools share by turns. */
export class EmbeddedDatabase {
  private readonly sessions: SessionQueue;
  private closing: Promise<void> | undefined;

  private constructor(private readonly session: PgliteSession) {
    this.sessions = new SessionQueue(session);
  }

  static async open({ dataDir, image }: EmbeddedDatabaseOptions = {}): Promise<EmbeddedDatabase> {
    if (dataDir === undefined) return new EmbeddedDatabase(await PgliteSession.open(startingFrom(image)));

    const cluster = join(dataDir, 'pgdata');
    if (!existsSync(cluster)) await createCluster(cluster, image);
    return new EmbeddedDatabase(await PgliteSession.open({ dataDir: cluster }));
  }

  /** Callers that wait for the session now. */
  get waiting(): number {
    return this.sessions.waiting;
  }

  get busy(): boolean {
    return this.sessions.busy;
  }

  /** The session for the caller alone, until released. Rejects with `EmbeddedBusyError` past a limit. */
  lease(limits: LeaseLimits = DEFAULT_LEASE_LIMITS): Promise<SessionLease> {
    return this.sessions.acquire(limits);
  }

  /** The whole database as an image for `open({ image })`, taken between two leases. */
  async dump(): Promise<Blob> {
    const lease = await this.lease();
    try {
      return await this.session.dump();
    } finally {
      lease.release();
    }
  }

  /** Refuses new and waiting callers, gives the running one 5 s to finish, then shuts down. Counts once. */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    await this.sessions.close(new Error('The embedded database is closed.'), DEFAULT_LEASE_LIMITS.waitMs);
    await this.session.close();
  }
}

/** Made under another name and renamed, so that a crash halfway leaves no half database that later fails to open. */
async function createCluster(cluster: string, image: Blob | undefined): Promise<void> {
  const unfinished = `${cluster}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const session = await PgliteSession.open({ dataDir: unfinished, ...startingFrom(image) });
  await session.close();
  await rename(unfinished, cluster);
}

function startingFrom(image: Blob | undefined): PGliteOptions {
  return image ? { loadDataDir: image } : {};
}
