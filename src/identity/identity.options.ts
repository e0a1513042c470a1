import type { DynamicModule, FactoryProvider, Type } from '@nestjs/common';
import type { AnnounceAdministrator } from '../auth';
import type { DeclaredAttribute, DeclaredPermission, DeclaredRole } from '../host-api';
import type { OAuthProviderAdapter } from '../oauth';
import type { KeyValueCache } from '../platform/cache';
import type { EnvironmentSource } from '../platform/config';
import type { PasswordHasher } from '../platform/crypto';
import type { EmbeddedDatabase } from '../platform/database';
import type { Log } from '../platform/logging';
import type { LoginMethod } from '../auth/login';
import type { AvatarGenerator, AvatarPictures } from '../users/avatars';
import type { Mailer, SmsSender } from '../messaging';

/** The ports that a host may replace with a class, and the lists that it may extend. */
export interface IdentityExtensions {
  readonly passwordHasher?: Type<PasswordHasher>;
  readonly avatarGenerator?: Type<AvatarGenerator>;
  /** Keeps the pictures that users upload. */
  readonly avatarPictures?: Type<AvatarPictures>;
  readonly cache?: Type<KeyValueCache>;
  /** Replaces sending mail over SMTP. */
  readonly mailer?: Type<Mailer>;
  /** Sends text messages through a provider of the host. */
  readonly smsSender?: Type<SmsSender>;
  /** Additional login methods. A duplicate type stops the start. */
  readonly loginMethods?: readonly Type<LoginMethod>[];
  /** Additional identity provider adapters. A duplicate template stops the start. */
  readonly oauthProviderAdapters?: readonly Type<OAuthProviderAdapter>[];
}

/** A module of the host, or a promise of a dynamic one, as in Nest. */
export type HostModule = Type | DynamicModule | Promise<DynamicModule>;

/** Options needed while modules are assembled, before any provider exists. */
export interface IdentityStructure {
  /** Host modules whose exports the classes of `extensions` and the factory of `forRootAsync` may inject. */
  readonly imports?: readonly HostModule[];
  readonly extensions?: IdentityExtensions;
}

/** Options needed only when providers are created, so that a factory may provide them. */
export interface IdentityValues {
  /** The configuration variables. Default: the environment of the process. */
  readonly environment?: EnvironmentSource;
  /** Default: lines on standard output, controlled by `LOG_LEVEL` and `LOG_FORMAT`. */
  readonly log?: Log;
  /** An open embedded database, for tests. The code that opened it must close it. */
  readonly embeddedDatabase?: EmbeddedDatabase;
  /** Receives the generated password of the first administrator, once. Default: prints it to standard output. */
  readonly onFirstAdministrator?: AnnounceAdministrator;
  /** Permissions of the host, added to the catalogue at start. What operators change or delete stays so. */
  readonly permissions?: readonly DeclaredPermission[];
  /** Roles of the host, created at start. What operators change or delete stays so. */
  readonly roles?: readonly DeclaredRole[];
  /** Fields of users that the host needs, defined at start. What operators change or delete stays so. */
  readonly attributes?: readonly DeclaredAttribute[];
  /** Values by key of a setting, set at start. What operators change stays so. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface IdentityOptions extends IdentityStructure, IdentityValues {}

/**
 * As in Nest's modules, except that `extensions` is given outside the factory, because it decides which modules exist.
 */
export interface IdentityAsyncOptions extends IdentityStructure {
  readonly inject?: FactoryProvider['inject'];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as Nest types its factories: by what `inject` names
  readonly useFactory: (...injected: any[]) => IdentityValues | Promise<IdentityValues>;
}
