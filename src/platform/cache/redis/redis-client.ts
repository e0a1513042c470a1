import { createClient, ErrorReply, RedisClientType, RedisFunctions, RedisModules } from '@redis/client';
import { redisNodes } from '../../config';
import { DeadlineExceeded, withDeadline } from '../../util';
import { addressOf, assertMaster, masterFrom, movedTo, RedisAddress } from './redis-address';
import { redisScripts } from './redis-scripts';

export type RedisClient = RedisClientType<RedisModules, RedisFunctions, ReturnType<typeof redisScripts>>;

/** Stops redirection loops between nodes that disagree. */
const MAX_REDIRECTIONS = 5;

/** Where Redis is. */
export interface RedisServers {
  /**
   * `redis://` or `rediss://`; several nodes of one cluster are separated by commas. With Sentinels, its host is the
   * name of the master that they watch.
   */
  readonly url: string;
  /** The URLs of Redis Sentinels, each with its own account. Default: none. */
  readonly sentinelUrls?: readonly string[];
}

export interface ConnectOptions extends RedisServers {
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
  for (const connect of waysTo(options)) {
    try {
      const client = await connect();
      client.once('error', options.onLost);
      return client;
    } catch (error) {
      // An error reply says more than a timeout of another node.
      failure = failure instanceof ErrorReply ? failure : error;
    }
  }
  throw failure;
}

function waysTo(options: ConnectOptions): (() => Promise<RedisClient>)[] {
  const { url, sentinelUrls = [] } = options;
  if (sentinelUrls.length === 0) return redisNodes(url).map((node) => () => connectToHolder(addressOf(node), options));
  return sentinelUrls.map((sentinel) => () => connectToMaster(addressOf(sentinel), addressOf(url), options));
}

/** Follows "Guidelines for Redis clients with support for Redis Sentinel", steps 1 to 3. */
async function connectToMaster(
  sentinel: RedisAddress,
  named: RedisAddress,
  options: ConnectOptions,
): Promise<RedisClient> {
  const { timeoutMs } = options;
  options.signal?.throwIfAborted();
  // Sentinels have no databases.
  const asked = await connectTo({ ...sentinel, database: 0 }, options);
  let master: RedisAddress;
  try {
    const command = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', named.host];
    master = masterFrom(await withDeadline(timeoutMs, asked.sendCommand(command)), named);
  } finally {
    disconnect(asked);
  }
  const client = await connectToHolder(master, options);
  try {
    // A Sentinel may name the former master until it has learnt of a failover.
    assertMaster(await withDeadline(timeoutMs, client.sendCommand(['ROLE'])), master);
    return client;
  } catch (error) {
    disconnect(client);
    throw error;
  }
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
