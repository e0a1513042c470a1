import { createClient, ErrorReply, RedisClientType, RedisFunctions, RedisModules } from '@redis/client';
import { redisNodes } from '../../config';
import { DeadlineExceeded, withDeadline } from '../../time';
import { addressOf, movedTo, RedisAddress } from './redis-address';
import { redisScripts } from './redis-scripts';

export type RedisClient = RedisClientType<RedisModules, RedisFunctions, ReturnType<typeof redisScripts>>;

/** Nodes that do not agree with each other must not send a client in circles. */
const MOST_REDIRECTIONS = 5;

export interface ConnectOptions {
  /** `redis://` or `rediss://`; several nodes of one cluster are separated by commas. */
  readonly url: string;
  /** In a cluster the connection is made to the node that holds this key. */
  readonly key: string;
  /** As `CLIENT LIST` shows it. */
  readonly name: string;
  /** For each step: connecting, being let in, asking for the key. */
  readonly timeoutMs: number;
  /** Once it is aborted, no further node is tried. */
  readonly signal?: AbortSignal;
  /** Called once when the connection breaks, not when it is closed. */
  readonly onLost: (error: unknown) => void;
}

/**
 * One connection that fails at once instead of queueing, and never mends itself: who uses it decides when to try again.
 * Of several nodes the first that leads to one is used.
 */
export async function connectRedis(options: ConnectOptions): Promise<RedisClient> {
  let failure: unknown;
  for (const url of redisNodes(options.url)) {
    try {
      const client = await connectToHolder(addressOf(url), options);
      client.once('error', options.onLost);
      return client;
    } catch (error) {
      // What a node says tells more than that another one is silent.
      failure = failure instanceof ErrorReply ? failure : error;
    }
  }
  throw failure;
}

async function connectToHolder(
  address: RedisAddress,
  options: ConnectOptions,
  redirections = MOST_REDIRECTIONS,
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
  // Who connects hears of it by the promise.
  client.on('error', () => undefined);
  await handshake(client, timeoutMs);
  return client;
}

async function handshake(client: RedisClient, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let late: DeadlineExceeded | undefined;
  // A frozen server's kernel still accepts; that nobody answers shows only after that.
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

/** Ends the connection at once; what waits for an answer fails. */
export function disconnect(client: RedisClient): void {
  if (!client.isOpen) return;
  client.disconnect().catch(() => undefined);
}
