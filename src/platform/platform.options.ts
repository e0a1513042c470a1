import type { Type } from '@nestjs/common';
import type { KeyValueCache } from './cache';
import type { Environment } from './config';
import type { PasswordHasher } from './crypto';
import type { Database, EmbeddedDatabase, Schema } from './database';
import type { Log } from './logging';

/** What decides which providers the platform has. */
export interface PlatformOptions {
  readonly schema: Schema;
  /** Tags of the OpenAPI document, in its order. */
  readonly tags: Readonly<Record<string, string>>;
  /** Whether the database holds values sealed with an encryption key already, also before its tables exist. */
  readonly isSealed: (dataSource: Database['dataSource']) => Promise<boolean>;
  readonly passwordHasher?: Type<PasswordHasher>;
  readonly cache?: Type<KeyValueCache>;
}

/** What the platform is told when its providers are made. */
export abstract class PlatformValues {
  abstract readonly environment: Environment;
  /** Default: JSON or pretty lines on the standard output, as the environment says. */
  abstract readonly log?: Log;
  /** An embedded database that is open already, instead of one under `DATA_DIR`; its owner closes it. */
  abstract readonly embedded?: EmbeddedDatabase;
}
