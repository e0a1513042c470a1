import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Environment } from '../config';
import { RequestContext } from '../context';
import { platformErrors } from '../errors';
import { isLanguage, Language, languages } from '../i18n';
import { SettingsReader } from '../settings';
import { clientAddress, limitKey } from './client-address';
import { cleanUserAgent } from './client-device';
import { cookieValues } from './cookies';
import { cookiePrefix, defaultLocale } from './http.settings';
import { findLanguage, negotiateLanguage } from './language';
import { ProxyTrust } from './proxy-trust';
import { PublicOrigin, publicOrigin } from './public-origin';
import { requestIdFrom } from './request-id';

interface TlsSocket {
  readonly encrypted?: boolean;
}

/** Reads from a request what all of the service asks of it: who sent it, to which address, in which language. */
@Injectable()
export class RequestReader {
  private readonly trust: ProxyTrust;

  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
  ) {
    this.trust = ProxyTrust.parse(environment.trustedProxies);
  }

  /** Errors: `validation_failed` on the host, where it is none of the service's own. */
  async read(request: FastifyRequest): Promise<{ context: RequestContext; hostIsOwn: boolean }> {
    const { headers, socket } = request.raw;
    const ip = clientAddress(socket.remoteAddress, headers['x-forwarded-for'], this.trust);
    const origin = this.originOf(request);
    const wish = (request.query as Record<string, unknown> | null)?.['lang'];
    const context: RequestContext = {
      requestId: requestIdFrom(headers['x-request-id']),
      ip,
      limitKey: limitKey(ip),
      userAgent: cleanUserAgent(headers['user-agent']),
      origin: origin ?? { origin: 'http://localhost', secure: false },
      language: await this.languageOf(headers, wish),
      languageIsExplicit: typeof wish === 'string' && findLanguage(wish, languages) !== undefined,
    };
    return { context, hostIsOwn: origin !== undefined };
  }

  refuseHost(): never {
    throw platformErrors.validationFailed({ fields: [{ field: 'Host', code: 'host' }] });
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
    const seen = publicOrigin(source, { ...rules, allowedHosts: effectiveAllowedHosts });
    if (seen ?? publicUrl === undefined) return seen;
    // A probe by address: PUBLIC_URL speaks for the service, so nothing is made from the unknown host.
    const own = new URL(publicUrl).host;
    return publicOrigin({ ...source, hostHeader: own, forwardedHost: undefined }, { ...rules, allowedHosts: [own] });
  }

  private async languageOf(headers: FastifyRequest['headers'], wish: unknown): Promise<Language> {
    const { cookie, fallback } = await this.languageSettings(headers.cookie);
    const chosen = negotiateLanguage(
      {
        query: typeof wish === 'string' ? wish : undefined,
        cookie,
        acceptLanguage: headers['accept-language'],
        fallback,
      },
      languages,
    );
    return isLanguage(chosen) ? chosen : defaultLocale.fallback;
  }

  /** A database that is away must not take the health checks and the error texts with it. */
  private async languageSettings(cookies = ''): Promise<{ cookie: string | undefined; fallback: Language }> {
    try {
      return { cookie: await this.languageCookie(cookies), fallback: await this.settings.get(defaultLocale) };
    } catch {
      return {
        cookie: cookieValues(cookies, languageCookie(cookiePrefix.fallback))[0],
        fallback: defaultLocale.fallback,
      };
    }
  }

  /** Under the name of today, else under one from before the prefix was changed. */
  private async languageCookie(cookies: string): Promise<string | undefined> {
    const [current] = cookieValues(cookies, languageCookie(await this.settings.get(cookiePrefix)));
    if (current !== undefined || !cookies.includes(languageCookie(''))) return current;
    const former = await this.settings.former(cookiePrefix);
    return former.flatMap(({ value }) => cookieValues(cookies, languageCookie(value)))[0];
  }
}

const languageCookie = (prefix: string): string => `${prefix}_lang`;
