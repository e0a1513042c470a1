import { Injectable } from '@nestjs/common';
import { Environment } from '../config';
import { currentRequest } from '../context';
import { ProposedSettings, Setting, SettingCheck, SettingChecks, SettingObjection } from '../settings';
import { areCookiesSecure, checkCookieAttributes, CookieProblem } from './cookies';
import { cookieDomain, cookiePath, cookiePrefix, cookieSameSite } from './http.settings';
import { parseAddress } from './proxy-trust';

const settingOf: Record<CookieProblem['attribute'], Setting<string>> = {
  prefix: cookiePrefix,
  path: cookiePath,
  domain: cookieDomain,
};

/** Where the service's own routes are reached (RFC 6265 §5.1.4). */
const PATHS: readonly string[] = ['/', '/api', '/api/'];
const SECURE_PREFIX = /^__(?:host|secure)-/i;

/**
 * Prefix, path, domain and SameSite go together: a browser would drop every cookie that breaks a rule between them, or
 * never send it here, and nobody could log in to put it right.
 */
@Injectable()
export class CookieSettingsCheck extends SettingCheck {
  readonly watches = [cookiePrefix, cookiePath, cookieDomain, cookieSameSite];

  constructor(
    checks: SettingChecks,
    private readonly environment: Environment,
  ) {
    super();
    checks.add(this);
  }

  async check(proposed: ProposedSettings): Promise<readonly SettingObjection[]> {
    const attributes = {
      prefix: proposed.get(cookiePrefix),
      path: proposed.get(cookiePath),
      domain: proposed.get(cookieDomain),
    };
    const problems = checkCookieAttributes(attributes);
    if (problems.length > 0) return problems.map(({ attribute, code }) => ({ setting: settingOf[attribute], code }));
    return [
      ...(PATHS.includes(attributes.path) ? [] : [{ setting: cookiePath, code: 'cookie_path_unreached' }]),
      ...(await this.checkDomain(attributes.domain.replace(/^\./, '').toLowerCase())),
      ...this.checkSecure(attributes.prefix, proposed),
    ];
  }

  private async checkDomain(domain: string): Promise<SettingObjection[]> {
    const host = this.ownHost();
    if (domain === '' || domain === host) return [];
    if (host !== undefined && !isParent(domain, host)) {
      return [{ setting: cookieDomain, code: 'cookie_domain_foreign', params: { host } }];
    }
    return (await isPublicSuffix(domain)) ? [{ setting: cookieDomain, code: 'cookie_domain_public' }] : [];
  }

  private checkSecure(prefix: string, proposed: ProposedSettings): SettingObjection[] {
    if (this.areSecure()) return [];
    return [
      ...(SECURE_PREFIX.test(prefix) ? [{ setting: cookiePrefix, code: 'cookie_needs_https' }] : []),
      ...(proposed.get(cookieSameSite) === 'none' ? [{ setting: cookieSameSite, code: 'cookie_needs_https' }] : []),
    ];
  }

  /** Undefined where nobody can know: `PUBLIC_URL` is not set, and the change comes from the command line. */
  private ownHost(): string | undefined {
    const origin = this.environment.publicUrl ?? currentRequest()?.origin.origin;
    return origin === undefined ? undefined : new URL(origin).hostname;
  }

  private areSecure(): boolean {
    const isHttps = currentRequest()?.origin.secure ?? this.environment.publicUrl?.startsWith('http:') !== true;
    return areCookiesSecure(this.environment, isHttps);
  }
}

/** A name without a dot is no parent: browsers take no cookie for a whole top-level domain. An address has none at all. */
const isParent = (domain: string, host: string): boolean =>
  domain.includes('.') && host.endsWith(`.${domain}`) && parseAddress(host) === undefined;

/** Whether everybody registers names below it, as below `co.uk`: browsers take no cookie for those (RFC 6265 §5.3, 5). */
async function isPublicSuffix(domain: string): Promise<boolean> {
  // The list of suffixes is large, and asked only when an administrator changes the domain.
  const { getPublicSuffix } = await import('tldts');
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
}
