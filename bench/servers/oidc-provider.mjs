/*
 * oidc-provider on PostgreSQL, or with its records in memory (--memory), with refresh token rotation. Two routes take the place of a login: POST /mint creates a
 * grant and its first refresh token, POST /mint-code a grant and an authorization code.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { MemoryRecords, postgresRecords } from './oidc-records.mjs';

const port = Number(process.env.PORT);
const adapter = process.argv.includes('--memory') ? MemoryRecords : await postgresRecords();

const REDIRECT_URI = 'https://app.example.com/callback';
const client = {
  client_id: 'bench',
  client_secret: 'bench-secret',
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  redirect_uris: [REDIRECT_URI],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_post',
};
const jwkOf = (...kind) => generateKeyPairSync(...kind).privateKey.export({ format: 'jwk' });
const keys = [jwkOf('rsa', { modulusLength: 2_048 }), jwkOf('ec', { namedCurve: 'P-256' })];
const resourceServer = { scope: 'role:read', accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } };
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter,
  clients: [client],
  jwks: { keys: keys.map((key) => ({ ...key, use: 'sig' })) },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: { enabled: true, getResourceServerInfo: () => resourceServer },
  },
  scopes: ['openid', 'offline_access', 'role:read'],
  rotateRefreshToken: true,
  findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
});

let accounts = 0;
async function granted(scope) {
  const accountId = `account${++accounts}`;
  const grant = new provider.Grant({ accountId, clientId: client.client_id });
  grant.addOIDCScope(scope);
  return {
    accountId,
    client: await provider.Client.find(client.client_id),
    grantId: await grant.save(),
    scope,
    authTime: Math.floor(Date.now() / 1_000),
    claims: {},
    sessionUid: accountId,
  };
}

async function mint() {
  const token = new provider.RefreshToken({
    ...(await granted('openid offline_access')),
    gty: 'authorization_code',
  });
  return JSON.stringify({ refresh_token: await token.save() });
}

async function mintCode(url) {
  const code = new provider.AuthorizationCode({
    ...(await granted('openid')),
    redirectUri: REDIRECT_URI,
    codeChallenge: new URL(url, 'http://127.0.0.1').searchParams.get('code_challenge'),
    codeChallengeMethod: 'S256',
  });
  return JSON.stringify({ code: await code.save() });
}

const protocol = provider.callback();
createServer((request, response) => {
  if (request.url === '/ready') response.end('ok');
  else if (!request.url.startsWith('/mint')) protocol(request, response);
  else
    (request.url === '/mint' ? mint() : mintCode(request.url)).then(
      (text) => response.end(text),
      (error) => response.writeHead(500).end(String(error)),
    );
}).listen(port, '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
