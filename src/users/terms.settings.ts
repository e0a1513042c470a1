import { boolean, defineSetting, text } from '../platform/settings';

/** As long as the column of the user that keeps it. */
export const MAX_TERMS_VERSION = 50;

/** Names the current terms and privacy policy. A new value means new terms. Empty means that there are none. */
export const termsVersion = defineSetting({
  key: 'register.terms_version',
  defaultValue: '',
  kind: text(MAX_TERMS_VERSION, (version) => (version === version.trim() ? undefined : 'trimmed')),
  public: true,
  sensitive: true,
});

/** Whether a registration must accept the current terms. */
export const termsRequired = defineSetting({
  key: 'register.terms_required',
  defaultValue: false,
  kind: boolean,
  public: true,
  sensitive: true,
});

/** Whether users who have not accepted the current terms must do so before anything else. */
export const termsAtLogin = defineSetting({
  key: 'register.terms_at_login',
  defaultValue: false,
  kind: boolean,
  public: true,
  sensitive: true,
});
