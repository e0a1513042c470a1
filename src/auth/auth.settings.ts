import { boolean, defineSetting, text } from '../platform/settings';
import { USER_ROLE } from '../rbac';

export const registrationEnabled = defineSetting({
  key: 'register.enabled',
  fallback: true,
  kind: boolean,
  public: true,
  sensitive: true,
});

/** Name of a role of the service's own scope. */
export const defaultRole = defineSetting({
  key: 'register.default_role',
  fallback: USER_ROLE,
  kind: text(50, (name) => (/^[A-Za-z0-9_.-]{2,50}$/.test(name) ? undefined : 'role_name')),
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
