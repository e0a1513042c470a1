import { boolean, defineSetting } from '../settings';

/** Login providers in the own network: private addresses, and http to those. */
export const allowPrivateProviders = defineSetting({
  key: 'security.allow_private_providers',
  defaultValue: false,
  defaultOutsideProduction: true,
  kind: boolean,
  guarded: true,
});
