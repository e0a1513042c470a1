import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isHealthRoute } from './route-marks';
import { Environment } from '../config';
import { RequestContext, RequestOrigin } from '../context';
import { platformErrors } from '../errors';
import { isLanguage, Language, languages } from '../i18n';
import { andThen, isPromise, MaybePromise, withDeadline } from '../util';
import { SettingsReader } from '../settings';
import { clientAddress, limitKey } from './client-address';
import { cleanUserAgent } from './client-device';
import { browserCookiePrefix } from './cookie-names';
import { areCookiesSecure, cookieValues } from './cookies';
import { cookiePrefix, defaultLocale, hstsIncludesSubdomains } from './http.settings';
import { findLanguage, LanguagePreferences, negotiateLanguage } from './language';
import { ProxyTrust } from './proxy-trust';
import { PublicOrigin, publicOrigin } from './public-origin';
import { requestIdFrom } from './request-id';
import { securityHeaders } from './security-headers';

interface TlsSocket {
  readonly encrypted?: boolean;
}

interface LanguageSettings {
  readonly cookie: string | undefined;
  readonly fallback: Language;
}

export interface ReadRequest {
  readonly context: RequestContext;
  /** Whether the host of the request is one of our own. */
  readonly hostIsOwn: boolean;
}

interface Sender {
  readonly ip: string;
  readonly limitKey: string;
}

/** Header values that determine sender and origin. */
type HeaderValues = readonly (string | readonly string[] | undefined)[];

interface ConnectionInfo {
  readonly values: HeaderValues;
  readonly sender: Sender;
  readonly origin: PublicOrigin | undefined;
  readonly userAgent: string;
}

/** Size of the caches; their values depend only on the request itself. */
const MAX_CACHED = 1_000;
/** Longer headers are parsed each time, so that no client can fill the memory. */
const MAX_KEY_LENGTH = 300;

/** Suffix of the language cookie. */
const LANGUAGE = '_lang';

/** Time after which the cached language settings are used. */
const PATIENCE_MS = 300;

/** Builds the request context: client address, origin, language. */
@Injectable()
export class RequestContextFactory {
  private readonly trust: ProxyTrust;
  private readonly senders = new LRUCache<string, Sender>({ max: MAX_CACHED });
  private readonly origins = new LRUCache<string, PublicOrigin>({ max: MAX_CACHED });
  /** Browsers send the same few language lists with every request. */
  private readonly choices = new LRUCache<string, Language>({ max: MAX_CACHED });
  /** Most requests of a connection have the same headers. */
  private readonly connections = new WeakMap<object, ConnectionInfo>();
  private includesSubdomains: boolean | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
  ) {
    this.trust = ProxyTrust.parse(environment.trustedProxies);
  }

  /** Security headers of every response. Does not wait for the setting. */
  securityHeaders({ secure }: RequestOrigin): Readonly<Record<string, string>> {
    this.includesSubdomains = this.settings.getCached(hstsIncludesSubdomains) ?? this.includesSubdomains;
    return securityHeaders({ secure, includesSubdomains: this.includesSubdomains });
  }

  read(request: FastifyRequest): MaybePromise<ReadRequest> {
    return andThen(this.languageSettings(request), (settings) => this.describe(request, settings));
  }

  /** Errors: `host_rejected`. */
  rejectHost(): never {
    throw platformErrors.hostRejected();
  }

  private connectionInfo(request: FastifyRequest): ConnectionInfo {
    const { headers, socket } = request.raw;
    const values = [
      headers.host,
      headers['x-forwarded-for'],
      headers['x-forwarded-proto'],
      headers['x-forwarded-host'],
      headers['user-agent'],
    ];
    const known = this.connections.get(socket);
    if (known && values.every((value, index) => value === known.values[index])) return known;
    const userAgent = cleanUserAgent(headers['user-agent']);
    const info = { values, sender: this.senderOf(request), origin: this.originOf(request), userAgent };
    if (values.join('').length <= MAX_KEY_LENGTH) this.connections.set(socket, info);
    return info;
  }

  private senderOf({ raw: { headers, socket } }: FastifyRequest): Sender {
    const forwarded = headers['x-forwarded-for'];
    return cached(this.senders, [socket.remoteAddress, forwarded], () => {
      const ip = clientAddress(socket.remoteAddress, forwarded, this.trust);
      return { ip, limitKey: limitKey(ip) };
    });
  }

  private originOf({ raw: { headers, socket } }: FastifyRequest): PublicOrigin | undefined {
    const { publicUrl, effectiveAllowedHosts } = this.environment;
    const rules = { trust: this.trust, ...(publicUrl !== undefined && { publicUrl }) };
    const source = {
      peer: socket.remoteAddress,
      encrypted: (socket as TlsSocket).encrypted ?? false,
      hostHeader: headers.host,
      forwardedProto: headers['x-forwarded-proto'],
      forwardedHost: headers['x-forwarded-host'],
    };
    const values = [source.peer, source.hostHeader, source.forwardedProto, source.forwardedHost];
    return cached(this.origins, [...values, String(source.encrypted)], () =>
      publicOrigin(source, { ...rules, allowedHosts: effectiveAllowedHosts }),
    );
  }

  /** For responses to a request with a foreign host. */
  private ownOrigin(): RequestOrigin {
    const { publicUrl } = this.environment;
    if (publicUrl === undefined) return { origin: 'http://localhost', secure: false };
    const { origin, protocol } = new URL(publicUrl);
    return { origin, secure: protocol === 'https:' };
  }

  private describe(request: FastifyRequest, settings: LanguageSettings): ReadRequest {
    const { headers } = request.raw;
    const { sender, origin, userAgent } = this.connectionInfo(request);
    const lang = (request.query as Record<string, unknown> | null)?.['lang'];
    const preference = typeof lang === 'string' ? lang : undefined;
    const context: RequestContext = {
      requestId: requestIdFrom(headers['x-request-id']),
      ip: sender.ip,
      limitKey: sender.limitKey,
      userAgent,
      origin: origin ?? this.ownOrigin(),
      language: this.languageOf(headers['accept-language'], preference, settings),
      languageIsExplicit: preference !== undefined && findLanguage(preference, languages) !== undefined,
    };
    return { context, hostIsOwn: origin !== undefined || isProbe(request) };
  }

  private languageOf(
    acceptLanguage: string | undefined,
    query: string | undefined,
    { cookie, fallback }: LanguageSettings,
  ): Language {
    if (query !== undefined || cookie !== undefined) return languageOf({ query, cookie, acceptLanguage, fallback });
    if (acceptLanguage === undefined) return fallback;
    return cached(this.choices, [acceptLanguage, fallback], () => languageOf({ acceptLanguage, fallback }));
  }

  /** Health routes respond in any state of the service, so they do not wait for settings. */
  private languageSettings(request: FastifyRequest): MaybePromise<LanguageSettings> {
    if (isHealthRoute(request.routeOptions.config)) return this.lastLanguage(request);
    const current = this.currentLanguage(request);
    return isPromise(current) ? this.orLastLanguage(request, current) : current;
  }

  /** An unreachable database must not remove the error texts, and a slow one must not delay every response. */
  private async orLastLanguage(request: FastifyRequest, current: Promise<LanguageSettings>): Promise<LanguageSettings> {
    try {
      return await (this.settings.getCached(defaultLocale) === undefined
        ? current
        : withDeadline(PATIENCE_MS, current));
    } catch {
      return this.lastLanguage(request);
    }
  }

  private currentLanguage(request: FastifyRequest): MaybePromise<LanguageSettings> {
    return andThen(this.languageCookie(request), (cookie) =>
      andThen(this.settings.get(defaultLocale), (fallback) => ({ cookie, fallback })),
    );
  }

  private lastLanguage(request: FastifyRequest): LanguageSettings {
    const prefix = this.settings.getCached(cookiePrefix) ?? cookiePrefix.defaultValue;
    return {
      cookie: this.languagesUnder(prefix, request)[0],
      fallback: this.settings.getCached(defaultLocale) ?? defaultLocale.defaultValue,
    };
  }

  private languageCookie(request: FastifyRequest): MaybePromise<string | undefined> {
    if (request.raw.headers.cookie?.includes(LANGUAGE) !== true) return undefined;
    return this.findLanguageCookie(request);
  }

  /** Reads the current cookie name, then those of previous prefixes. */
  private async findLanguageCookie(request: FastifyRequest): Promise<string | undefined> {
    const [current] = this.languagesUnder(await this.settings.get(cookiePrefix), request);
    if (current !== undefined) return current;
    const previous = await this.settings.history(cookiePrefix);
    return previous.flatMap(({ value }) => this.languagesUnder(value, request))[0];
  }

  private languagesUnder(prefix: string, request: FastifyRequest): string[] {
    const { secure } = this.connectionInfo(request).origin ?? this.ownOrigin();
    const name = browserCookiePrefix(prefix, areCookiesSecure(this.environment, secure));
    return cookieValues(request.raw.headers.cookie, `${name}${LANGUAGE}`);
  }
}

/** Load balancers and monitors use an IP address as host; these routes derive nothing from it. */
const PROBE = /(?:^|\/)(?:health\/(?:live|ready)|metrics)$/;

const isProbe = ({ routeOptions: { url = '' } }: FastifyRequest): boolean => PROBE.test(url);

/**
 * Returns the cached value for these header values. They contain no line break (RFC 9110 §5.5), the separator of the
 * key.
 */
function cached<T extends object | string | undefined>(
  memory: LRUCache<string, NonNullable<T>>,
  values: HeaderValues,
  make: () => T,
): T {
  const key = values.map((value) => (typeof value === 'object' ? value.join(',') : value)).join('\n');
  const known = memory.get(key);
  if (known) return known;
  const made = make();
  if (made && key.length <= MAX_KEY_LENGTH) memory.set(key, made);
  return made;
}

function languageOf(preferences: LanguagePreferences): Language {
  const chosen = negotiateLanguage(preferences, languages);
  return isLanguage(chosen) ? chosen : defaultLocale.defaultValue;
}
