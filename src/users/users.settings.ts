import { isSupportedCountry } from 'libphonenumber-js';
import { boolean, defineSetting, text } from '../platform/settings';

export const rejectCommonPasswords = defineSetting({
  key: 'security.reject_common_passwords',
  defaultValue: true,
  kind: boolean,
  sensitive: true,
});

/**
 * Whether avatars may be at other sites. The host of a picture sees when and from where it is looked at, by
 * administrators too.
 */
export const externalAvatars = defineSetting({
  key: 'security.external_avatars',
  defaultValue: true,
  kind: boolean,
  sensitive: true,
});

/** ISO 3166-1 alpha-2 code of the country of phone numbers written without a country code. */
export const defaultRegion = defineSetting({
  key: 'sms.default_region',
  defaultValue: 'CN',
  kind: text(2, (region) => (isSupportedCountry(region) ? undefined : 'region')),
  guarded: true,
});
