import { checkCustomCss, checkWebAddress } from '../platform/page-checks';
import { boolean, choice, defineSetting, integer, multilineText, Setting, text } from '../platform/settings';

/** The service's name in its pages and messages. */
export const appName = defineSetting({
  key: 'app.name',
  defaultValue: 'Castellan',
  kind: text(50, (name) => (name.trim() === '' ? 'required' : undefined)),
  public: true,
  sensitive: false,
});

/**
 * An https URL or a path of this service. Empty means no picture. Sensitive, because the host of the picture sees who
 * opens a login page, and for the logo a mail.
 */
const picture = (key: string, { guarded = false } = {}): Setting<string> =>
  defineSetting({ key, defaultValue: '', kind: text(500, checkWebAddress), public: true, sensitive: true, guarded });

export const appLogo = picture('app.logo');

/** Replaces the logo in dark mode. Empty means that the logo fits both. */
export const appLogoDark = picture('app.logo_dark');

/** Empty means the first letter of the name on the main colour. */
export const appFavicon = picture('app.favicon');

const checkColor = (color: string): string | undefined => (/^#[0-9a-f]{6}$/i.test(color) ? undefined : 'color');

export const appPrimaryColor = defineSetting({
  key: 'app.primary_color',
  defaultValue: '#2f6fed',
  kind: text(7, checkColor),
  public: true,
  sensitive: false,
});

/** Of fields and buttons, in CSS pixels. */
export const appCornerRadius = defineSetting({
  key: 'app.corner_radius',
  defaultValue: 8,
  kind: integer({ minimum: 0, maximum: 24 }),
  public: true,
  sensitive: false,
});

/** CSS font families that systems have, so that login pages load no font. */
const FONTS = [
  'system-ui',
  'sans-serif',
  'serif',
  'ui-rounded',
  'ui-serif',
  'monospace',
  'Arial',
  'Georgia',
  'Tahoma',
  'Trebuchet MS',
  'Verdana',
] as const;

export const appFont = defineSetting({
  key: 'app.font',
  defaultValue: 'system-ui',
  kind: choice<string>(FONTS),
  public: true,
  sensitive: false,
});

/** Behind the login pages. Empty means the colours of light and dark mode. */
export const appBackgroundColor = defineSetting({
  key: 'app.background_color',
  defaultValue: '',
  kind: text(7, (color) => (color === '' ? undefined : checkColor(color))),
  public: true,
  sensitive: false,
});

/** Guarded: it covers the whole login page, so it could show users a false one. */
export const appBackgroundImage = picture('app.background_image', { guarded: true });

const MAX_CUSTOM_CSS = 10_000;

/** Guarded: it can hide and replace anything on a login page, for example what an application asks consent for. */
export const appCustomCss = defineSetting({
  key: 'app.custom_css',
  defaultValue: '',
  kind: multilineText(MAX_CUSTOM_CSS, checkCustomCss),
  guarded: true,
});

/**
 * A page that the login pages link to: an https URL or a path of this service. Empty means no link. Sensitive, because
 * users believe where a login page leads them.
 */
const linkedPage = (key: string): Setting<string> =>
  defineSetting({ key, defaultValue: '', kind: text(500, checkWebAddress), public: true, sensitive: true });

export const appTerms = linkedPage('app.terms');
export const appPrivacy = linkedPage('app.privacy');
export const appSupport = linkedPage('app.support');

/** The admin pages show the setup steps until this is true. */
export const appSetupFinished = defineSetting({
  key: 'app.setup_finished',
  defaultValue: false,
  kind: boolean,
  sensitive: false,
});
