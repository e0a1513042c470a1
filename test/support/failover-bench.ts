import { FailoverCache } from '../../src/platform/cache';
import { eventually } from './eventually';
import { RecordingLog } from './recording-log';
import { RedisServer } from './redis-server';

export const PREFIX = 'castellan:test:';

/** A Redis of the test's own, and caches on it. */
export class FailoverBench {
  readonly log = new RecordingLog();
  private readonly caches: FailoverCache[] = [];

  private constructor(readonly server: RedisServer) {}

  static async open(): Promise<FailoverBench> {
    return new FailoverBench(await RedisServer.started());
  }

  /** Another instance's cache keeps a log of its own. */
  cache(log = this.log): FailoverCache {
    const cache = new FailoverCache({ url: this.server.url, prefix: PREFIX, log });
    this.caches.push(cache);
    return cache;
  }

  async connected(log = this.log): Promise<FailoverCache> {
    const cache = this.cache(log);
    await reaches('redis', cache);
    return cache;
  }

  async close(): Promise<void> {
    this.server.thaw();
    for (const cache of this.caches) await cache.close();
    await this.server.remove();
  }
}

export async function reaches(mode: 'redis' | 'memory', ...caches: FailoverCache[]): Promise<void> {
  await eventually(
    async () => caches.map((cache) => cache.mode),
    (modes) => modes.every((each) => each === mode),
    45,
  );
}
