import type { DynamicModule, FactoryProvider, Type } from '@nestjs/common';
import type { AnnounceAdministrator } from './auth';
import type { OAuthProviderAdapter } from './oauth';
import type { KeyValueCache } from './platform/cache';
import type { EnvironmentSource } from './platform/config';
import type { PasswordHasher } from './platform/crypto';
import type { EmbeddedDatabase } from './platform/database';
import type { Log } from './platform/logging';
import type { LoginMethod } from './login';
import type { AvatarGenerator } from './users';
import type { Mailer, SmsSender } from './messaging';

/** The ports that a host may replace, each by a class, and the lists that it may extend. */
export interface IdentityExtensions {
  readonly passwordHasher?: Type<PasswordHasher>;
  readonly avatarGenerator?: Type<AvatarGenerator>;
  readonly cache?: Type<KeyValueCache>;
  /** Sends mail in another way than over SMTP. */
  readonly mailer?: Type<Mailer>;
  /** Sends texts to phones through a provider of the host's. */
  readonly smsSender?: Type<SmsSender>;
  /** More ways to log in; a type that is there already ends the start. */
  readonly loginMethods?: readonly Type<LoginMethod>[];
  /** More kinds of login provider; a template that is there already ends the start. */
  readonly oauthProviderAdapters?: readonly Type<OAuthProviderAdapter>[];
}

/** What a module of the host's may be given as; a promise of one, too, as Nest takes it. */
export type HostModule = Type | DynamicModule | Promise<DynamicModule>;

/** What has to be known while modules are put together: no provider has been made yet. */
export interface IdentityStructure {
  /** Modules of the host whose exports the classes of `extensions` and the factory of `forRootAsync` may inject. */
  readonly imports?: readonly HostModule[];
  readonly extensions?: IdentityExtensions;
}

/** What is first asked for when providers are made, so that a factory may give it. */
export interface IdentityValues {
  /** The variables of the configuration. Default: the process's own environment. */
  readonly environment?: EnvironmentSource;
  /** Default: lines on the standard output, as `LOG_LEVEL` and `LOG_FORMAT` say. */
  readonly log?: Log;
  /** An open embedded database, as tests use it; its opener closes it. */
  readonly embeddedDatabase?: EmbeddedDatabase;
  /** Receives the generated password of the first administrator, once. Default: two lines on standard output. */
  readonly onFirstAdministrator?: AnnounceAdministrator;
}

export interface IdentityOptions extends IdentityStructure, IdentityValues {}

/** As in Nest's own modules, except that `extensions` are given beside the factory: they decide which modules exist. */
export interface IdentityAsyncOptions extends IdentityStructure {
  readonly inject?: FactoryProvider['inject'];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as Nest types its factories: by what `inject` names
  readonly useFactory: (...injected: any[]) => IdentityValues | Promise<IdentityValues>;
}
