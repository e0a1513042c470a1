import { checkPassword, PASSWORD_LENGTH } from '../passwords';
import * as checks from './checks';
import {
  Environment,
  EnvironmentValues,
  logFormats,
  logLevels,
  NodeEnvironment,
  nodeEnvironments,
} from './environment';
import { EnvironmentError } from './environment-error';
import { redisNodes } from './redis-nodes';
import { EnvironmentSource, VariableGroup, VariableReader } from './variable-reader';

const allowed = {
  postgres: 'postgres://user:password@host:port/database',
  redis: 'redis://… or rediss://…, several nodes of a cluster separated by commas',
  sentinels: 'redis://host:26379 or rediss://…, several Sentinels separated by commas',
  watchedMaster: 'redis://[user:password@]name[/database], the name of the master that the Sentinels watch',
  keys: 'kid:base64url(32 bytes)[,older…], each kid [A-Za-z0-9_-]{1,32} and used once',
  origin: 'an http(s) origin such as https://id.example.com',
  ranges: 'IP addresses, CIDR ranges, loopback, linklocal, uniquelocal',
};

function database(
  read: VariableReader,
): Pick<EnvironmentValues, 'databaseUrl' | 'databaseReplicaUrls' | 'databaseDirectUrl'> {
  const values = {
    databaseUrl: read.checked('DATABASE_URL', allowed.postgres, checks.postgresUrl),
    databaseReplicaUrls: read.list('DATABASE_REPLICA_URLS', allowed.postgres, checks.postgresUrl),
    databaseDirectUrl: read.checked('DATABASE_DIRECT_URL', allowed.postgres, checks.postgresUrl),
  };
  if (read.text('DATABASE_URL') !== undefined) return values;
  for (const name of ['DATABASE_REPLICA_URLS', 'DATABASE_DIRECT_URL']) {
    if (read.text(name) !== undefined) read.report(name, 'is set without DATABASE_URL', 'only beside DATABASE_URL');
  }
  return values;
}

function redis(read: VariableReader): Pick<EnvironmentValues, 'redisUrl' | 'redisSentinelUrls'> {
  const sentinels = read.checked('REDIS_SENTINEL_URLS', allowed.sentinels, checks.redisUrl);
  if (sentinels === undefined) {
    return { redisUrl: read.checked('REDIS_URL', allowed.redis, checks.redisUrl), redisSentinelUrls: [] };
  }
  if (read.text('REDIS_URL') === undefined) {
    read.report('REDIS_SENTINEL_URLS', 'is set without REDIS_URL', 'only beside REDIS_URL');
  }
  return {
    redisUrl: read.checked('REDIS_URL', allowed.watchedMaster, checks.redisWatchedMaster),
    redisSentinelUrls: redisNodes(sentinels),
  };
}

function publicAddress(
  read: VariableReader,
): Pick<EnvironmentValues, 'publicUrl' | 'trustedProxies' | 'allowedHosts' | 'metricsAllow'> {
  const publicUrl = read.checked('PUBLIC_URL', allowed.origin, checks.webOrigin);
  const ranges = (name: string): string => read.list(name, allowed.ranges, checks.addressRange).join(',') || 'loopback';
  return {
    publicUrl: publicUrl === undefined ? undefined : new URL(publicUrl).origin,
    trustedProxies: ranges('TRUSTED_PROXIES'),
    allowedHosts: read.list('ALLOWED_HOSTS', 'host or host:port', checks.hostHeader).map((host) => host.toLowerCase()),
    metricsAllow: ranges('METRICS_ALLOW'),
  };
}

function administrator(read: VariableReader): Pick<EnvironmentValues, 'adminUsername' | 'adminPassword'> {
  const form = '3 to 50 of A-Z a-z 0-9 _, not digits only';
  const username = read.checked('ADMIN_USERNAME', form, checks.username) ?? 'admin';
  // Leading and trailing spaces belong to the password.
  const password = read.raw('ADMIN_PASSWORD');
  const { min, max } = PASSWORD_LENGTH;
  const rules = { username, rejectCommon: true, minLength: min, maxLength: max };
  if (password !== undefined && checkPassword(password, rules) !== undefined) {
    const allowedPassword = `${min} to ${max} characters, not a common password, not the username`;
    read.report('ADMIN_PASSWORD', 'breaks the password rules', allowedPassword);
  }
  return { adminUsername: username, adminPassword: password };
}

function operation(
  read: VariableReader,
  isProduction: boolean,
): Pick<
  EnvironmentValues,
  | 'cookieInsecure'
  | 'migrateOnStart'
  | 'shutdownSeconds'
  | 'docsEnabled'
  | 'allowInsecureDev'
  | 'logLevel'
  | 'logFormat'
> {
  return {
    cookieInsecure: read.flag('COOKIE_INSECURE', false),
    migrateOnStart: read.flag('MIGRATE_ON_START', true),
    shutdownSeconds: read.integer('SHUTDOWN_SECONDS', 20, 0, 3_600),
    docsEnabled: read.flag('DOCS_ENABLED', !isProduction),
    allowInsecureDev: read.flag('ALLOW_INSECURE_DEV', false),
    logLevel: read.oneOf('LOG_LEVEL', 'info', logLevels),
    logFormat: read.oneOf('LOG_FORMAT', isProduction ? 'json' : 'pretty', logFormats),
  };
}

function values(
  read: VariableReader,
  nodeEnv: NodeEnvironment,
): Omit<EnvironmentValues, 'nearMisses' | 'readFromFiles'> {
  const isProduction = nodeEnv === 'production';
  const listen = 'an IP address or host name';
  return {
    nodeEnv,
    port: read.integer('PORT', 4_000, 0, 65_535),
    host: read.checked('HOST', listen, checks.listenHost) ?? (isProduction ? '0.0.0.0' : '127.0.0.1'),
    dataDir: read.text('DATA_DIR') ?? '.data',
    encryptionKeys: read.checked('ENCRYPTION_KEYS', allowed.keys, checks.encryptionKeys(isProduction)),
    serviceScope: read.matching('SERVICE_SCOPE', 'iam', /^[a-z][a-z0-9_-]{0,49}$/, '[a-z][a-z0-9_-]{0,49}'),
    ...database(read),
    ...redis(read),
    ...publicAddress(read),
    ...administrator(read),
    ...operation(read, isProduction),
  };
}

function productionRules(
  read: VariableReader,
  { publicUrl, cookieInsecure }: Pick<EnvironmentValues, 'publicUrl' | 'cookieInsecure'>,
): void {
  const needed = { DATABASE_URL: allowed.postgres, ENCRYPTION_KEYS: allowed.keys, PUBLIC_URL: allowed.origin };
  for (const [name, form] of Object.entries(needed)) {
    if (read.text(name) === undefined) read.report(name, 'is missing and NODE_ENV=production needs it', form);
  }
  if (publicUrl?.startsWith('http:') && !cookieInsecure) {
    read.report('PUBLIC_URL', 'is http in production', 'https, or COOKIE_INSECURE=true beside it');
  }
}

function developmentRules(
  read: VariableReader,
  { nodeEnv, host, allowInsecureDev }: Pick<EnvironmentValues, 'nodeEnv' | 'host' | 'allowInsecureDev'>,
): void {
  if (checks.isLoopback(host) || allowInsecureDev) return;
  const problem = `is not a loopback address, and NODE_ENV=${nodeEnv} lacks the protections of production`;
  read.report('HOST', problem, '127.0.0.1, ::1, localhost, or any beside ALLOW_INSECURE_DEV=true');
}

/**
 * Reads and validates all variables, with those of features. Errors: one `EnvironmentError` with all problems.
 * @param groups the variables of features.
 */
export function readEnvironment(
  source: EnvironmentSource = process.env,
  groups: readonly VariableGroup<unknown>[] = [],
): Environment {
  const read = new VariableReader(
    source,
    groups.flatMap(({ secrets }) => secrets),
  );
  const found = values(read, read.oneOf('NODE_ENV', 'development', nodeEnvironments));
  if (found.nodeEnv === 'production') productionRules(read, found);
  else developmentRules(read, found);
  const ofGroups = new Map(groups.map((group) => [group, group.read(read)]));
  if (read.problems.length > 0) throw new EnvironmentError(read.problems);
  return new Environment({ ...found, readFromFiles: read.readFromFiles, nearMisses: read.nearMisses() }, ofGroups);
}
