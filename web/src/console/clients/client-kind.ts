import type { Client } from './client';
import type { ClientValues } from './client-values';

/** A kind of application, by what decides its grants: whether it keeps a secret, and whether users log in. */
export const clientKinds = ['page', 'native', 'web', 'machine'] as const;
export type ClientKind = (typeof clientKinds)[number];

export const isClientKind = (text: string): text is ClientKind => clientKinds.some((kind) => kind === text);

/** Pages and native apps run on the user's device, where a secret does not stay one. */
export const isPublicKind = (kind: ClientKind): boolean => kind === 'page' || kind === 'native';

/** The kind that an application of today would be registered as. */
export function kindOf({ is_public, grant_types, redirect_uris }: Client): ClientKind {
  if (!is_public) return grant_types.includes('authorization_code') ? 'web' : 'machine';
  return redirect_uris.every((uri) => /^https?:/.test(uri)) ? 'page' : 'native';
}

const IDENTITY = ['openid', 'profile', 'email'];
const LOGIN: ClientValues['grant_types'] = ['authorization_code', 'refresh_token'];

/** What the kind presets. Addresses and names stay as they were entered. */
export const presetOf: Readonly<Record<ClientKind, Pick<ClientValues, 'grant_types' | 'scopes'>>> = {
  page: { grant_types: LOGIN, scopes: IDENTITY },
  native: { grant_types: LOGIN, scopes: [...IDENTITY, 'offline_access'] },
  web: { grant_types: LOGIN, scopes: IDENTITY },
  machine: { grant_types: ['client_credentials'], scopes: [] },
};
