import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Environment } from '../config';
import { contextOf } from '../context';
import { andThen, MaybePromise } from '../util';
import { Setting, SettingsReader } from '../settings';
import { CookieScope, sessionCookiePrefix } from './cookie-names';
import { areCookiesSecure, SameSite } from './cookies';
import { PreviousCookieScope, previousCookieScopes } from './previous-cookie-scopes';
import { cookieDomain, cookiePath, cookiePrefix, cookieSameSite, shareRefreshCookie } from './http.settings';

/** The scope of a cookie, now and before. */
export interface ScopeHistory {
  readonly current: CookieScope;
  /** Scopes in which the browser may still have cookies from before a change of a setting, latest first. */
  readonly previous: readonly PreviousCookieScope[];
}

/** The scopes of the access cookie, and what all cookies have in common. */
export interface CookieScopes extends ScopeHistory {
  /** The scopes of the refresh cookie, which has the domain only if it is shared. */
  readonly refresh: ScopeHistory;
  /** Values of setting `jwt.cookie_prefix`, the current one first. */
  readonly prefixes: readonly [string, ...string[]];
  readonly sameSite: SameSite;
  readonly secure: boolean;
}

interface RefreshSettings extends CookieScope {
  readonly isShared: boolean;
}

const MAX_PREVIOUS = 5;

/** Cookie settings of one request, current and previous. */
@Injectable()
export class CookieScopesService {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
  ) {}

  /** Returns the name prefix of the access cookie. */
  prefix(request: FastifyRequest): MaybePromise<string> {
    return andThen(this.settings.get(cookiePrefix), (prefix) =>
      prefix === cookiePrefix.defaultValue ? andThen(this.current(), (scope) => this.prefixOf(scope, request)) : prefix,
    );
  }

  /** Returns the name prefix of the refresh cookie. */
  async refreshPrefix(request: FastifyRequest): Promise<string> {
    const scope = await this.current();
    return this.prefixOf(refreshScope({ ...scope, isShared: await this.settings.get(shareRefreshCookie) }), request);
  }

  async find(request: FastifyRequest, max = MAX_PREVIOUS): Promise<CookieScopes> {
    const { settings } = this;
    const stored = await this.current();
    const previous = await eachAttribute((setting) => settings.history(setting));
    const effective = (scope: CookieScope): CookieScope => ({ ...scope, prefix: this.prefixOf(scope, request) });
    const ofRefresh = (scope: RefreshSettings): CookieScope => effective(refreshScope(scope));
    const refresh = { ...stored, isShared: await settings.get(shareRefreshCookie) };
    const previousOfRefresh = { ...previous, isShared: await settings.history(shareRefreshCookie) };
    return {
      current: effective(stored),
      previous: previousCookieScopes(stored, previous, max, effective),
      refresh: {
        current: ofRefresh(refresh),
        previous: previousCookieScopes(refresh, previousOfRefresh, max, ofRefresh),
      },
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

/** The refresh cookie stays at its host, because other hosts of the domain may lead to other services. */
const refreshScope = ({ isShared, prefix, path, domain }: RefreshSettings): CookieScope => ({
  prefix,
  path,
  domain: isShared ? domain : '',
});

/** Sequential, because the first read loads all settings. */
function eachAttribute<A>(
  read: (setting: Setting<string>) => MaybePromise<A>,
): MaybePromise<Record<keyof CookieScope, A>> {
  return andThen(read(cookiePrefix), (prefix) =>
    andThen(read(cookiePath), (path) => andThen(read(cookieDomain), (domain) => ({ prefix, path, domain }))),
  );
}
