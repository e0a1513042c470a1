import { fallbackLanguage, languages } from '../i18n';
import { boolean, choice, defineSetting, integer, text, textList } from '../settings';
import { checkCookieAttributes, isCookiePrefix, SameSite } from './cookies';

function checkOrigin(value: string): string | undefined {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
  return isWeb && parsed.origin === value ? undefined : 'origin';
}

export const defaultLocale = defineSetting({
  key: 'app.default_locale',
  fallback: fallbackLanguage,
  kind: choice(languages),
  public: true,
});

/** Other origins whose pages may call the API with the user's cookies. */
export const allowedOrigins = defineSetting<readonly string[]>({
  key: 'security.allowed_origins',
  fallback: [],
  kind: textList(100, checkOrigin),
  sensitive: true,
});

export const rateLimitsEnabled = defineSetting({
  key: 'security.rate_limits_enabled',
  fallback: true,
  kind: boolean,
  sensitive: true,
});

export const cookiePrefix = defineSetting({
  key: 'jwt.cookie_prefix',
  fallback: 'iam',
  kind: text(64, (prefix) => (isCookiePrefix(prefix) ? undefined : 'cookie_prefix')),
  sensitive: true,
});

export const cookiePath = defineSetting({
  key: 'jwt.cookie_path',
  fallback: '/',
  kind: text(256, (path) => checkCookieAttributes({ prefix: 'iam', path })[0]?.code),
  sensitive: true,
});

/** Empty: the cookie belongs to the very host. */
export const cookieDomain = defineSetting({
  key: 'jwt.cookie_domain',
  fallback: '',
  kind: text(253, (domain) =>
    domain === '' ? undefined : checkCookieAttributes({ prefix: 'iam', path: '/', domain })[0]?.code,
  ),
  sensitive: true,
});

export const cookieSameSite = defineSetting<SameSite>({
  key: 'jwt.cookie_same_site',
  fallback: 'lax',
  kind: choice(['lax', 'strict', 'none']),
  sensitive: true,
});

const perWindow = (key: string, fallback: number) =>
  defineSetting({ key, fallback, kind: integer({ minimum: 1, maximum: 1_000_000 }), sensitive: true });

export const registerPerHourPerAddress = perWindow('rate.register_per_hour_ip', 60);
export const searchPerMinutePerUser = perWindow('rate.search_per_minute_user', 60);
export const refreshPerMinutePerSession = perWindow('rate.refresh_per_minute_session', 60);
export const adminWritesPerMinutePerUser = perWindow('rate.admin_writes_per_minute_user', 600);
export const passkeyOptionsPerMinutePerAddress = perWindow('rate.passkey_options_per_minute_ip', 60);
export const passkeyOptionsPerMinutePerUser = perWindow('rate.passkey_options_per_minute_user', 30);
