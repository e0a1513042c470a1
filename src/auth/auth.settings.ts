import { boolean, defineSetting } from '../platform/settings';

export const registrationEnabled = defineSetting({
  key: 'register.enabled',
  fallback: true,
  kind: boolean,
  public: true,
  sensitive: true,
});

export const emailCodeRequired = defineSetting({
  key: 'register.email_code_required',
  fallback: false,
  kind: boolean,
  public: true,
  sensitive: true,
});

export const phoneCodeRequired = defineSetting({
  key: 'register.phone_code_required',
  fallback: false,
  kind: boolean,
  public: true,
  sensitive: true,
});

/** A changed contact without a code is kept, unverified; with this it is refused. */
export const contactCodeRequired = defineSetting({
  key: 'profile.contact_code_required',
  fallback: false,
  kind: boolean,
  sensitive: true,
});
