import type { Type } from '@nestjs/common';
import type { AnnounceAdministrator } from './auth';
import type { KeyValueCache } from './platform/cache';
import type { EnvironmentSource } from './platform/config';
import type { PasswordHasher } from './platform/crypto';
import type { EmbeddedDatabase } from './platform/database';
import type { Log } from './platform/logging';
import type { LoginMethod } from './session';
import type { AvatarGenerator } from './users';

/** The ports a host may replace, each by a class of its own, and the lists it may add to. */
export interface IdentityExtensions {
  readonly passwordHasher?: Type<PasswordHasher>;
  readonly avatarGenerator?: Type<AvatarGenerator>;
  readonly cache?: Type<KeyValueCache>;
  /** More ways to log in; a type that is there already ends the start. */
  readonly loginMethods?: readonly Type<LoginMethod>[];
}

export interface IdentityOptions {
  /** The variables of the configuration. Default: the process's own environment. */
  readonly environment?: EnvironmentSource;
  readonly extensions?: IdentityExtensions;
  /** Default: lines on the standard output, as `LOG_LEVEL` and `LOG_FORMAT` say. */
  readonly log?: Log;
  /** An embedded database that is open already, as tests use it. */
  readonly embeddedDatabase?: EmbeddedDatabase;
  /** Told the generated password of the first administrator, once. Default: two lines on the standard output. */
  readonly onFirstAdministrator?: AnnounceAdministrator;
}
