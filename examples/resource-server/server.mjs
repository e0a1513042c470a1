// An API for callers with an access token of Castellan: a JWT as RFC 9068 defines it.
import { createServer } from 'node:http';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';

const { ISSUER = 'http://127.0.0.1:4000', AUDIENCE = 'urn:castellan:billing', PORT = '4500' } = process.env;
const SERVICE = AUDIENCE.replace('urn:castellan:', '');
const invoices = [{ id: '4711', total: '12.50' }];

// <verify>
const keys = createRemoteJWKSet(new URL(`${ISSUER}/.well-known/jwks.json`));

/** Returns the claims of a valid access token for this API. */
async function claimsOf(token) {
  const { payload } = await jwtVerify(token, keys, {
    issuer: ISSUER, // issued by this Castellan
    audience: AUDIENCE, // for this API, not for another one
    typ: 'at+jwt', // an access token, not an ID token
    algorithms: ['ES256'],
    requiredClaims: ['exp', 'sub', 'client_id'], // `exp` is only checked if it exists
  });
  return payload;
}
// </verify>

// <authorize>
class Rejected extends Error {
  constructor(status, challenge) {
    super(`${status}`);
    this.status = status;
    this.headers = challenge === undefined ? {} : { 'www-authenticate': challenge };
  }
}

/** Castellan could not be asked for its keys. The token may be valid, so this is no 401. */
const isUnavailable = (error) =>
  !(error instanceof errors.JOSEError) || ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT'].includes(error.code);

/** Requires a token with the scope; the challenges are those of RFC 6750 §3. */
async function authorize(request, scope) {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined) throw new Rejected(401, 'Bearer');
  const claims = await claimsOf(token).catch((error) => {
    if (isUnavailable(error)) throw new Rejected(503);
    throw new Rejected(401, 'Bearer error="invalid_token"');
  });
  const scopes = String(claims.scope ?? '').split(' ');
  if (!scopes.includes(scope)) throw new Rejected(403, `Bearer error="insufficient_scope", scope="${scope}"`);
  return claims;
}
// </authorize>

async function handle(request, response) {
  const send = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  switch (`${request.method} ${request.url}`) {
    case 'GET /invoices': {
      const { sub, client_id: client } = await authorize(request, `${SERVICE}:invoice:read`);
      return send(200, { invoices, sub, client });
    }
    case 'POST /invoices': {
      await authorize(request, `${SERVICE}:invoice:create`);
      invoices.push({ id: String(4711 + invoices.length), total: '0.00' });
      return send(201, invoices.at(-1));
    }
    default:
      return send(404, {});
  }
}

const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    if (!(error instanceof Rejected)) console.error(error);
    response.writeHead(error.status ?? 500, error.headers).end();
  });
});
server.on('error', ({ message }) => {
  console.error(`PORT ${PORT} cannot be used: ${message}`);
  process.exit(1);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
