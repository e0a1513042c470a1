import { boolean, defineSetting, text } from '../platform/settings';

/** The service's name, on its pages and in its messages. */
export const appName = defineSetting({
  key: 'app.name',
  defaultValue: 'Castellan',
  kind: text(50, (name) => (name.trim() === '' ? 'required' : undefined)),
  public: true,
});

const ADDRESS = /^(?:https:\/\/[^/?#]|\/(?!\/))[^\s"'<>\\]+$/;

/** Browsers take what begins with two slashes for another host. */
function checkLogo(logo: string): string | undefined {
  if (logo === '') return undefined;
  const { username, password } = URL.canParse(logo) ? new URL(logo) : { username: '', password: '' };
  const isWritten = ADDRESS.test(logo) && URL.canParse(logo, 'https://own.invalid');
  return isWritten && username + password === '' ? undefined : 'web_address';
}

/** An https address or an own path; empty: none. */
export const appLogo = defineSetting({
  key: 'app.logo',
  defaultValue: '',
  kind: text(500, checkLogo),
  public: true,
});

export const appPrimaryColor = defineSetting({
  key: 'app.primary_color',
  defaultValue: '#2f6fed',
  kind: text(7, (color) => (/^#[0-9a-f]{6}$/i.test(color) ? undefined : 'color')),
  public: true,
});

/** Read by the pages of administration, which lead through the first steps until it is set. */
export const appSetupFinished = defineSetting({ key: 'app.setup_finished', defaultValue: false, kind: boolean });
