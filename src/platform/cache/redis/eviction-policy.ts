import { withDeadline } from '../../time';
import { connectRedis, disconnect } from './redis-client';

const TIMEOUT_MS = 2_000;
/** Beyond it no other node is asked. */
const LONGEST_MS = 4_000;

/** What the server that holds the key does when its memory is full, as `maxmemory-policy` says; asked over a connection of its own. */
export async function readEvictionPolicy(url: string, key: string): Promise<string | undefined> {
  const client = await connectRedis({
    url,
    key,
    name: 'castellan-doctor',
    timeoutMs: TIMEOUT_MS,
    signal: AbortSignal.timeout(LONGEST_MS),
    onLost: () => undefined,
  });
  try {
    // INFO, for services that rent Redis out forbid CONFIG.
    const memory = await withDeadline(TIMEOUT_MS, client.info('memory'));
    return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  } finally {
    disconnect(client);
  }
}
