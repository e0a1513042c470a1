import { Injectable } from '@nestjs/common';
import { Environment } from '../config';
import { currentRequest } from '../context';
import { ProposedSettings, Setting, SettingCheck, SettingChecks, SettingObjection } from '../settings';
import { areCookiesSecure, checkCookieAttributes, CookieProblem } from './cookies';
import { cookieDomain, cookiePath, cookiePrefix, cookieSameSite } from './http.settings';

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
      ...this.checkDomain(attributes.domain),
      ...this.checkSecure(attributes.prefix, proposed),
    ];
  }

  private checkDomain(domain: string): SettingObjection[] {
    const host = this.ownHost();
    if (domain === '' || host === undefined || isOwnOrParent(domain.replace(/^\./, '').toLowerCase(), host)) return [];
    return [{ setting: cookieDomain, code: 'cookie_domain_foreign', params: { host } }];
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

/** A name without a dot is no parent: browsers take no cookie for a whole top-level domain. */
function isOwnOrParent(domain: string, host: string): boolean {
  return domain === host || (domain.includes('.') && host.endsWith(`.${domain}`));
}
