// Decides for a gateway whether a request may pass: verifies its access token, and asks Castellan by AuthZEN.
import { createServer } from 'node:http';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';

const { ISSUER = 'http://127.0.0.1:4000', AUDIENCE = 'urn:castellan:billing', PORT = '4700' } = process.env;
const { CLIENT_ID, CLIENT_SECRET } = process.env;
if (!CLIENT_ID || !CLIENT_SECRET) {
  console.error('Set CLIENT_ID and CLIENT_SECRET to those of a client in Castellan: see the README.');
  process.exit(1);
}
const TIMEOUT_MS = 2_000;
const SECONDS_BEFORE_EXPIRY = 60;

/**
 * What each route of the protected API needs. Any other request is denied. A pattern accepts no `%`, `.` or `//`, which
 * gateway and API could read differently.
 */
const ROUTES = [
  { method: 'GET', path: /^\/invoices(?:\/(\w+))?$/, type: 'billing:invoice', action: 'read' },
  { method: 'POST', path: /^\/invoices$/, type: 'billing:invoice', action: 'create' },
  { method: 'DELETE', path: /^\/invoices\/(\w+)$/, type: 'billing:invoice', action: 'delete' },
];

async function read(url, options) {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw Object.assign(new Error(`${url} answered ${response.status}`), { status: response.status });
  return response.json();
}

/** The endpoints of Castellan. */
async function discover() {
  const { policy_decision_point: identifier, access_evaluation_endpoint: evaluationUrl } = await read(
    `${ISSUER}/.well-known/authzen-configuration`,
  );
  if (identifier !== ISSUER) throw new Error(`its metadata names ${identifier}`); // AuthZEN §9.2.3
  const { token_endpoint: tokenUrl } = await read(`${ISSUER}/.well-known/openid-configuration`);
  return { evaluationUrl, tokenUrl };
}

const { evaluationUrl, tokenUrl } = await discover().catch((error) => {
  console.error(`ISSUER ${ISSUER} is not a running Castellan: ${error.cause?.message ?? error.message}`);
  process.exit(1);
});
const keys = createRemoteJWKSet(new URL(`${ISSUER}/.well-known/jwks.json`));

let own;

/** The token of the authorizer itself, for `permission:read`. Requests that need it at once share one. */
function ownToken() {
  if (own && own.until > Date.now()) return own.token;
  const basic = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64');
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    resource: 'urn:castellan:iam',
    scope: 'permission:read',
  });
  const asked = read(tokenUrl, { method: 'POST', headers: { authorization: `Basic ${basic}` }, body });
  const made = { until: Infinity, token: asked.then(({ access_token: token }) => token) };
  own = made;
  asked.then(
    ({ expires_in: seconds }) => (made.until = Date.now() + (seconds - SECONDS_BEFORE_EXPIRY) * 1_000),
    () => (own = undefined),
  );
  return made.token;
}

/** Asks whether the user holds the permission now. */
async function isPermitted(sub, { type, action, id }) {
  const headers = { authorization: `Bearer ${await ownToken()}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ subject: { type: 'user', id: sub }, action: { name: action }, resource: { type, id } });
  const { decision } = await read(evaluationUrl, { method: 'POST', headers, body });
  return decision === true;
}

/** The claims of a valid access token; undefined for any other. Throws when the keys cannot be read. */
async function claimsOf(authorization = '') {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  try {
    const options = { issuer: ISSUER, audience: AUDIENCE, typ: 'at+jwt', algorithms: ['ES256'] };
    const required = { requiredClaims: ['exp', 'sub', 'client_id'] };
    return (await jwtVerify(token, keys, { ...options, ...required })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError && !['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT'].includes(error.code))
      return undefined;
    throw error;
  }
}

/** What the request needs; undefined if no route matches it. */
function needOf(method, target) {
  const [path] = target.split('?', 1);
  for (const { method: expected, path: pattern, type, action } of ROUTES) {
    const found = method === expected ? pattern.exec(path) : null;
    if (found) return { type, action, id: found[1] ?? '' };
  }
  return undefined;
}

/** The original request: its method and path, which Envoy repeats and others send in headers. */
function originalOf({ method, url, headers }) {
  if (url.startsWith('/envoy/')) return { method, target: url.slice('/envoy'.length) };
  if (url === '/forward') return { method: headers['x-forwarded-method'], target: headers['x-forwarded-uri'] ?? '' };
  return { method: undefined, target: '' };
}

/** Returns the status and headers for the gateway. Only 200 lets the request pass. */
async function judge(request) {
  const claims = await claimsOf(request.headers.authorization);
  if (!claims) return [401, { 'www-authenticate': 'Bearer' }];
  const { method, target } = originalOf(request);
  const need = needOf(method, target);
  if (!need) return [403, {}];
  // The token limits what the application may do, and the decision what the user may do now.
  const scope = `${need.type}:${need.action}`;
  if (
    !String(claims.scope ?? '')
      .split(' ')
      .includes(scope)
  ) {
    return [403, { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` }];
  }
  if (!(await isPermitted(claims.sub, need))) return [403, {}];
  return [200, { 'x-user-id': claims.sub }];
}

const server = createServer(async (request, response) => {
  try {
    response.writeHead(...(await judge(request))).end();
  } catch (error) {
    // Castellan is away, or it rejected the authorizer. The next request tries again with a new token.
    if (error.status === 401) own = undefined;
    console.error(error.message);
    response.writeHead(503).end();
  }
});
server.on('error', ({ message }) => {
  console.error(`PORT ${PORT} cannot be used: ${message}`);
  process.exit(1);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
