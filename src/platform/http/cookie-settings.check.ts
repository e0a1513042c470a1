import { Injectable, OnModuleInit } from '@nestjs/common';
import { Environment } from '../config';
import { currentRequest } from '../context';
import { SettingsDraft, Setting, SettingsValidator, SettingsValidators, SettingViolation } from '../settings';
import { CookieScope, sessionCookiePrefix } from './cookie-names';
import { areCookiesSecure, checkCookieAttributes, CookieProblem } from './cookies';
import { cookieDomain, cookiePath, cookiePrefix, cookieSameSite } from './http.settings';
import { parseAddress } from './proxy-trust';

const settingOf: Record<CookieProblem['attribute'], Setting<string>> = {
  prefix: cookiePrefix,
  path: cookiePath,
  domain: cookieDomain,
};

/** Cookie paths that include our own routes (RFC 6265 §5.1.4). */
const PATHS: readonly string[] = ['/', '/api', '/api/'];
const SECURE_PREFIX = /^__(?:host|secure)-/i;

/**
 * Validates prefix, path, domain and SameSite together. A browser would drop or never send cookies that break a rule
 * between them, and no administrator could log in to fix it.
 */
@Injectable()
export class CookieSettingsCheck extends SettingsValidator implements OnModuleInit {
  readonly watches = [cookiePrefix, cookiePath, cookieDomain, cookieSameSite];

  constructor(
    private readonly checks: SettingsValidators,
    private readonly environment: Environment,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.add(this);
  }

  async check(proposed: SettingsDraft): Promise<readonly SettingViolation[]> {
    const attributes = {
      prefix: proposed.get(cookiePrefix),
      path: proposed.get(cookiePath),
      domain: proposed.get(cookieDomain),
    };
    const prefix = this.effectivePrefix(attributes);
    const problems = checkCookieAttributes({ ...attributes, prefix });
    if (problems.length > 0) return problems.map(({ attribute, code }) => ({ setting: settingOf[attribute], code }));
    return [
      ...(PATHS.includes(attributes.path) ? [] : [{ setting: cookiePath, code: 'cookie_path_unreached' }]),
      ...(await this.checkDomain(attributes.domain.replace(/^\./, '').toLowerCase())),
      ...this.checkSecure(prefix, proposed),
    ];
  }

  /** The production default adapts to path and domain. Any other prefix with `__Host-` is rejected beside them. */
  private effectivePrefix(scope: CookieScope): string {
    return sessionCookiePrefix(scope, this.environment, this.isHttps());
  }

  private async checkDomain(domain: string): Promise<SettingViolation[]> {
    const host = this.ownHost();
    if (domain === '' || domain === host) return [];
    if (host !== undefined && !isParent(domain, host)) {
      return [{ setting: cookieDomain, code: 'cookie_domain_foreign', params: { host } }];
    }
    return (await isPublicSuffix(domain)) ? [{ setting: cookieDomain, code: 'cookie_domain_public' }] : [];
  }

  private checkSecure(prefix: string, proposed: SettingsDraft): SettingViolation[] {
    if (areCookiesSecure(this.environment, this.isHttps())) return [];
    return [
      ...(SECURE_PREFIX.test(prefix) ? [{ setting: cookiePrefix, code: 'cookie_needs_https' }] : []),
      ...(proposed.get(cookieSameSite) === 'none' ? [{ setting: cookieSameSite, code: 'cookie_needs_https' }] : []),
    ];
  }

  /** Undefined if unknown: `PUBLIC_URL` is not set, and the change comes from the command line. */
  private ownHost(): string | undefined {
    const origin = this.environment.publicUrl ?? currentRequest()?.origin.origin;
    return origin === undefined ? undefined : new URL(origin).hostname;
  }

  private isHttps(): boolean {
    return currentRequest()?.origin.secure ?? this.environment.publicUrl?.startsWith('http:') !== true;
  }
}

/** Browsers accept no cookie for a top-level domain, and an IP address has no parent domain. */
const isParent = (domain: string, host: string): boolean =>
  domain.includes('.') && host.endsWith(`.${domain}`) && parseAddress(host) === undefined;

/** Whether it is a public suffix, such as `co.uk`, for which browsers accept no cookie (RFC 6265 §5.3, step 5). */
async function isPublicSuffix(domain: string): Promise<boolean> {
  // The list of suffixes is large and needed only when an administrator changes the domain.
  const { getPublicSuffix } = await import('tldts');
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
}
