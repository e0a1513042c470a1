import { Injectable } from '@nestjs/common';
import { LoginAddresses, Upstreams } from '../oauth';
import { keyPrefix, readEvictionPolicy } from '../platform/cache';
import { Environment, EnvironmentError } from '../platform/config';
import { SecretBoxError } from '../platform/crypto';
import { StartupTasks, Transactions } from '../platform/database';
import {
  areCookiesSecure,
  cookieDomain,
  cookiePath,
  cookiePrefix,
  cookieSameSite,
  Issuer,
  ProxyTrust,
} from '../platform/http';
import { Language, Translator } from '../platform/i18n';
import { SettingsReader } from '../platform/settings';
import { MailSetup } from '../verification';
import { DoctorDto } from './doctor.dto';
import {
  Finding,
  judgeClock,
  judgeKeys,
  judgeMail,
  judgeOrigin,
  judgeProxy,
  judgeRedis,
  judgeScheme,
  RedisSight,
} from './findings';

/** A request as it came in, and what was made of it. */
export interface SeenRequest {
  readonly origin: string;
  readonly secure: boolean;
  readonly clientIp: string;
  /** Who holds the other end of the connection. */
  readonly peer: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The origin that the browser shows, where it said so. */
  readonly browserOrigin: string | undefined;
}

const FORWARDING = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'] as const;

/** Looks at what is set up around the service, and says what to do where it does not fit. */
@Injectable()
export class Doctor {
  private readonly trust: ProxyTrust;

  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
    private readonly upstreams: Upstreams,
    private readonly addresses: LoginAddresses,
    private readonly mail: MailSetup,
    private readonly transactions: Transactions,
    private readonly startup: StartupTasks,
    private readonly issuer: Issuer,
    private readonly translator: Translator,
  ) {
    this.trust = ProxyTrust.parse(environment.trustedProxies);
  }

  /** @param request none: on the command line. */
  async examine(request: SeenRequest | undefined, language: Language): Promise<DoctorDto> {
    const origin = request?.origin ?? this.environment.publicUrl;
    const secure = request?.secure ?? this.environment.publicUrl?.startsWith('https:') ?? false;
    const findings = [...this.ofRequest(request), ...(await this.ofSurroundings(secure))];
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
    return [judgeOrigin(origin, browserOrigin), judgeProxy(peer, this.trust.trusts(peer), hasForwarding(request))];
  }

  private async ofSurroundings(secure: boolean): Promise<Finding[]> {
    const { isProduction } = this.environment;
    return [
      judgeScheme(secure, isProduction),
      judgeKeys(await this.areKeysForeign()),
      judgeClock(await this.skewMs()),
      judgeRedis(await this.redis(), isProduction),
      ...(await this.ofMail()),
    ];
  }

  /** An account that cannot be opened is not judged: the finding on keys says why. */
  private async ofMail(): Promise<Finding[]> {
    try {
      return [judgeMail(await this.mail.look())];
    } catch (error) {
      if (error instanceof SecretBoxError) return [];
      throw error;
    }
  }

  private async areKeysForeign(): Promise<boolean> {
    try {
      await this.startup.runChecks();
      return false;
    } catch (error) {
      if (error instanceof EnvironmentError) return true;
      throw error;
    }
  }

  private seen({ origin, clientIp, peer, headers }: SeenRequest): NonNullable<DoctorDto['seen']> {
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

  private async cookies(secure: boolean): Promise<DoctorDto['cookies']> {
    return {
      prefix: await this.settings.get(cookiePrefix),
      path: await this.settings.get(cookiePath),
      domain: await this.settings.get(cookieDomain),
      same_site: await this.settings.get(cookieSameSite),
      secure: areCookiesSecure(this.environment, secure),
      http_only: true,
    };
  }

  private async redirectUris(origin: string | undefined): Promise<DoctorDto['redirect_uris']> {
    if (origin === undefined) return [];
    const providers = await this.upstreams.enabled();
    return providers.map(({ name }) => ({ provider: name, uri: this.addresses.callback(name, origin) }));
  }

  /** Against the middle of the question, whose way there and back take time. */
  private async skewMs(): Promise<number> {
    const before = Date.now();
    const [row] = await this.transactions.manager.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
    const middle = (before + Date.now()) / 2;
    return middle - (row?.now.getTime() ?? middle);
  }

  private async redis(): Promise<RedisSight> {
    const { redisUrl } = this.environment;
    if (redisUrl === undefined) return { kind: 'none' };
    try {
      return { kind: 'up', policy: await readEvictionPolicy(redisUrl, keyPrefix(this.environment)) };
    } catch {
      return { kind: 'away' };
    }
  }

  private inWords({ check, state, outcome, params }: Finding, language: Language): DoctorDto['checks'][number] {
    const text = (key: string): string => this.translator.text(language, 'doctor', `${check}.${key}`, params);
    return { check, state, title: text('title'), detail: text(outcome) };
  }
}

const hasForwarding = ({ headers }: SeenRequest): boolean => FORWARDING.some((name) => headers[name] !== undefined);
