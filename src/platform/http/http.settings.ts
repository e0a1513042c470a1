import { fallbackLanguage, languages } from '../i18n';
import { boolean, choice, defineSetting, text, textList } from '../settings';
import { checkCookieAttributes, isCookiePrefix, SameSite } from './cookies';

function checkOrigin(value: string): string | undefined {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
  return isWeb && parsed.origin === value ? undefined : 'origin';
}

export const defaultLocale = defineSetting({
  key: 'app.default_locale',
  defaultValue: fallbackLanguage,
  kind: choice(languages),
  public: true,
  sensitive: false,
});

/** Other origins whose pages may call the API with the user's cookies. */
export const allowedOrigins = defineSetting<readonly string[]>({
  key: 'security.allowed_origins',
  defaultValue: [],
  kind: textList(100, checkOrigin),
  guarded: true,
});

/** One switch for all limits `rate.*`, also for those that protect other users, such as of invitations. */
export const rateLimitsEnabled = defineSetting({
  key: 'security.rate_limits_enabled',
  defaultValue: true,
  kind: boolean,
  guarded: true,
});

/** RFC 6797 §6.1.2: browsers then use https for all subdomains, for a year. */
export const hstsIncludesSubdomains = defineSetting({
  key: 'security.hsts_include_subdomains',
  defaultValue: false,
  kind: boolean,
  sensitive: true,
});

/** Older databases have `iam` stored from before the default got `__Host-`, so that their cookies keep their names. */
export const cookiePrefix = defineSetting({
  key: 'jwt.cookie_prefix',
  defaultValue: '__Host-iam',
  defaultOutsideProduction: 'iam',
  kind: text(64, (prefix) => (isCookiePrefix(prefix) ? undefined : 'cookie_prefix')),
  guarded: true,
});

export const cookiePath = defineSetting({
  key: 'jwt.cookie_path',
  defaultValue: '/',
  kind: text(256, (path) => checkCookieAttributes({ prefix: 'iam', path })[0]?.code),
  guarded: true,
});

/** Empty: this host only. The refresh cookie has it only with `jwt.share_refresh_cookie`. */
export const cookieDomain = defineSetting({
  key: 'jwt.cookie_domain',
  defaultValue: '',
  kind: text(253, (domain) =>
    domain === '' ? undefined : checkCookieAttributes({ prefix: 'iam', path: '/', domain })[0]?.code,
  ),
  guarded: true,
});

/** For several hosts of the domain that all lead to this service. Other services would receive refresh tokens. */
export const shareRefreshCookie = defineSetting({
  key: 'jwt.share_refresh_cookie',
  defaultValue: false,
  kind: boolean,
  guarded: true,
});

export const cookieSameSite = defineSetting<SameSite>({
  key: 'jwt.cookie_same_site',
  defaultValue: 'lax',
  kind: choice(['lax', 'strict', 'none']),
  guarded: true,
});
