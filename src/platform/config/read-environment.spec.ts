import { EnvironmentError } from './environment-error';
import { Environment } from './environment';
import { readEnvironment } from './read-environment';
import type { EnvironmentSource, VariableGroup } from './variable-reader';

const key = (kid: string, fill = 0): string =>
  `${kid}:${Buffer.from(Array.from({ length: 32 }, (_, index) => index + fill)).toString('base64url')}`;

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://castellan:pw@db:5432/castellan',
  ENCRYPTION_KEYS: key('a'),
  PUBLIC_URL: 'https://id.example.com',
};

function problemsOf(source: EnvironmentSource): EnvironmentError {
  try {
    readEnvironment(source);
  } catch (error) {
    if (error instanceof EnvironmentError) return error;
    throw error;
  }
  throw new Error('should have been rejected');
}

describe('readEnvironment', () => {
  it('has a default for every variable', () => {
    expect(Object.assign({}, readEnvironment({}))).toEqual({
      nodeEnv: 'development',
      port: 4_000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      databaseReplicaUrls: [],
      databaseDirectUrl: undefined,
      redisUrl: undefined,
      redisSentinelUrls: [],
      dataDir: '.data',
      encryptionKeys: undefined,
      adminUsername: 'admin',
      adminPassword: undefined,
      serviceScope: 'iam',
      publicUrl: undefined,
      trustedProxies: 'loopback',
      allowedHosts: [],
      cookieInsecure: false,
      migrateOnStart: true,
      shutdownSeconds: 20,
      metricsAllow: 'loopback',
      groups: new Map(),
      docsEnabled: true,
      allowInsecureDev: false,
      logLevel: 'info',
      logFormat: 'pretty',
      readFromFiles: [],
      nearMisses: [],
    });
  });

  it('has different defaults in production', () => {
    expect(readEnvironment(production)).toMatchObject({
      host: '0.0.0.0',
      docsEnabled: false,
      logFormat: 'json',
      isProduction: true,
      effectiveAllowedHosts: ['id.example.com'],
    });
  });

  it('reads the process environment by default', () => {
    expect(readEnvironment()).toBeInstanceOf(Environment);
  });

  it('is immutable', () => {
    const environment = readEnvironment({ ALLOWED_HOSTS: 'a' });
    expect(Object.isFrozen(environment)).toBe(true);
    expect(Object.isFrozen(environment.allowedHosts)).toBe(true);
  });

  const accepted: [string, EnvironmentSource, Partial<Environment>][] = [
    [
      'an empty text as unset',
      { PORT: '', HOST: ' ', LOG_LEVEL: '', ADMIN_PASSWORD: '' },
      { port: 4_000, host: '127.0.0.1', adminPassword: undefined },
    ],
    ['blanks around a value', { PORT: ' 80 ' }, { port: 80 }],
    ['blanks in a password', { ADMIN_PASSWORD: ' two  words ' }, { adminPassword: ' two  words ' }],
    ['port 0 (any free port)', { PORT: '0' }, { port: 0 }],
    ['a loopback name', { HOST: 'localhost' }, { host: 'localhost' }],
    ['a loopback address', { HOST: '127.8.8.8' }, { host: '127.8.8.8' }],
    ['a loopback address of IPv6', { HOST: '::1' }, { host: '::1' }],
    [
      'test like development',
      { NODE_ENV: 'test' },
      { nodeEnv: 'test', isProduction: false, logFormat: 'pretty', docsEnabled: true },
    ],
    ['any host in development when allowed', { HOST: '0.0.0.0', ALLOW_INSECURE_DEV: 'true' }, { host: '0.0.0.0' }],
    [
      'replicas',
      { DATABASE_URL: 'postgres://a/x', DATABASE_REPLICA_URLS: 'postgres://b/x, postgresql://c/x' },
      { databaseReplicaUrls: ['postgres://b/x', 'postgresql://c/x'] },
    ],
    [
      'a database by socket',
      { DATABASE_URL: 'postgres:///x?host=/run/pg' },
      { databaseUrl: 'postgres:///x?host=/run/pg' },
    ],
    ['Redis over TLS', { REDIS_URL: 'rediss://r:6380' }, { redisUrl: 'rediss://r:6380' }],
    [
      'nodes of a Redis Cluster, and a comma in a password',
      { REDIS_URL: 'redis://:a,b@r1:7000,redis://:a,b@r2:7000' },
      { redisUrl: 'redis://:a,b@r1:7000,redis://:a,b@r2:7000' },
    ],
    [
      'Redis Sentinels',
      { REDIS_URL: 'redis://:a@my-master/2', REDIS_SENTINEL_URLS: 'redis://s1:26379,rediss://:b,c@s2:26379' },
      {
        redisUrl: 'redis://:a@my-master/2',
        redisSentinelUrls: ['redis://s1:26379', 'rediss://:b,c@s2:26379'],
      },
    ],
    [
      'a public origin with a slash',
      { PUBLIC_URL: 'http://ID.example.com:8080/' },
      { publicUrl: 'http://id.example.com:8080' },
    ],
    [
      'proxies',
      { TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,fd00::/8,uniquelocal' },
      { trustedProxies: 'loopback,10.0.0.0/8,fd00::/8,uniquelocal' },
    ],
    [
      'hosts',
      { ALLOWED_HOSTS: 'A.example:8443,[::1]:4000,b' },
      {
        allowedHosts: ['a.example:8443', '[::1]:4000', 'b'],
        effectiveAllowedHosts: ['a.example:8443', '[::1]:4000', 'b'],
      },
    ],
    [
      'flags',
      { MIGRATE_ON_START: 'false', COOKIE_INSECURE: 'true', DOCS_ENABLED: 'false' },
      { migrateOnStart: false, cookieInsecure: true, docsEnabled: false },
    ],
    [
      'several keys',
      { ENCRYPTION_KEYS: `${key('new')},${key('old_1', 9)}` },
      { encryptionKeys: `${key('new')},${key('old_1', 9)}` },
    ],
    [
      'weak keys outside production',
      { ENCRYPTION_KEYS: `k:${'A'.repeat(43)}` },
      { encryptionKeys: `k:${'A'.repeat(43)}` },
    ],
    ['a scope', { SERVICE_SCOPE: 'my-iam_2' }, { serviceScope: 'my-iam_2' }],
    ['the log level silent', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, { logLevel: 'silent', logFormat: 'json' }],
    [
      'http in production with insecure cookies',
      { ...production, PUBLIC_URL: 'http://intra:8080', COOKIE_INSECURE: 'true' },
      { publicUrl: 'http://intra:8080', effectiveAllowedHosts: ['intra:8080'] },
    ],
    ['hosts in production', { ...production, ALLOWED_HOSTS: 'a,b' }, { effectiveAllowedHosts: ['a', 'b'] }],
  ];
  it.each(accepted)('accepts %s', (_name, source, expected) => {
    expect(readEnvironment(source)).toMatchObject(expected);
  });

  const database = { DATABASE_URL: 'postgres://a/x' };
  const rejected: [string, EnvironmentSource, string, string?][] = [
    ['an unknown NODE_ENV', { NODE_ENV: 'staging' }, 'NODE_ENV', '"staging"'],
    ['a port that is not a number', { PORT: '80a' }, 'PORT', '"80a"'],
    ['a port out of range', { PORT: '65536' }, 'PORT', 'out of range'],
    ['a negative port', { PORT: '-1' }, 'PORT'],
    ['a host with a scheme', { HOST: 'http://x' }, 'HOST'],
    ['an open host in development', { HOST: '0.0.0.0' }, 'HOST', 'ALLOW_INSECURE_DEV=true'],
    ['an open host in test', { NODE_ENV: 'test', HOST: '192.168.0.7' }, 'HOST', 'NODE_ENV=test'],
    ['any host name that is not localhost in development', { HOST: 'localhost.example.com' }, 'HOST'],
    ['a database of another kind', { DATABASE_URL: 'mysql://a/x' }, 'DATABASE_URL', 'another kind'],
    ['a malformed database URL', { DATABASE_URL: 'a b' }, 'DATABASE_URL', 'not a URL'],
    ['one bad replica', { ...database, DATABASE_REPLICA_URLS: 'postgres://b/x,c' }, 'DATABASE_REPLICA_URLS'],
    [
      'replicas without a database',
      { DATABASE_REPLICA_URLS: 'postgres://b/x' },
      'DATABASE_REPLICA_URLS',
      'DATABASE_URL',
    ],
    ['a bad direct URL', { ...database, DATABASE_DIRECT_URL: 'http://b' }, 'DATABASE_DIRECT_URL'],
    ['a direct URL without a database', { DATABASE_DIRECT_URL: 'postgres://b/x' }, 'DATABASE_DIRECT_URL'],
    ['a Redis URL of another kind', { REDIS_URL: 'http://r' }, 'REDIS_URL', 'redis://'],
    ['a second node of Redis without a host', { REDIS_URL: 'redis://r1,redis://' }, 'REDIS_URL', 'redis://'],
    ['hosts of Redis without their scheme', { REDIS_URL: 'redis://r1,r2,r3:7000' }, 'REDIS_URL', 'redis://'],
    ['nodes of Redis without their scheme', { REDIS_URL: 'redis://r1:7000,r2:7000' }, 'REDIS_URL', 'redis://'],
    ['Sentinels without Redis', { REDIS_SENTINEL_URLS: 'redis://s1:26379' }, 'REDIS_SENTINEL_URLS', 'REDIS_URL'],
    [
      'a Sentinel without a host',
      { REDIS_URL: 'redis://m', REDIS_SENTINEL_URLS: 'redis://s1,redis://' },
      'REDIS_SENTINEL_URLS',
    ],
    [
      'the address of a master instead of its name',
      { REDIS_URL: 'redis://m:6379', REDIS_SENTINEL_URLS: 'redis://s1' },
      'REDIS_URL',
      'a port',
    ],
    [
      'several masters',
      { REDIS_URL: 'redis://m1,redis://m2', REDIS_SENTINEL_URLS: 'redis://s1' },
      'REDIS_URL',
      'the name of the master',
    ],
    ['a key without kid', { ENCRYPTION_KEYS: 'A'.repeat(43) }, 'ENCRYPTION_KEYS', 'kid:base64url(32 bytes)'],
    ['a short key', { ENCRYPTION_KEYS: `k:${'A'.repeat(42)}` }, 'ENCRYPTION_KEYS'],
    ['a key that is not base64url', { ENCRYPTION_KEYS: `k:${'+'.repeat(43)}` }, 'ENCRYPTION_KEYS'],
    ['a second spelling of a key', { ENCRYPTION_KEYS: `k:${'A'.repeat(42)}B` }, 'ENCRYPTION_KEYS'],
    ['a kid used twice', { ENCRYPTION_KEYS: `${key('k')},${key('k', 1)}` }, 'ENCRYPTION_KEYS', 'twice'],
    ['a long kid', { ENCRYPTION_KEYS: key('k'.repeat(33)) }, 'ENCRYPTION_KEYS'],
    ['a list of keys with an empty entry', { ENCRYPTION_KEYS: `${key('k')},` }, 'ENCRYPTION_KEYS'],
    [
      'a weak key in production',
      { ...production, ENCRYPTION_KEYS: `k:${'A'.repeat(43)}` },
      'ENCRYPTION_KEYS',
      'random',
    ],
    ['a short administrator name', { ADMIN_USERNAME: 'ab' }, 'ADMIN_USERNAME'],
    ['an administrator name of digits', { ADMIN_USERNAME: '12345' }, 'ADMIN_USERNAME', 'digits'],
    ['a scope in capitals', { SERVICE_SCOPE: 'IAM' }, 'SERVICE_SCOPE', '[a-z]'],
    ['a long scope', { SERVICE_SCOPE: 'a'.repeat(51) }, 'SERVICE_SCOPE'],
    ['a public URL of another kind', { PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL', 'http(s)'],
    ['a public URL with a path', { PUBLIC_URL: 'https://x/id' }, 'PUBLIC_URL', 'path'],
    ['a public URL with a query', { PUBLIC_URL: 'https://x/?a=1' }, 'PUBLIC_URL', 'query'],
    ['a public URL with a user', { PUBLIC_URL: 'https://me:hidden@x' }, 'PUBLIC_URL', 'user'],
    [
      'a public URL over http in production',
      { ...production, PUBLIC_URL: 'http://x' },
      'PUBLIC_URL',
      'COOKIE_INSECURE=true',
    ],
    ['an unknown proxy name', { TRUSTED_PROXIES: 'loopback,nginx' }, 'TRUSTED_PROXIES', 'uniquelocal'],
    ['a proxy address of an odd form', { TRUSTED_PROXIES: '0x7f.1' }, 'TRUSTED_PROXIES'],
    ['a proxy range out of range', { TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
    ['a bad metrics address', { METRICS_ALLOW: 'everyone' }, 'METRICS_ALLOW'],
    ['an allowed host with a scheme', { ALLOWED_HOSTS: 'https://x' }, 'ALLOWED_HOSTS'],
    ['an allowed host with a bad port', { ALLOWED_HOSTS: 'x:99999' }, 'ALLOWED_HOSTS'],
    ['a flag that is neither true nor false', { COOKIE_INSECURE: 'yes' }, 'COOKIE_INSECURE', 'true, false'],
    ['a flag in capitals', { MIGRATE_ON_START: 'TRUE' }, 'MIGRATE_ON_START'],
    ['a bad docs flag', { DOCS_ENABLED: '1' }, 'DOCS_ENABLED'],
    ['a bad development flag', { ALLOW_INSECURE_DEV: 'y' }, 'ALLOW_INSECURE_DEV'],
    ['too long a shutdown', { SHUTDOWN_SECONDS: '3601' }, 'SHUTDOWN_SECONDS', '0 to 3600'],
    ['an unknown log level', { LOG_LEVEL: 'verbose' }, 'LOG_LEVEL', 'trace, debug'],
    ['an unknown log format', { LOG_FORMAT: 'xml' }, 'LOG_FORMAT', 'pretty, json'],
    ['production without a database', { ...production, DATABASE_URL: '' }, 'DATABASE_URL', 'missing'],
    ['production without keys', { ...production, ENCRYPTION_KEYS: undefined }, 'ENCRYPTION_KEYS', 'missing'],
    ['production without a public URL', { ...production, PUBLIC_URL: ' ' }, 'PUBLIC_URL', 'missing'],
  ];
  it.each(rejected)('rejects %s', (_name, source, variable, hint = variable) => {
    const error = problemsOf(source);
    expect(error.problems.map((problem) => problem.variable)).toEqual([variable]);
    expect(error.message).toMatch(new RegExp(`^${variable} .*; allowed: .+$`));
    expect(error.message).toContain(hint);
  });

  const group: VariableGroup<number> = {
    secrets: [],
    read: (reader) => reader.integer('LEGS', 4, 0, 8),
  };

  it('reads the variables of a group', () => {
    expect([{}, { LEGS: '6' }].map((source) => readEnvironment(source, [group]).get(group))).toEqual([4, 6]);
    expect(() => readEnvironment({ LEGS: '9' }, [group])).toThrow(/^LEGS is "9"/);
    expect(() => readEnvironment({}).get(group)).toThrow('without this group');
  });

  it('reports all problems at once, one per line', () => {
    const { problems, message } = problemsOf({ NODE_ENV: 'production', PORT: 'x' });
    expect(problems.map(({ variable }) => variable)).toEqual(['PORT', 'DATABASE_URL', 'ENCRYPTION_KEYS', 'PUBLIC_URL']);
    expect(message.split('\n')).toHaveLength(4);
  });

  it('never shows the value of a secret variable', () => {
    const secret = 'canary-secret';
    const names = [
      'DATABASE_URL',
      'DATABASE_REPLICA_URLS',
      'DATABASE_DIRECT_URL',
      'REDIS_URL',
      'REDIS_SENTINEL_URLS',
      'ENCRYPTION_KEYS',
    ];
    const sources = names.map((name) => ({ ...production, [name]: secret }));
    const urls = [{ PUBLIC_URL: `https://me:${secret}@x` }, { ADMIN_PASSWORD: secret, PORT: 'x' }];
    for (const source of [...sources, ...urls]) {
      const error = problemsOf(source);
      expect(error.message + JSON.stringify(error.problems)).not.toContain(secret);
    }
  });

  it('shortens a long or multi-line value to one line', () => {
    const { message } = problemsOf({ LOG_LEVEL: `a\nb${'x'.repeat(500)}` });
    expect(message).not.toContain('\n');
    expect(message.length).toBeLessThan(250);
  });
});
