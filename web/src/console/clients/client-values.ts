import type { components } from '../../api/schema';
import { orNull } from '../hooks/changes';
import type { Client } from './client';

type NewClient = components['schemas']['CreateClientDto'];

/** An application during editing. */
export interface ClientValues extends Readonly<
  Pick<
    Client,
    | 'name'
    | 'description'
    | 'logo'
    | 'redirect_uris'
    | 'post_logout_redirect_uris'
    | 'grant_types'
    | 'scopes'
    | 'require_pkce'
    | 'id_token_signed_response_alg'
    | 'id_token_claims'
    | 'introspection_resources'
    | 'first_party'
  >
> {
  readonly backchannel_logout_uri: string;
  readonly organization_id: string;
}

/** Request body. A cleared address or organization is null. Access and claims have their own forms. */
export const clientBody = (values: ClientValues): Required<Omit<NewClient, 'is_public' | 'access' | 'claims'>> => ({
  name: values.name,
  description: orNull(values.description),
  logo: orNull(values.logo),
  redirect_uris: values.redirect_uris,
  post_logout_redirect_uris: values.post_logout_redirect_uris,
  backchannel_logout_uri: orNull(values.backchannel_logout_uri),
  grant_types: values.grant_types,
  scopes: values.scopes,
  require_pkce: values.require_pkce,
  id_token_signed_response_alg: values.id_token_signed_response_alg,
  id_token_claims: values.id_token_claims,
  introspection_resources: values.introspection_resources,
  organization_id: orNull(values.organization_id),
  first_party: values.first_party,
});

export const newClient: ClientValues = {
  name: '',
  description: '',
  logo: '',
  redirect_uris: [],
  post_logout_redirect_uris: [],
  backchannel_logout_uri: '',
  grant_types: ['authorization_code', 'refresh_token'],
  scopes: ['openid', 'profile', 'email'],
  require_pkce: true,
  id_token_signed_response_alg: 'RS256',
  id_token_claims: false,
  introspection_resources: [],
  organization_id: '',
  first_party: false,
};

export interface ClientFieldsProps {
  readonly values: ClientValues;
  readonly isPublic: boolean;
  readonly errors: Readonly<Record<string, string>>;
  readonly editable: boolean;
  /** The page belongs to an organization, where the application stays. */
  readonly isTied?: boolean;
  readonly onChange: (change: Partial<ClientValues>) => void;
}
