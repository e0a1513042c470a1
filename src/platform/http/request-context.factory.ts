import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isHealthRoute } from '../access';
import { Environment } from '../config';
import { RequestContext, RequestOrigin } from '../context';
import { platformErrors } from '../errors';
import { isLanguage, Language, languages } from '../i18n';
import { andThen, isPromise, MaybePromise } from '../maybe-promise';
import { SettingsReader } from '../settings';
import { withDeadline } from '../time';
import { clientAddress, limitKey } from './client-address';
import { cleanUserAgent } from './client-device';
import { browserCookiePrefix } from './cookie-names';
import { areCookiesSecure, cookieValues } from './cookies';
import { cookiePrefix, defaultLocale, hstsIncludesSubdomains } from './http.settings';
import { findLanguage, LanguageWishes, negotiateLanguage } from './language';
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
  /** Whether the address the request came to is the service's own. */
  readonly hostIsOwn: boolean;
}

interface Sender {
  readonly ip: string;
  readonly limitKey: string;
}

/** What a connection's requests say of who sends them and where to. */
type Words = readonly (string | readonly string[] | undefined)[];

interface Way {
  readonly words: Words;
  readonly sender: Sender;
  readonly origin: PublicOrigin | undefined;
  readonly userAgent: string;
}

/** Who is asked about again and again; both depend on the request's own words alone. */
const REMEMBERED = 1_000;
/** Whoever sends longer words is read anew, so that nobody fills the memory. */
const LONGEST_WORDS = 300;

/** How the name of the cookie ends in which a browser keeps the language. */
const LANGUAGE = '_lang';

/** Then the last values known do for the language. */
const SLOW_MS = 300;

/** Reads from a request what all of the service asks of it: who sent it, to which address, in which language. */
@Injectable()
export class RequestContextFactory {
  private readonly trust: ProxyTrust;
  private readonly senders = new LRUCache<string, Sender>({ max: REMEMBERED });
  private readonly origins = new LRUCache<string, PublicOrigin>({ max: REMEMBERED });
  /** Browsers name the languages of their users with every request, and there are few such lists. */
  private readonly choices = new LRUCache<string, Language>({ max: REMEMBERED });
  /** One connection's requests mostly come the same way. */
  private readonly ways = new WeakMap<object, Way>();
  private includesSubdomains: boolean | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
  ) {
    this.trust = ProxyTrust.parse(environment.trustedProxies);
  }

  /** Of every answer to a request that came this way. No request waits for the setting. */
  securityHeaders({ secure }: RequestOrigin): Readonly<Record<string, string>> {
    this.includesSubdomains = this.settings.getCached(hstsIncludesSubdomains) ?? this.includesSubdomains;
    return securityHeaders({ secure, includesSubdomains: this.includesSubdomains });
  }

  read(request: FastifyRequest): MaybePromise<ReadRequest> {
    return andThen(this.languageSettings(request), (settings) => this.describe(request, settings));
  }

  /** Errors: `validation_failed` on the host. */
  refuseHost(): never {
    throw platformErrors.hostRejected();
  }

  private wayOf(request: FastifyRequest): Way {
    const { headers, socket } = request.raw;
    const words = [
      headers.host,
      headers['x-forwarded-for'],
      headers['x-forwarded-proto'],
      headers['x-forwarded-host'],
      headers['user-agent'],
    ];
    const known = this.ways.get(socket);
    if (known && words.every((word, index) => word === known.words[index])) return known;
    const userAgent = cleanUserAgent(headers['user-agent']);
    const way = { words, sender: this.senderOf(request), origin: this.originOf(request), userAgent };
    if (words.join('').length <= LONGEST_WORDS) this.ways.set(socket, way);
    return way;
  }

  private senderOf({ raw: { headers, socket } }: FastifyRequest): Sender {
    const forwarded = headers['x-forwarded-for'];
    return remembered(this.senders, [socket.remoteAddress, forwarded], () => {
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
    const words = [source.peer, source.hostHeader, source.forwardedProto, source.forwardedHost];
    return remembered(this.origins, [...words, String(source.encrypted)], () =>
      publicOrigin(source, { ...rules, allowedHosts: effectiveAllowedHosts }),
    );
  }

  /** For answers to a request whose host is none of the service's own. */
  private ownOrigin(): RequestOrigin {
    const { publicUrl } = this.environment;
    if (publicUrl === undefined) return { origin: 'http://localhost', secure: false };
    const { origin, protocol } = new URL(publicUrl);
    return { origin, secure: protocol === 'https:' };
  }

  private describe(request: FastifyRequest, settings: LanguageSettings): ReadRequest {
    const { headers } = request.raw;
    const { sender, origin, userAgent } = this.wayOf(request);
    const lang = (request.query as Record<string, unknown> | null)?.['lang'];
    const wish = typeof lang === 'string' ? lang : undefined;
    const context: RequestContext = {
      requestId: requestIdFrom(headers['x-request-id']),
      ip: sender.ip,
      limitKey: sender.limitKey,
      userAgent,
      origin: origin ?? this.ownOrigin(),
      language: this.languageOf(headers['accept-language'], wish, settings),
      languageIsExplicit: wish !== undefined && findLanguage(wish, languages) !== undefined,
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
    return remembered(this.choices, [acceptLanguage, fallback], () => languageOf({ acceptLanguage, fallback }));
  }

  /** Operation routes answer in whatever state the service is: they wait for no setting. */
  private languageSettings(request: FastifyRequest): MaybePromise<LanguageSettings> {
    if (isHealthRoute(request.routeOptions.config)) return this.lastLanguage(request);
    const current = this.currentLanguage(request);
    return isPromise(current) ? this.orLastLanguage(request, current) : current;
  }

  /** A database that is away must not take the error texts with it, nor one that is slow delay every answer. */
  private async orLastLanguage(request: FastifyRequest, current: Promise<LanguageSettings>): Promise<LanguageSettings> {
    try {
      return await (this.settings.getCached(defaultLocale) === undefined ? current : withDeadline(SLOW_MS, current));
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

  /** Under the name of today, else under one from before the prefix was changed. */
  private async findLanguageCookie(request: FastifyRequest): Promise<string | undefined> {
    const [current] = this.languagesUnder(await this.settings.get(cookiePrefix), request);
    if (current !== undefined) return current;
    const previous = await this.settings.history(cookiePrefix);
    return previous.flatMap(({ value }) => this.languagesUnder(value, request))[0];
  }

  private languagesUnder(prefix: string, request: FastifyRequest): string[] {
    const { secure } = this.wayOf(request).origin ?? this.ownOrigin();
    const name = browserCookiePrefix(prefix, areCookiesSecure(this.environment, secure));
    return cookieValues(request.raw.headers.cookie, `${name}${LANGUAGE}`);
  }
}

/** Load balancers and monitors ask by address; nothing is made from the host they name. */
const PROBE = /(?:^|\/)(?:health\/(?:live|ready)|metrics)$/;

const isProbe = ({ routeOptions: { url = '' } }: FastifyRequest): boolean => PROBE.test(url);

/** What was made of the same words before. A header's value holds no line break (RFC 9110 §5.5). */
function remembered<T extends object | string | undefined>(
  memory: LRUCache<string, NonNullable<T>>,
  words: Words,
  make: () => T,
): T {
  const key = words.map((word) => (typeof word === 'object' ? word.join(',') : word)).join('\n');
  const known = memory.get(key);
  if (known) return known;
  const made = make();
  if (made && key.length <= LONGEST_WORDS) memory.set(key, made);
  return made;
}

function languageOf(wishes: LanguageWishes): Language {
  const chosen = negotiateLanguage(wishes, languages);
  return isLanguage(chosen) ? chosen : defaultLocale.defaultValue;
}
