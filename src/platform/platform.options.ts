import type { Type } from '@nestjs/common';
import type { KeyValueCache } from './cache';
import type { Environment } from './config';
import type { PasswordHasher } from './crypto';
import type { EmbeddedDatabase, Schema } from './database';
import type { Log } from './logging';

/** What decides which providers the platform has. */
export interface PlatformOptions {
  readonly schema: Schema;
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
