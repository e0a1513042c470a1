// A program that calls the API for a user: authorization code with PKCE (RFC 6749 §4.1, RFC 7636), with openid-client.
import { once } from 'node:events';
import { createServer } from 'node:http';
import * as oidc from 'openid-client';

const { ISSUER = 'http://127.0.0.1:4000', API = 'http://127.0.0.1:4500', CLIENT_ID, CLIENT_SECRET } = process.env;
const { RESOURCE: resource = 'urn:castellan:billing', SCOPE = 'billing:invoice:read', PORT = '4600' } = process.env;
const redirect_uri = `http://127.0.0.1:${PORT}/callback`;
if (!CLIENT_ID || !CLIENT_SECRET) {
  console.error('Set CLIENT_ID and CLIENT_SECRET to those of a client in Castellan: see the README.');
  process.exit(1);
}
// Plain http is for a service on this machine only.
const execute = new URL(ISSUER).protocol === 'http:' ? [oidc.allowInsecureRequests] : [];

const listener = createServer();
listener.listen(Number(PORT), '127.0.0.1');
await once(listener, 'listening');

// <authorize>
const authentication = oidc.ClientSecretBasic(CLIENT_SECRET);
const config = await oidc.discovery(new URL(ISSUER), CLIENT_ID, undefined, authentication, { execute });
const [pkceCodeVerifier, expectedState] = [oidc.randomPKCECodeVerifier(), oidc.randomState()];
const url = oidc.buildAuthorizationUrl(config, {
  redirect_uri,
  resource, // the API, here (RFC 8707 §2.1) …
  scope: `openid ${SCOPE}`,
  code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
});
// </authorize>
console.log(`Open ${url}`);

const [request, response] = await once(listener, 'request');
response.end('You can close this page.');
listener.close();
const callback = new URL(request.url, redirect_uri);

// <exchange>
const checks = { pkceCodeVerifier, expectedState };
const tokens = await oidc.authorizationCodeGrant(config, callback, checks, { resource }); // … and here (§2.2)
// </exchange>

const answer = await fetch(`${API}/invoices`, { headers: { authorization: `Bearer ${tokens.access_token}` } });
console.log(answer.status, await answer.text());
