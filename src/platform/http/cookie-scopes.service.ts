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
  /** Where the browser may hold cookies from before a setting was changed, latest first. */
  readonly former: readonly PreviousCookieScope[];
  /** Setting `jwt.cookie_prefix` itself, as it is and as it was. */
  readonly prefixes: readonly [string, ...string[]];
  readonly sameSite: SameSite;
  readonly secure: boolean;
}

const MAX_FORMER = 5;

/** What the settings say of cookies, now and in the past, for one request. */
@Injectable()
export class CookieScopesService {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
  ) {}

  /** How the names of session cookies begin. */
  prefix(request: FastifyRequest): MaybePromise<string> {
    return andThen(this.settings.get(cookiePrefix), (prefix) =>
      prefix === cookiePrefix.defaultValue ? andThen(this.current(), (frame) => this.prefixOf(frame, request)) : prefix,
    );
  }

  async of(request: FastifyRequest, most = MAX_FORMER): Promise<CookieScopes> {
    const { settings } = this;
    const stored = await this.current();
    const former = await eachAttribute((setting) => settings.history(setting));
    const inForce = (frame: CookieScope): CookieScope => ({ ...frame, prefix: this.prefixOf(frame, request) });
    return {
      current: inForce(stored),
      former: previousCookieScopes(stored, former, most, inForce),
      prefixes: [stored.prefix, ...former.prefix.map(({ value }) => value)],
      sameSite: await this.settings.get(cookieSameSite),
      secure: areCookiesSecure(this.environment, contextOf(request).origin.secure),
    };
  }

  private prefixOf(frame: CookieScope, request: FastifyRequest): string {
    return sessionCookiePrefix(frame, this.environment, contextOf(request).origin.secure);
  }

  private current(): MaybePromise<CookieScope> {
    return eachAttribute((setting) => this.settings.get(setting));
  }
}

/** One after the other: the first one loads all settings. */
function eachAttribute<A>(
  ask: (setting: Setting<string>) => MaybePromise<A>,
): MaybePromise<Record<keyof CookieScope, A>> {
  return andThen(ask(cookiePrefix), (prefix) =>
    andThen(ask(cookiePath), (path) => andThen(ask(cookieDomain), (domain) => ({ prefix, path, domain }))),
  );
}
