import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGliteOptions } from '@electric-sql/pglite' with { 'resolution-mode': 'import' };
import { PgliteSession } from './pglite-session';
import { DEFAULT_LEASE_LIMITS, LeaseLimits, SessionLease, SessionQueue } from './session-queue';

export interface EmbeddedDatabaseOptions {
  /**
   * Folder on disk, created if missing; acquire its `DataFolderLock` first. Without it, the database lives in memory.
   */
  readonly dataDir?: string;
  /** A `dump()` to start a new database from; ignored if the folder already has a database. */
  readonly image?: Blob;
}

/** A PostgreSQL inside this process: one session, which any number of pools use in turn. */
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

  /** Callers that wait for the session. */
  get waiting(): number {
    return this.sessions.waiting;
  }

  get busy(): boolean {
    return this.sessions.busy;
  }

  /** Leases the session exclusively until it is released. Errors: `EmbeddedBusyError` past a limit. */
  lease(limits: LeaseLimits = DEFAULT_LEASE_LIMITS): Promise<SessionLease> {
    return this.sessions.acquire(limits);
  }

  /** Dumps the whole database as an image for `open({ image })`. */
  async dump(): Promise<Blob> {
    const lease = await this.lease();
    try {
      return await this.session.dump();
    } finally {
      lease.release();
    }
  }

  /** Idempotent. Rejects new and waiting callers, gives the running one 5 s to finish, then shuts down. */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    await this.sessions.close(new Error('The embedded database is closed.'), DEFAULT_LEASE_LIMITS.waitMs);
    await this.session.close();
  }
}

/** Created under a temporary name and renamed, so that a crash leaves no incomplete database. */
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
