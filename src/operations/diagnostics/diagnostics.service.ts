import { Injectable } from '@nestjs/common';
import { LoginAddressesService, IdentityProviderRegistry } from '../../oauth';
import { Environment } from '../../platform/config';
import {
  areCookiesSecure,
  cookieDomain,
  cookiePath,
  cookiePrefix,
  cookieSameSite,
  sessionCookiePrefix,
  IssuerService,
  ProxyTrust,
} from '../../platform/http';
import { Language, TranslatorService } from '../../platform/i18n';
import { SettingsReader } from '../../platform/settings';
import { DiagnosticsDto } from './diagnostics.dto';
import { Finding, evaluateOrigin, evaluateProxy } from './findings';
import { DeploymentProbeService } from './deployment-probe.service';

/** A request as it arrived, and what the service made of it. */
export interface SeenRequest {
  readonly origin: string;
  readonly secure: boolean;
  readonly clientIp: string;
  /** The address at the other end of the connection. */
  readonly peer: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The origin in the browser's address bar, if the request names it. */
  readonly browserOrigin: string | undefined;
}

const FORWARDING = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'] as const;

/** Checks the deployment of the service and explains what to change. */
@Injectable()
export class DiagnosticsService {
  private readonly trust: ProxyTrust;

  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
    private readonly identityProviders: IdentityProviderRegistry,
    private readonly addresses: LoginAddressesService,
    private readonly surroundings: DeploymentProbeService,
    private readonly issuer: IssuerService,
    private readonly translator: TranslatorService,
  ) {
    this.trust = ProxyTrust.parse(environment.trustedProxies);
  }

  /** @param request undefined on the command line. */
  async examine(request: SeenRequest | undefined, language: Language): Promise<DiagnosticsDto> {
    const origin = request?.origin ?? this.environment.publicUrl;
    const secure = request?.secure ?? this.environment.publicUrl?.startsWith('https:') ?? false;
    const findings = [...this.ofRequest(request), ...(await this.surroundings.look(secure))];
    return {
      seen: request ? this.seen(request) : null,
      cookies: await this.cookies(secure),
      issuer: this.issuer.url,
      redirect_uris: await this.redirectUris(origin),
      checks: findings.map((found) => this.inWords(found, language)),
    };
  }

  private ofRequest(request: SeenRequest | undefined): Finding[] {
    if (!request) return [];
    const { origin, browserOrigin, peer } = request;
    return [
      evaluateOrigin(origin, browserOrigin),
      evaluateProxy(peer, this.trust.trusts(peer), hasForwarding(request)),
    ];
  }

  private seen({ origin, clientIp, peer, headers }: SeenRequest): NonNullable<DiagnosticsDto['seen']> {
    const isTrusted = this.trust.trusts(peer);
    const of = (header: string, otherwise: string): string =>
      isTrusted && headers[header] !== undefined ? header : otherwise;
    const fixed = this.environment.publicUrl === undefined ? undefined : 'PUBLIC_URL';
    const { protocol, hostname, port } = new URL(origin);
    return {
      origin,
      scheme: protocol.slice(0, -1),
      scheme_from: fixed ?? of('x-forwarded-proto', 'connection'),
      host: hostname,
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      host_from: fixed ?? of('x-forwarded-host', 'host'),
      client_ip: clientIp,
      client_ip_from: of('x-forwarded-for', 'connection'),
      peer,
    };
  }

  private async cookies(secure: boolean): Promise<DiagnosticsDto['cookies']> {
    const prefix = await this.settings.get(cookiePrefix);
    const path = await this.settings.get(cookiePath);
    const domain = await this.settings.get(cookieDomain);
    return {
      prefix: sessionCookiePrefix({ prefix, path, domain }, this.environment, secure),
      path,
      domain,
      same_site: await this.settings.get(cookieSameSite),
      secure: areCookiesSecure(this.environment, secure),
      http_only: true,
    };
  }

  private async redirectUris(origin: string | undefined): Promise<DiagnosticsDto['redirect_uris']> {
    if (origin === undefined) return [];
    const providers = await this.identityProviders.enabled();
    return providers.map(({ name }) => ({ provider: name, uri: this.addresses.callback(name, origin) }));
  }

  private inWords({ check, state, outcome, params }: Finding, language: Language): DiagnosticsDto['checks'][number] {
    const text = (key: string): string => this.translator.text(language, 'doctor', `${check}.${key}`, params);
    return { check, state, title: text('title'), detail: text(outcome) };
  }
}

const hasForwarding = ({ headers }: SeenRequest): boolean => FORWARDING.some((name) => headers[name] !== undefined);
