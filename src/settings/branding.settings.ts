import { boolean, defineSetting, Setting, text } from '../platform/settings';

/** The service's name in its pages and messages. */
export const appName = defineSetting({
  key: 'app.name',
  defaultValue: 'Castellan',
  kind: text(50, (name) => (name.trim() === '' ? 'required' : undefined)),
  public: true,
});

const ADDRESS = /^(?:https:\/\/[^/?#]|\/(?!\/))[^\s"'<>\\]+$/;

/** Rejects a leading `//`, which browsers read as the start of another host. */
function checkAddress(address: string): string | undefined {
  if (address === '') return undefined;
  const { username, password } = URL.canParse(address) ? new URL(address) : { username: '', password: '' };
  const isWritten = ADDRESS.test(address) && URL.canParse(address, 'https://own.invalid');
  return isWritten && username + password === '' ? undefined : 'web_address';
}

/** An https URL or a path of this service. Empty means no logo. */
export const appLogo = defineSetting({
  key: 'app.logo',
  defaultValue: '',
  kind: text(500, checkAddress),
  public: true,
});

export const appPrimaryColor = defineSetting({
  key: 'app.primary_color',
  defaultValue: '#2f6fed',
  kind: text(7, (color) => (/^#[0-9a-f]{6}$/i.test(color) ? undefined : 'color')),
  public: true,
});

/**
 * A page that the login pages link to: an https URL or a path of this service. Empty means no link. Sensitive, because
 * users believe where a login page leads them.
 */
const linkedPage = (key: string): Setting<string> =>
  defineSetting({ key, defaultValue: '', kind: text(500, checkAddress), public: true, sensitive: true });

export const appTerms = linkedPage('app.terms');
export const appPrivacy = linkedPage('app.privacy');
export const appSupport = linkedPage('app.support');

/** The admin pages show the setup steps until this is true. */
export const appSetupFinished = defineSetting({ key: 'app.setup_finished', defaultValue: false, kind: boolean });
