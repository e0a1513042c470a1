import { performance } from 'node:perf_hooks';
import { withDeadline } from '../../util';
import { connectRedis, disconnect, RedisClient, RedisServers } from './redis-client';

const CONNECT_MS = 1_000;
const HEARTBEAT_EVERY_MS = 1_000;
/** Longer than the pauses of a busy machine: callers notice a slow server themselves. */
const HEARTBEAT_MS = 1_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** A connection that breaks sooner counts as another failure, so that a struggling server is retried more slowly. */
const STABLE_MS = 10_000;

export interface RedisLinkOptions {
  readonly servers: RedisServers;
  /** See `ConnectOptions`. */
  readonly key: string;
  /** The name in `CLIENT LIST`. */
  readonly name: string;
  /** Prepares the new connection, which is in use once this resolves and is dropped if it throws. */
  readonly onUp: (client: RedisClient) => Promise<void>;
  /** The connection was lost, or an attempt to connect failed. */
  readonly onDown: (error: unknown) => void;
}

/** Keeps one connection open in the background: retries forever with growing pauses and sends heartbeats. */
export class RedisLink {
  private current: RedisClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private pauseMs = FIRST_PAUSE_MS;
  private upSince = Infinity;
  private readonly closing = new AbortController();

  constructor(private readonly options: RedisLinkOptions) {}

  start(): void {
    void this.attempt();
  }

  /** Whether the client is the current connection. */
  holds(client: RedisClient): boolean {
    return client === this.current;
  }

  /** Drops a connection after an error of its user, and reconnects. */
  drop(client: RedisClient, error: unknown): void {
    disconnect(client);
    if (!this.holds(client)) return;
    this.current = undefined;
    this.failed(error);
  }

  close(): void {
    this.closing.abort();
    clearTimeout(this.timer);
    if (this.current) disconnect(this.current);
    this.current = undefined;
  }

  private get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  private async attempt(): Promise<void> {
    let client: RedisClient;
    try {
      client = await this.connect();
    } catch (error) {
      this.failed(error);
      return;
    }
    if (this.isClosed) {
      disconnect(client);
      return;
    }
    this.current = client;
    try {
      await this.options.onUp(client);
      this.upSince = performance.now();
      this.heartbeatLater(client);
    } catch (error) {
      this.drop(client, error);
    }
  }

  private async connect(): Promise<RedisClient> {
    const client: RedisClient = await connectRedis({
      ...this.options.servers,
      key: this.options.key,
      name: this.options.name,
      timeoutMs: CONNECT_MS,
      signal: this.closing.signal,
      onLost: (error) => {
        this.drop(client, error);
      },
    });
    return client;
  }

  private failed(error: unknown): void {
    if (this.isClosed) return;
    clearTimeout(this.timer);
    const wasStable = performance.now() - this.upSince >= STABLE_MS;
    this.upSince = Infinity;
    this.pauseMs = wasStable ? FIRST_PAUSE_MS : this.pauseMs;
    this.later(this.pauseMs, () => this.attempt());
    this.pauseMs = Math.min(this.pauseMs * 2, MAX_PAUSE_MS);
    this.options.onDown(error);
  }

  private heartbeatLater(client: RedisClient): void {
    if (!this.holds(client)) return;
    this.later(HEARTBEAT_EVERY_MS, async () => {
      try {
        await withDeadline(HEARTBEAT_MS, client.ping());
        this.heartbeatLater(client);
      } catch (error) {
        this.drop(client, error);
      }
    });
  }

  private later(milliseconds: number, work: () => Promise<void>): void {
    this.timer = setTimeout(() => void work(), milliseconds).unref();
  }
}
