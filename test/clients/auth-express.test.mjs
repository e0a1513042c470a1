import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';
import { application } from './application.mjs';
import { ISSUER, endSessions, person, register } from './service.mjs';

let app;
let config;

before(async () => {
  app = await application();
  const baseURL = app.url;
  // <registration>
  const registration = {
    redirect_uris: [`${baseURL}/auth/callback/castellan`],
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    // The library reads only the ID token.
    id_token_claims: true,
  };
  // </registration>
  const client = await register({ name: 'Auth.js', ...registration });
  const { client_id: clientId, client_secret: clientSecret } = client;
  const issuer = ISSUER;
  // <configuration>
  config = {
    trustHost: true,
    secret: 'a long secret of the application, for its own cookie',
    providers: [
      {
        id: 'castellan',
        name: 'Castellan',
        type: 'oidc',
        issuer,
        clientId,
        clientSecret,
        checks: ['pkce', 'state', 'nonce'],
        authorization: { params: { scope: 'openid profile email offline_access' } },
        profile: (claims) => ({ id: claims.sub, name: claims.preferred_username, email: claims.email }),
      },
    ],
    callbacks: {
      async jwt({ token, account }) {
        if (account) return { ...token, expires: account.expires_at, refresh: account.refresh_token };
        if (Date.now() < token.expires * 1_000) return token;
        const response = await fetch(`${issuer}/api/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            refresh_token: token.refresh,
            client_id: clientId,
            client_secret: clientSecret,
          }),
        });
        // The session of the service has ended, so the application ends its session.
        if (!response.ok) return null;
        const fresh = await response.json();
        const expires = Math.floor(Date.now() / 1_000) + fresh.expires_in;
        return { ...token, expires, refresh: fresh.refresh_token };
      },
    },
  };
  // </configuration>
  const server = express();
  server.set('trust proxy', true);
  server.use('/auth', ExpressAuth(config));
  server.get('/', async (request, response) => response.json((await getSession(request, config))?.user ?? null));
  app.use(server);
});

after(() => app.close());

const session = async (browser) => JSON.parse((await browser.visit(`${app.url}/auth/session`)).text);

async function post(browser, path) {
  const { csrfToken } = JSON.parse((await browser.visit(`${app.url}/auth/csrf`)).text);
  return browser.visit(`${app.url}${path}`, { method: 'POST', body: new URLSearchParams({ csrfToken }) });
}

/** Simulates an expired access token, a quarter of an hour later. */
async function later(act) {
  const { now } = Date;
  Date.now = () => now() + 1_000_000;
  try {
    return await act();
  } finally {
    Date.now = now;
  }
}

test('logs in, reads the claims, refreshes and logs out', async () => {
  const ann = await person();
  await post(ann, '/auth/signin/castellan');
  assert.equal((await session(ann)).user.name, ann.username);
  assert.equal((await later(() => session(ann)))?.user?.name, ann.username);
  await post(ann, '/auth/signout');
  assert.equal(await session(ann), null);
});

test('ends its session at the next refresh after an administrator ended the session', async () => {
  const ann = await person();
  await post(ann, '/auth/signin/castellan');
  await endSessions(ann);
  assert.equal(await later(() => session(ann)), null);
});
