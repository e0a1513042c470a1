import type { NearMiss } from './near-misses';
import type { VariableGroup } from './variable-reader';

export const nodeEnvironments = ['development', 'production', 'test'] as const;
export type NodeEnvironment = (typeof nodeEnvironments)[number];

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['pretty', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** The process environment, read and checked once; it never changes afterwards. */
export class Environment {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  readonly nodeEnv: NodeEnvironment;
  /** Undefined: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databaseReplicaUrls: readonly string[];
  /** For migrations, if `databaseUrl` leads to a connection pooler. */
  readonly databaseDirectUrl: string | undefined;
  /** Undefined: the in-memory cache. */
  readonly redisUrl: string | undefined;
  /** The URLs of Redis Sentinels; if there are any, the host of `redisUrl` is the name of the master that they watch. */
  readonly redisSentinelUrls: readonly string[];
  readonly dataDir: string;
  /** `kid:base64url(32 bytes)[,older…]`; undefined only outside production, see `resolveEncryptionKeys`. */
  readonly encryptionKeys: string | undefined;
  readonly adminUsername: string;
  readonly adminPassword: string | undefined;
  readonly serviceScope: string;
  /** An origin: scheme, host and port, without a trailing slash. */
  readonly publicUrl: string | undefined;
  /** Validated, comma-separated list of addresses, CIDR ranges and the names loopback, linklocal and uniquelocal. */
  readonly trustedProxies: string;
  /** Lower-cased `host` or `host:port`, as configured. */
  readonly allowedHosts: readonly string[];
  readonly cookieInsecure: boolean;
  readonly migrateOnStart: boolean;
  readonly shutdownSeconds: number;
  /** Same form as `trustedProxies`. */
  readonly metricsAllow: string;
  readonly docsEnabled: boolean;
  readonly allowInsecureDev: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** The secret variables that were read from files, which may be read again at run time. */
  readonly readFromFiles: readonly string[];
  /** Variables that are probably misspelled. */
  readonly nearMisses: readonly NearMiss[];

  constructor(
    values: EnvironmentValues,
    private readonly groups: ReadonlyMap<VariableGroup<unknown>, unknown> = new Map(),
  ) {
    Object.assign(this, values, {
      databaseReplicaUrls: Object.freeze([...values.databaseReplicaUrls]),
      redisSentinelUrls: Object.freeze([...values.redisSentinelUrls]),
      allowedHosts: Object.freeze([...values.allowedHosts]),
      readFromFiles: Object.freeze([...values.readFromFiles]),
    });
    Object.freeze(this);
  }

  /** What a feature's variables say. The group must be among those that `readEnvironment` was given. */
  get<T>(group: VariableGroup<T>): T {
    if (!this.groups.has(group)) throw new Error('The environment was read without this group of variables');
    return this.groups.get(group) as T;
  }

  get isProduction(): boolean {
    return this.nodeEnv === 'production';
  }

  /**
   * The accepted `Host` values, besides that of `publicUrl`; empty means any, outside production only. Health checks
   * and metrics accept any host.
   */
  get effectiveAllowedHosts(): readonly string[] {
    if (this.allowedHosts.length > 0 || !this.isProduction || this.publicUrl === undefined) return this.allowedHosts;
    return [new URL(this.publicUrl).host];
  }
}

/** The fields of `Environment`. */
export type EnvironmentValues = Omit<Environment, 'isProduction' | 'effectiveAllowedHosts' | 'get'>;
