import { createClient, RedisClientType, RedisFunctions, RedisModules } from '@redis/client';
import { DeadlineExceeded } from '../deadline';
import { redisScripts } from './redis-scripts';

export type RedisClient = RedisClientType<RedisModules, RedisFunctions, ReturnType<typeof redisScripts>>;

export interface ConnectOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** As `CLIENT LIST` shows it. */
  readonly name: string;
  /** For each of the two steps, connecting and being let in. */
  readonly timeoutMs: number;
  /** Called once when the connection breaks, not when it is closed. */
  readonly onLost: (error: unknown) => void;
}

function serverOf(url: string): { host: string; port: number; tls?: true } {
  const { hostname, port, protocol } = new URL(url);
  // A socket wants an IPv6 address without the brackets of a URL.
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: port === '' ? 6379 : Number(port), ...(protocol === 'rediss:' && { tls: true }) };
}

function accountOf(url: string): { username?: string; password?: string; database?: number } {
  const { username, password, pathname } = new URL(url);
  const database = Number(pathname.slice(1));
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(Number.isInteger(database) && { database }),
  };
}

/** One connection that fails at once instead of queueing, and never mends itself: who uses it decides when to try again. */
export async function connectRedis({ url, name, timeoutMs, onLost }: ConnectOptions): Promise<RedisClient> {
  const client: RedisClient = createClient({
    ...accountOf(url),
    name,
    socket: { ...serverOf(url), connectTimeout: timeoutMs, reconnectStrategy: false, keepAlive: 5_000 },
    disableOfflineQueue: true,
    disableClientInfo: true,
    scripts: redisScripts(),
  });
  let isUp = false;
  client.on('error', (error: unknown) => {
    if (!isUp) return;
    isUp = false;
    onLost(error);
  });
  await handshake(client, timeoutMs);
  isUp = true;
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
