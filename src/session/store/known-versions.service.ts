import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Invalidations } from '../../platform/cache';
import { DatabaseClock } from '../../platform/database';
import type { CachedSession } from './cached-session';
import { ENTRY_SECONDS } from './session-entry';
import { versionOf } from './session-version';

/** Topic of the messages between instances; a key is `<session id>:<version>`. */
const TOPIC = 'session_version';
const KEY = /^([\w-]+):(\d{1,16})$/;
const MAX_KNOWN = 100_000;

/**
 * The newest version of each session that this instance has seen or that another instance has announced, for longer
 * than an earlier entry of the shared cache is used. After messages may have been missed, earlier entries count as
 * outdated.
 */
@Injectable()
export class KnownVersionsService {
  private readonly known = new LRUCache<string, number>({
    maxSize: MAX_KNOWN,
    sizeCalculation: () => 1,
    ttl: 2 * ENTRY_SECONDS * 1_000,
  });
  /** Monotonic, because the database's clock may not be known yet. */
  private missedAt = performance.now();

  constructor(
    private readonly invalidations: Invalidations,
    private readonly clock: DatabaseClock,
  ) {
    invalidations.subscribe(TOPIC, {
      invalidate: (keys) => {
        for (const key of keys) this.learn(key);
      },
      invalidateAll: () => {
        this.missedAt = performance.now();
      },
    });
  }

  note(session: CachedSession): void {
    this.raise(session.id, versionOf(session));
  }

  /** Tells the other instances. Best effort, as `Invalidations`. */
  async announce(session: CachedSession): Promise<void> {
    await this.invalidations.publish(TOPIC, [`${session.id}:${versionOf(session)}`]);
  }

  /** Call when the database's clock is known. */
  isOutdated(session: CachedSession): boolean {
    const isFromBefore = this.clock.now() - session.readAt > performance.now() - this.missedAt;
    return isFromBefore || versionOf(session) < (this.known.get(session.id) ?? 0);
  }

  private learn(key: string): void {
    const [, id, version] = KEY.exec(key) ?? [];
    if (id !== undefined) this.raise(id, Number(version));
  }

  private raise(id: string, version: number): void {
    if (version > (this.known.get(id) ?? 0)) this.known.set(id, version);
  }
}
