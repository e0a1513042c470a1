import { defineScript } from '@redis/client';

/** A versioned value starts so in its JSON; see `Stored` in redis-cache.ts. */
const VERSION_PATTERN = '^{"version":(%-?%d+),';

const numbers = (...values: readonly number[]): string[] => values.map(String);
const asNumber = (reply: number): number => reply;

/** Each runs as one step on the server. */
const scripts = {
  /** Answers 1 when it stored, 0 when a newer version was there. */
  setIfNewer: {
    NUMBER_OF_KEYS: 1,
    SCRIPT: `
      local there = redis.call('GET', KEYS[1])
      local version = there and string.match(there, '${VERSION_PATTERN}')
      if version and tonumber(version) > tonumber(ARGV[2]) then return 0 end
      if tonumber(ARGV[3]) <= 0 then redis.call('DEL', KEYS[1])
      else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3]) end
      return 1`,
    transformArguments: (key: string, json: string, version: number, ttlMs: number) => [
      key,
      json,
      ...numbers(version, ttlMs),
    ],
    transformReply: asNumber,
  },

  /** The TTL belongs to whoever makes the counter. Answers the sum, or -1 when a value is there. */
  increment: {
    NUMBER_OF_KEYS: 1,
    SCRIPT: `
      local by = tonumber(ARGV[1])
      local there = redis.call('GET', KEYS[1])
      if not there then
        if by <= 0 then return 0 end
        redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
        return by
      end
      if not string.match(there, '^%d+$') then return -1 end
      local sum = math.max(tonumber(there) + by, 0)
      if sum == 0 then
        redis.call('DEL', KEYS[1])
        return 0
      end
      return redis.call('INCRBY', KEYS[1], string.format('%.0f', sum - tonumber(there)))`,
    transformArguments: (key: string, by: number, ttlMs: number) => [key, ...numbers(by, ttlMs)],
    transformReply: asNumber,
  },

  /**
   * Adds what was counted elsewhere. A counter that is gone here lives on by the sum and the time it had there; where both
   * were lost and another instance has already brought its count, the larger view wins.
   */
  mergeCounter: {
    NUMBER_OF_KEYS: 1,
    SCRIPT: `
      local there = redis.call('GET', KEYS[1])
      if there and not string.match(there, '^%d+$') then
        redis.call('DEL', KEYS[1])
        there = false
      end
      local sum = math.max(tonumber(there or '0') + tonumber(ARGV[1]), tonumber(ARGV[2]), 0)
      local count = string.format('%.0f', sum)
      if sum == 0 then redis.call('DEL', KEYS[1])
      elseif there then redis.call('INCRBY', KEYS[1], string.format('%.0f', sum - tonumber(there)))
      else redis.call('SET', KEYS[1], count, 'PX', ARGV[3]) end
      return sum`,
    transformArguments: (key: string, delta: number, sum: number, ttlMs: number) => [
      key,
      ...numbers(delta, sum, ttlMs),
    ],
    transformReply: asNumber,
  },

  take: {
    NUMBER_OF_KEYS: 1,
    SCRIPT: `
      local there = redis.call('GET', KEYS[1])
      if there then redis.call('DEL', KEYS[1]) end
      return there`,
    transformArguments: (key: string) => [key],
    transformReply: (reply: string | null) => reply,
  },
};

/** As Redis's client wants them; it is loaded where Redis is asked for, not before. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- the client's types are read off the scripts
export const redisScripts = () => ({
  setIfNewer: defineScript(scripts.setIfNewer),
  increment: defineScript(scripts.increment),
  mergeCounter: defineScript(scripts.mergeCounter),
  take: defineScript(scripts.take),
});
