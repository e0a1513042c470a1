import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyBlock } from '../components/copy-block';
import type { Client } from './client';
import type { ClientKind } from './client-kind';

type Shown = Pick<Client, 'client_id' | 'redirect_uris' | 'scopes'>;

/** The configuration of a usual library for the kind, with the values of the application. */
const snippets: Readonly<Record<ClientKind, { readonly library: string; readonly of: (client: Shown) => string }>> = {
  page: {
    library: 'oidc-client-ts',
    of: (client) => String.raw`import { UserManager } from 'oidc-client-ts';

export const users = new UserManager({
  authority: '${location.origin}',
  client_id: '${client.client_id}',
  redirect_uri: '${redirectOf(client)}',
  scope: '${client.scopes.join(' ')}',
});
// On the login button: users.signinRedirect(). On the redirect address: users.signinCallback().`,
  },
  native: {
    library: 'react-native-app-auth',
    of: (client) => String.raw`import { authorize } from 'react-native-app-auth';

const login = await authorize({
  issuer: '${location.origin}',
  clientId: '${client.client_id}',
  redirectUrl: '${redirectOf(client)}',
  scopes: ${JSON.stringify(client.scopes)},
});`,
  },
  web: {
    library: 'openid-client',
    of: (client) => String.raw`import * as oidc from 'openid-client';

const authentication = oidc.ClientSecretBasic(process.env.CLIENT_SECRET);
const issuer = new URL('${location.origin}');
const config = await oidc.discovery(issuer, '${client.client_id}', undefined, authentication);
const verifier = oidc.randomPKCECodeVerifier();
const login = oidc.buildAuthorizationUrl(config, {
  redirect_uri: '${redirectOf(client)}',
  scope: '${client.scopes.join(' ')}',
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
});
// On the redirect address: oidc.authorizationCodeGrant(config, url, { pkceCodeVerifier: verifier }).`,
  },
  machine: {
    library: 'curl',
    of: (client) => String.raw`curl -u "${client.client_id}:$CLIENT_SECRET" \
  -d grant_type=client_credentials \
  ${location.origin}/api/oauth/token`,
  },
};

/** As the inside of a JavaScript string. */
const redirectOf = ({ redirect_uris: [first = ''] }: Shown): string => first.replaceAll("'", "\\'");

interface ClientSnippetProps {
  readonly kind: ClientKind;
  readonly client: Shown;
}

/** Code to begin with. The secret is not in it. */
export default function ClientSnippet({ kind, client }: ClientSnippetProps): ReactNode {
  const { t } = useTranslation();
  const { library, of } = snippets[kind];
  return <CopyBlock title={t('clients.snippet', { library })} name={library} text={of(client)} />;
}
