import { defineSetting, text } from '../platform/settings';

export const appName = defineSetting({
  key: 'app.name',
  fallback: 'Castellan',
  kind: text(50, (name) => (name.trim() === '' ? 'required' : undefined)),
  public: true,
});

/** An https address or an own path; empty: none. */
export const appLogo = defineSetting({
  key: 'app.logo',
  fallback: '',
  kind: text(500, (logo) => (logo === '' || /^(https:\/\/|\/)[^\s"'<>\\]+$/.test(logo) ? undefined : 'web_address')),
  public: true,
});

export const appPrimaryColor = defineSetting({
  key: 'app.primary_color',
  fallback: '#2f6fed',
  kind: text(7, (color) => (/^#[0-9a-f]{6}$/i.test(color) ? undefined : 'color')),
  public: true,
});
