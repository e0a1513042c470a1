import { boolean, defineSetting } from '../settings';

/** Allows login providers in the private network, also over http. */
export const allowPrivateProviders = defineSetting({
  key: 'security.allow_private_providers',
  defaultValue: false,
  defaultOutsideProduction: true,
  kind: boolean,
  guarded: true,
});
