import { Environment } from '../../config';
import type { RedisServers } from './redis-client';

/** Undefined if no Redis is configured. */
export const redisServers = ({
  redisUrl: url,
  redisSentinelUrls: sentinelUrls,
}: Environment): RedisServers | undefined => (url === undefined ? undefined : { url, sentinelUrls });
