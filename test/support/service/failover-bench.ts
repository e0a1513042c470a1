import { FailoverCache, RedisInvalidations } from '../../../src/platform/cache';
import { eventually } from './eventually';
import { RecordingLog } from './recording-log';
import { RedisServer } from '../servers/redis-server';

export const PREFIX = 'castellan:test:';

/** A private Redis server and caches on it. */
export class FailoverBench {
  readonly log = new RecordingLog();
  private readonly caches: FailoverCache[] = [];
  private readonly words: RedisInvalidations[] = [];

  private constructor(readonly server: RedisServer) {}

  static async open(): Promise<FailoverBench> {
    return new FailoverBench(await RedisServer.started());
  }

  /** Creates the cache of another instance, by default with the shared log. */
  cache(log = this.log, invalidations?: RedisInvalidations): FailoverCache {
    const cache = new FailoverCache({ url: this.server.url, prefix: PREFIX, log, invalidations });
    this.caches.push(cache);
    cache.onModuleInit();
    return cache;
  }

  /** Two instances that send invalidations to each other. */
  async pair(): Promise<Pair> {
    const [one, two] = [this.instance(), this.instance()];
    await reaches('redis', one.cache, two.cache);
    const pair = new Pair(one, two);
    await pair.hear();
    return pair;
  }

  async connected(log = this.log): Promise<FailoverCache> {
    const cache = this.cache(log);
    await reaches('redis', cache);
    return cache;
  }

  async close(): Promise<void> {
    this.server.thaw();
    for (const each of [...this.caches, ...this.words]) await each.close();
    await this.server.remove();
  }

  private instance(): Instance {
    const words = new RedisInvalidations({ url: this.server.url, channel: `${PREFIX}invalidations` });
    this.words.push(words);
    words.onModuleInit();
    return { words, cache: this.cache(this.log, words) };
  }
}

interface Instance {
  readonly words: RedisInvalidations;
  readonly cache: FailoverCache;
}

const PROBE = 'probe';

export class Pair {
  readonly one: FailoverCache;
  readonly two: FailoverCache;
  private readonly heard = new Set<string>();
  private probes = 0;

  constructor(
    private readonly teller: Instance,
    hearer: Instance,
  ) {
    this.one = teller.cache;
    this.two = hearer.cache;
    hearer.words.subscribe(PROBE, {
      invalidate: (keys) => {
        for (const key of keys) this.heard.add(key);
      },
      invalidateAll: () => undefined,
    });
  }

  /** Waits until both use Redis and the second has processed all invalidations of the first. */
  async hear(): Promise<void> {
    await reaches('redis', this.one, this.two);
    const probe = `${++this.probes}`;
    await eventually(
      async () => {
        await this.teller.words.publish(PROBE, [probe]);
        return this.heard.has(probe);
      },
      Boolean,
      15,
    );
    // Redis answers this only after the earlier commands.
    await this.two.get(PROBE);
  }
}

export async function reaches(mode: 'redis' | 'memory', ...caches: FailoverCache[]): Promise<void> {
  await eventually(
    async () => caches.map((cache) => cache.mode),
    (modes) => modes.every((each) => each === mode),
    45,
  );
}
