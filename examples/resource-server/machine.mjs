// A program that calls the API for itself: client credentials (RFC 6749 §4.4), with oauth4webapi.
import * as oauth from 'oauth4webapi';

const { ISSUER = 'http://127.0.0.1:4000', API = 'http://127.0.0.1:4500', CLIENT_ID, CLIENT_SECRET } = process.env;
const { RESOURCE = 'urn:castellan:billing', SCOPE = 'billing:invoice:read' } = process.env;
if (!CLIENT_ID || !CLIENT_SECRET) {
  console.error('Set CLIENT_ID and CLIENT_SECRET to those of a client in Castellan: see the README.');
  process.exit(1);
}
// Plain http is for a service on this machine only.
const options = { [oauth.allowInsecureRequests]: new URL(ISSUER).protocol === 'http:' };

// <request>
const issuer = new URL(ISSUER);
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
const client = { client_id: CLIENT_ID };
const response = await oauth.clientCredentialsGrantRequest(
  server,
  client,
  oauth.ClientSecretBasic(CLIENT_SECRET),
  { resource: RESOURCE, scope: SCOPE },
  options,
);
const { access_token } = await oauth.processClientCredentialsResponse(server, client, response);
// </request>

const answer = await fetch(`${API}/invoices`, { headers: { authorization: `Bearer ${access_token}` } });
console.log(answer.status, await answer.text());
