import { withDeadline } from '../../util';
import { connectRedis, disconnect, RedisServers } from './redis-client';

const TIMEOUT_MS = 2_000;
/** Total time after which no further node is tried. */
const MAX_MS = 4_000;

/** Returns `maxmemory-policy` of the server that holds the key, read over a separate connection. */
export async function readEvictionPolicy(servers: RedisServers, key: string): Promise<string | undefined> {
  const client = await connectRedis({
    ...servers,
    key,
    name: 'castellan-doctor',
    timeoutMs: TIMEOUT_MS,
    signal: AbortSignal.timeout(MAX_MS),
    onLost: () => undefined,
  });
  try {
    // INFO, because managed Redis services forbid CONFIG.
    const memory = await withDeadline(TIMEOUT_MS, client.info('memory'));
    return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  } finally {
    disconnect(client);
  }
}
