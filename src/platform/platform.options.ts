import type { Type } from '@nestjs/common';
import type { KeyValueCache } from './cache';
import type { Environment } from './config';
import type { PasswordHasher } from './crypto';
import type { Database, EmbeddedDatabase, Schema } from './database';
import type { Log } from './logging';

/** Options that select the providers of the platform. */
export interface PlatformOptions {
  readonly schema: Schema;
  /** OpenAPI tags, in order. */
  readonly tags: Readonly<Record<string, string>>;
  /** Whether the database already has values sealed with an encryption key. Must work before its tables exist. */
  readonly isSealed: (dataSource: Database['dataSource']) => Promise<boolean>;
  readonly passwordHasher?: Type<PasswordHasher>;
  readonly cache?: Type<KeyValueCache>;
}

/** Values for the providers of the platform. */
export abstract class PlatformValues {
  abstract readonly environment: Environment;
  /** Default: standard output, in the format that the environment sets. */
  abstract readonly log?: Log;
  /** An open embedded database, used instead of one under `DATA_DIR`; its owner closes it. */
  abstract readonly embedded?: EmbeddedDatabase;
}
