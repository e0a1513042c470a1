import type { NearMiss } from './near-misses';

export const nodeEnvironments = ['development', 'production', 'test'] as const;
export type NodeEnvironment = (typeof nodeEnvironments)[number];

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['pretty', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** The process environment, read and checked once; it never changes afterwards. */
export class Environment {
  /** 0: any free one. */
  readonly port: number;
  readonly host: string;
  readonly nodeEnv: NodeEnvironment;
  /** None: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databaseReplicaUrls: readonly string[];
  /** For migrations, where a pooler stands before `databaseUrl`. */
  readonly databaseDirectUrl: string | undefined;
  /** None: the in-memory cache. */
  readonly redisUrl: string | undefined;
  readonly dataDir: string;
  /** `kid:base64url(32 bytes)[,older…]`; none only outside production, see `resolveEncryptionKeys`. */
  readonly encryptionKeys: string | undefined;
  readonly adminUsername: string;
  readonly adminPassword: string | undefined;
  readonly serviceScope: string;
  /** An origin: scheme, host and port, without a trailing slash. */
  readonly publicUrl: string | undefined;
  /** Addresses, CIDR ranges and the names loopback, linklocal, uniquelocal; comma separated, checked. */
  readonly trustedProxies: string;
  /** As given: lower-cased `host` or `host:port`. */
  readonly allowedHosts: readonly string[];
  readonly cookieInsecure: boolean;
  readonly migrateOnStart: boolean;
  readonly shutdownSeconds: number;
  /** Written like `trustedProxies`. */
  readonly metricsAllow: string;
  readonly docsEnabled: boolean;
  readonly allowInsecureDev: boolean;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** The secret variables that were read from files, and may be read again while the service runs. */
  readonly readFromFiles: readonly string[];
  /** Variables that are probably misspelt. */
  readonly nearMisses: readonly NearMiss[];

  constructor(values: EnvironmentValues) {
    Object.assign(this, values, {
      databaseReplicaUrls: Object.freeze([...values.databaseReplicaUrls]),
      allowedHosts: Object.freeze([...values.allowedHosts]),
      readFromFiles: Object.freeze([...values.readFromFiles]),
    });
    Object.freeze(this);
  }

  get isProduction(): boolean {
    return this.nodeEnv === 'production';
  }

  /**
   * The `Host` values that are answered, beside that of `publicUrl`; empty (outside production only) means any. Health
   * checks and metrics are answered whatever the host.
   */
  get effectiveAllowedHosts(): readonly string[] {
    if (this.allowedHosts.length > 0 || !this.isProduction || this.publicUrl === undefined) return this.allowedHosts;
    return [new URL(this.publicUrl).host];
  }
}

/** What `Environment` is made of. */
export type EnvironmentValues = Omit<Environment, 'isProduction' | 'effectiveAllowedHosts'>;
