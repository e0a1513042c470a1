import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Environment } from '../config';
import { contextOf } from '../context';
import { andThen, MaybePromise } from '../maybe-promise';
import { Setting, SettingsReader } from '../settings';
import { CookieScope, sessionCookiePrefix } from './cookie-names';
import { areCookiesSecure, SameSite } from './cookies';
import { PreviousCookieScope, previousCookieScopes } from './previous-cookie-scopes';
import { cookieDomain, cookiePath, cookiePrefix, cookieSameSite } from './http.settings';

export interface CookieScopes {
  readonly current: CookieScope;
  /** Scopes in which the browser may still have cookies from before a change of a setting, latest first. */
  readonly previous: readonly PreviousCookieScope[];
  /** Values of setting `jwt.cookie_prefix`, the current one first. */
  readonly prefixes: readonly [string, ...string[]];
  readonly sameSite: SameSite;
  readonly secure: boolean;
}

const MAX_PREVIOUS = 5;

/** Cookie settings of one request, current and previous. */
@Injectable()
export class CookieScopesService {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
  ) {}

  /** Returns the name prefix of session cookies. */
  prefix(request: FastifyRequest): MaybePromise<string> {
    return andThen(this.settings.get(cookiePrefix), (prefix) =>
      prefix === cookiePrefix.defaultValue ? andThen(this.current(), (scope) => this.prefixOf(scope, request)) : prefix,
    );
  }

  async of(request: FastifyRequest, max = MAX_PREVIOUS): Promise<CookieScopes> {
    const { settings } = this;
    const stored = await this.current();
    const previous = await eachAttribute((setting) => settings.history(setting));
    const effective = (scope: CookieScope): CookieScope => ({ ...scope, prefix: this.prefixOf(scope, request) });
    return {
      current: effective(stored),
      previous: previousCookieScopes(stored, previous, max, effective),
      prefixes: [stored.prefix, ...previous.prefix.map(({ value }) => value)],
      sameSite: await this.settings.get(cookieSameSite),
      secure: areCookiesSecure(this.environment, contextOf(request).origin.secure),
    };
  }

  private prefixOf(scope: CookieScope, request: FastifyRequest): string {
    return sessionCookiePrefix(scope, this.environment, contextOf(request).origin.secure);
  }

  private current(): MaybePromise<CookieScope> {
    return eachAttribute((setting) => this.settings.get(setting));
  }
}

/** Sequential, because the first read loads all settings. */
function eachAttribute<A>(
  read: (setting: Setting<string>) => MaybePromise<A>,
): MaybePromise<Record<keyof CookieScope, A>> {
  return andThen(read(cookiePrefix), (prefix) =>
    andThen(read(cookiePath), (path) => andThen(read(cookieDomain), (domain) => ({ prefix, path, domain }))),
  );
}
