// Web application without passwords: users log in at Castellan.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import * as oidc from 'openid-client';

const {
  ISSUER = 'http://127.0.0.1:4000',
  CLIENT_ID,
  CLIENT_SECRET,
  PORT = '4100',
  ORIGIN = `http://127.0.0.1:${PORT}`,
} = process.env;
if (!CLIENT_ID || !CLIENT_SECRET) {
  console.error('Set CLIENT_ID and CLIENT_SECRET to those of a client in Castellan: see the README.');
  process.exit(1);
}

const issuer = new URL(ISSUER);
// Plain http is for a service on this machine only.
const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
const authentication = oidc.ClientSecretBasic(CLIENT_SECRET);
const config = await oidc.discovery(issuer, CLIENT_ID, undefined, authentication, { execute }).catch((error) => {
  console.error(`ISSUER ${ISSUER} is not a running Castellan: ${error.cause?.message ?? error.message}`);
  process.exit(1);
});
const CALLBACK = `${ORIGIN}/callback`;

/** Browser sessions by cookie value. A real application uses a store with expiry. */
const browsers = new Map();

const escapeHtml = (text) => String(text).replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
const page = (body) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Example</title><body><main>${body}</main>`;

function home({ user }) {
  if (!user) return page('<h1>Example</h1><p>You are not logged in.</p><p><a href="/login">Log in</a></p>');
  const name = escapeHtml(user.name ?? user.preferred_username ?? user.sub);
  return page(`<h1>Hello, ${name}</h1><form method="post" action="/logout"><button>Log out</button></form>`);
}

/** Starts a login. The verifier, state and nonce stay on the server. */
async function startLogin(browser) {
  const verifier = oidc.randomPKCECodeVerifier();
  browser.pending = { verifier, state: oidc.randomState(), nonce: oidc.randomNonce() };
  return oidc.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: browser.pending.state,
    nonce: browser.pending.nonce,
  });
}

/** Ends a login in the browser that began it, and begins another browser session for the user. */
async function finishLogin({ id, browser }, url, response) {
  const { pending } = browser;
  if (!pending) throw new Error('No login is in progress');
  delete browser.pending;
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: pending.verifier,
    expectedState: pending.state,
    expectedNonce: pending.nonce,
    idTokenExpected: true,
  });
  const { sub } = tokens.claims();
  const user = await oidc.fetchUserInfo(config, tokens.access_token, sub);
  // The cookie from before the login may have been planted in the browser, so it must not log anyone in.
  browsers.delete(id);
  Object.assign(begin(response), { user, idToken: tokens.id_token });
}

/** Logs out here and at Castellan (OpenID Connect RP-Initiated Logout). */
function logOut(browser) {
  const { idToken } = browser;
  delete browser.user;
  delete browser.idToken;
  return oidc.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: `${ORIGIN}/` });
}

/** Begins a browser session. */
function begin(response) {
  const id = randomUUID();
  const browser = {};
  browsers.set(id, browser);
  response.setHeader('set-cookie', `example=${id}; Path=/; HttpOnly; SameSite=Lax`);
  return browser;
}

/** The browser session of the request, with its id; without a cookie, a new one. */
function sessionOf(request, response) {
  const id = /(?:^|; )example=([0-9a-f-]{36})/.exec(request.headers.cookie ?? '')?.[1];
  return { id, browser: browsers.get(id) ?? begin(response) };
}

const redirect = (response, to) => response.writeHead(303, { location: String(to) }).end();

async function handle(request, response) {
  const url = new URL(request.url, ORIGIN);
  const { id, browser } = sessionOf(request, response);
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /':
      return response.setHeader('content-type', 'text/html; charset=utf-8').end(home(browser));
    case 'GET /login':
      return redirect(response, await startLogin(browser));
    case 'GET /callback':
      await finishLogin({ id, browser }, url, response);
      return redirect(response, '/');
    case 'POST /logout':
      return redirect(response, browser.idToken ? logOut(browser) : '/');
    default:
      return response.writeHead(404).end('Not found');
  }
}

const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error(error);
    const text = page('<h1>The login failed</h1><p><a href="/">Back</a></p>');
    response.writeHead(400, { 'content-type': 'text/html; charset=utf-8' }).end(text);
  });
});
server.on('error', ({ message }) => {
  console.error(`PORT ${PORT} cannot be used: ${message}`);
  process.exit(1);
});
server.listen(Number(PORT), new URL(ORIGIN).hostname, () => console.log(`Open ${ORIGIN}`));
