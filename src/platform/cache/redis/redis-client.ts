import { createClient, ErrorReply, RedisClientType, RedisFunctions, RedisModules } from '@redis/client';
import { redisNodes } from '../../config';
import { DeadlineExceeded, withDeadline } from '../../time';
import { addressOf, movedTo, RedisAddress } from './redis-address';
import { redisScripts } from './redis-scripts';

export type RedisClient = RedisClientType<RedisModules, RedisFunctions, ReturnType<typeof redisScripts>>;

/** Stops redirection loops between nodes that disagree. */
const MAX_REDIRECTIONS = 5;

export interface ConnectOptions {
  /** `redis://` or `rediss://`; several nodes of one cluster are separated by commas. */
  readonly url: string;
  /** In a cluster, connects to the node that holds this key. */
  readonly key: string;
  /** The name in `CLIENT LIST`. */
  readonly name: string;
  /** Time limit of each step: connect, authenticate, find the key. */
  readonly timeoutMs: number;
  /** Once aborted, no further node is tried. */
  readonly signal?: AbortSignal;
  /** Called once when the connection breaks, but not when it is closed. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Opens one connection that fails at once instead of queueing and never reconnects by itself: its user decides when to
 * retry. Of several nodes, the first that accepts a connection is used.
 */
export async function connectRedis(options: ConnectOptions): Promise<RedisClient> {
  let failure: unknown;
  for (const url of redisNodes(options.url)) {
    try {
      const client = await connectToHolder(addressOf(url), options);
      client.once('error', options.onLost);
      return client;
    } catch (error) {
      // An error reply says more than a timeout of another node.
      failure = failure instanceof ErrorReply ? failure : error;
    }
  }
  throw failure;
}

async function connectToHolder(
  address: RedisAddress,
  options: ConnectOptions,
  redirections = MAX_REDIRECTIONS,
): Promise<RedisClient> {
  options.signal?.throwIfAborted();
  const client = await connectTo(address, options);
  try {
    await withDeadline(options.timeoutMs, client.get(options.key));
    return client;
  } catch (error) {
    disconnect(client);
    const holder = movedTo(address, error);
    if (!holder || redirections === 0) throw error;
    return connectToHolder(holder, options, redirections - 1);
  }
}

async function connectTo(address: RedisAddress, { name, timeoutMs }: ConnectOptions): Promise<RedisClient> {
  const { host, port, tls, ...account } = address;
  const client: RedisClient = createClient({
    ...account,
    name,
    socket: {
      host,
      port,
      ...(tls && { tls }),
      connectTimeout: timeoutMs,
      reconnectStrategy: false,
      keepAlive: 5_000,
    },
    disableOfflineQueue: true,
    disableClientInfo: true,
    scripts: redisScripts(),
  });
  // The promise rejects with the error.
  client.on('error', () => undefined);
  await handshake(client, timeoutMs);
  return client;
}

async function handshake(client: RedisClient, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let late: DeadlineExceeded | undefined;
  // The kernel of a frozen server still accepts connections; only a missing reply shows it.
  client.once('connect', () => {
    timer = setTimeout(() => {
      late = new DeadlineExceeded(timeoutMs);
      disconnect(client);
    }, timeoutMs);
  });
  try {
    await client.connect();
  } catch (error) {
    throw late ?? error;
  } finally {
    clearTimeout(timer);
  }
}

/** Closes the connection at once; pending commands fail. */
export function disconnect(client: RedisClient): void {
  if (!client.isOpen) return;
  client.disconnect().catch(() => undefined);
}
