import { defineScript } from '@redis/client';

/** The JSON prefix of a versioned value; see `Stored` in redis-cache.ts. */
const VERSION_PATTERN = '^{"version":(%-?%d+),';

const numbers = (...values: readonly number[]): string[] => values.map(String);
const asNumber = (reply: number): number => reply;

/** A `CounterStep` as the script's arguments. */
export interface ScriptedStep {
  readonly key: string;
  readonly kind: 'add' | 'read' | 'ttl' | 'drop';
  readonly by?: number;
  readonly ttlMs?: number;
}

/** The increment that creates the counter sets its TTL. Returns the sum, or -1 when the key holds a value. */
const ADD = `
  local function add(key, by, ttl)
    local there = redis.call('GET', key)
    if not there then
      if tonumber(by) <= 0 then return 0 end
      redis.call('SET', key, by, 'PX', ttl)
      return tonumber(by)
    end
    if not string.match(there, '^%d+$') then return -1 end
    local sum = math.max(tonumber(there) + tonumber(by), 0)
    if sum == 0 then
      redis.call('DEL', key)
      return 0
    end
    return redis.call('INCRBY', key, string.format('%.0f', sum - tonumber(there)))
  end`;

/** Each runs atomically on the server. */
const scripts = {
  /** Returns 1 when it stored, 0 when a newer version is stored. */
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

  increment: {
    NUMBER_OF_KEYS: 1,
    SCRIPT: `${ADD}
      return add(KEYS[1], ARGV[1], ARGV[2])`,
    transformArguments: (key: string, by: number, ttlMs: number) => [key, ...numbers(by, ttlMs)],
    transformReply: asNumber,
  },

  /** Three arguments per key. Returns a number each, -1 when the key holds a value; times are in milliseconds. */
  count: {
    SCRIPT: `${ADD}
      local results = {}
      for place, key in ipairs(KEYS) do
        local kind, result = ARGV[3 * place - 2], 0
        if kind == 'add' then result = add(key, ARGV[3 * place - 1], ARGV[3 * place])
        elseif kind == 'read' then
          local there = redis.call('GET', key) or '0'
          result = string.match(there, '^%d+$') and tonumber(there) or -1
        elseif kind == 'ttl' then result = math.max(redis.call('PTTL', key), 0)
        else redis.call('DEL', key) end
        results[place] = result
        if result < 0 then break end
      end
      return results`,
    transformArguments: (steps: readonly ScriptedStep[]) => [
      String(steps.length),
      ...steps.map(({ key }) => key),
      ...steps.flatMap(({ kind, by = 0, ttlMs = 0 }) => [kind, ...numbers(by, ttlMs)]),
    ],
    transformReply: (reply: number[]) => reply,
  },

  /**
   * Adds counts from another store. A counter missing here is created with the other store's sum and TTL; if several
   * instances bring their counts after a loss, the larger sum wins.
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
};

/** A function, so that the client library is loaded only when Redis is configured. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- the client's types are read off the scripts
export const redisScripts = () => ({
  setIfNewer: defineScript(scripts.setIfNewer),
  increment: defineScript(scripts.increment),
  count: defineScript(scripts.count),
  mergeCounter: defineScript(scripts.mergeCounter),
});
