// Page without a backend: a public client, so PKCE replaces the client secret.
import * as oidc from 'openid-client';

const PENDING = 'pending-login';
const REDIRECT = `${location.origin}/callback`;
const element = (id) => document.getElementById(id);

const { issuer, clientId } = await (await fetch('/config.json')).json();
const url = new URL(issuer);
// Plain http is for a service on this machine only.
const execute = url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
const config = await oidc.discovery(url, clientId, undefined, oidc.None(), { execute });

/** Kept in memory only, because an injected script could read a store. */
let tokens;

async function logIn() {
  const verifier = oidc.randomPKCECodeVerifier();
  const pending = { verifier, state: oidc.randomState(), nonce: oidc.randomNonce() };
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  location.assign(
    oidc.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: 'openid profile offline_access',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: pending.state,
      nonce: pending.nonce,
    }),
  );
}

async function finishLogin() {
  const pending = JSON.parse(sessionStorage.getItem(PENDING));
  sessionStorage.removeItem(PENDING);
  const answer = new URL(location.href);
  history.replaceState(null, '', '/');
  tokens = await oidc.authorizationCodeGrant(config, answer, {
    pkceCodeVerifier: pending.verifier,
    expectedState: pending.state,
    expectedNonce: pending.nonce,
    idTokenExpected: true,
  });
}

/** Refresh tokens rotate: the response contains the next one. */
async function refresh() {
  tokens = { ...tokens, ...(await oidc.refreshTokenGrant(config, tokens.refresh_token)) };
  await show();
}

function logOut() {
  location.assign(
    oidc.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: `${location.origin}/`,
    }),
  );
}

async function show() {
  const user = tokens && (await oidc.fetchUserInfo(config, tokens.access_token, oidc.skipSubjectCheck));
  element('greeting').textContent = user ? `Hello, ${user.name ?? user.sub}` : 'You are not logged in.';
  element('login').hidden = Boolean(user);
  element('logout').hidden = !user;
  element('refresh').hidden = !tokens?.refresh_token;
}

const withErrors = (act) => async () => {
  try {
    await act();
  } catch (error) {
    console.warn(error);
    element('failure').textContent = `Error: ${error.error ?? error.message}`;
  }
};

element('login').onclick = withErrors(logIn);
element('refresh').onclick = withErrors(refresh);
element('logout').onclick = withErrors(logOut);
if (location.pathname === '/callback') await withErrors(finishLogin)();
await withErrors(show)();
