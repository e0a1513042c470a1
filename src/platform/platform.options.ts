import type { Type } from '@nestjs/common';
import type { KeyValueCache } from './cache';
import type { Environment } from './config';
import type { PasswordHasher } from './crypto';
import type { EmbeddedDatabase, Schema } from './database';
import type { Log } from './logging';

/** What a host gives the platform. */
export interface PlatformOptions {
  readonly environment: Environment;
  readonly schema: Schema;
  /** Default: JSON or pretty lines on the standard output, as the environment says. */
  readonly log?: Log;
  /** An embedded database that is open already, instead of one under `DATA_DIR`; its owner closes it. */
  readonly embedded?: EmbeddedDatabase;
  readonly passwordHasher?: Type<PasswordHasher>;
  readonly cache?: Type<KeyValueCache>;
}
