import { createHash, randomBytes } from 'node:crypto';
import { URLSearchParams } from 'node:url';
import { cookieHeader, forEach, send } from '../lib/browser.mjs';
import { load } from '../lib/load.mjs';
import { ADMIN } from '../targets.mjs';
import { browsersOf, CONNECTIONS, logIn } from './sessions.mjs';

const REDIRECT_URI = 'https://app.example.com/callback';
const VERIFIER = randomBytes(32).toString('base64url');
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
/** Both servers sign the access token of a machine for this resource as a JWT. */
const RESOURCE = 'urn:castellan:iam';

const formPost = (path, fields) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

async function registered(target, jar, body) {
  const client = JSON.parse(await send(target, { method: 'POST', path: '/api/oauth/client', body, jar }));
  return { client_id: client.client_id, client_secret: client.client_secret };
}

async function castellanCode(target, { client_id }, jar) {
  const query = new URLSearchParams({
    client_id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  });
  const answer = await fetch(`${target.url}/api/oauth/authorize?${query}`, {
    redirect: 'manual',
    headers: { cookie: cookieHeader(jar) },
  });
  const code = new URL(answer.headers.get('location') ?? '/', target.url).searchParams.get('code');
  if (code === null) throw new Error(`castellan gave no code: ${answer.status} ${await answer.text()}`);
  return code;
}

/** The service as an OpenID Connect provider: a first-party application and a machine of the administrator. */
export async function castellanAsProvider(target) {
  const jar = await logIn(target, ADMIN);
  const application = await registered(target, jar, {
    name: 'Application',
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code'],
    scopes: ['openid'],
    first_party: true,
  });
  const machine = await registered(target, jar, {
    name: 'Machine',
    grant_types: ['client_credentials'],
    scopes: ['role:read'],
  });
  return {
    target,
    paths: { token: '/api/oauth/token', introspect: '/api/oauth/introspect', userinfo: '/api/oauth/userinfo' },
    application,
    machine,
    machineScope: 'role:read',
    async codes(count) {
      // Access tokens of earlier logins may have expired.
      target.browsers = undefined;
      const browsers = await browsersOf(target);
      const jars = Array.from({ length: count }, (_, index) => browsers[index % browsers.length]);
      return forEach(jars, (browser) => castellanCode(target, application, browser));
    },
  };
}

/** oidc-provider alone. Its server creates codes without a login. */
export async function oidcProviderAlone(target) {
  const client = { client_id: 'bench', client_secret: 'bench-secret' };
  return {
    target,
    paths: { token: '/token', introspect: '/token/introspection', userinfo: '/me' },
    application: client,
    machine: client,
    machineScope: 'role:read',
    codes: (count) =>
      forEach(Array.from({ length: count }).keys(), async () => {
        const query = new URLSearchParams({ redirect_uri: REDIRECT_URI, code_challenge: CHALLENGE });
        return JSON.parse(await send(target, { method: 'POST', path: `/mint-code?${query}` })).code;
      }),
  };
}

export const exchangeOf = ({ paths, application }, code) =>
  formPost(paths.token, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
    ...application,
  });

/** Exchanges every code once. The codes are created before the time is taken. */
export function exchangingCodes(provider, amount) {
  return {
    name: provider.target.name,
    async measure() {
      const codes = await provider.codes(amount);
      const each = Math.ceil(amount / CONNECTIONS);
      const requestsOf = (index) =>
        codes.slice(index * each, (index + 1) * each).map((code) => exchangeOf(provider, code));
      return load(provider.target, { connections: CONNECTIONS, amount, requestsOf });
    },
  };
}

export function requestingClientTokens(provider, seconds) {
  const { target, paths, machine, machineScope } = provider;
  const request = formPost(paths.token, {
    grant_type: 'client_credentials',
    scope: machineScope,
    resource: RESOURCE,
    ...machine,
  });
  return {
    name: target.name,
    measure: (plan = { seconds }) => load(target, { connections: CONNECTIONS, ...plan, requestsOf: () => [request] }),
  };
}

async function accessTokens(provider) {
  return forEach(await provider.codes(CONNECTIONS), async (code) => {
    return JSON.parse(await send(provider.target, exchangeOf(provider, code))).access_token;
  });
}

/** @param requestOf returns the request for an opaque access token. */
function askingWithTokens(provider, requestOf, seconds) {
  return {
    name: provider.target.name,
    async measure(plan = { seconds }) {
      provider.tokens ??= await accessTokens(provider);
      const requestsOf = (index) => [requestOf(provider.tokens[index])];
      return load(provider.target, { connections: CONNECTIONS, ...plan, requestsOf });
    },
  };
}

export const introspecting = (provider, seconds) =>
  askingWithTokens(
    provider,
    (token) => formPost(provider.paths.introspect, { token, ...provider.application }),
    seconds,
  );

export const readingUserinfo = (provider, seconds) =>
  askingWithTokens(
    provider,
    (token) => ({ path: provider.paths.userinfo, headers: { authorization: `Bearer ${token}` } }),
    seconds,
  );
