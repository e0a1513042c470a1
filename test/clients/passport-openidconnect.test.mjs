import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';
import { application } from './application.mjs';
import { ISSUER, endSessions, person, register } from './service.mjs';

let app;

before(async () => {
  app = await application();
  const [issuer, callbackURL] = [ISSUER, `${app.url}/callback`];
  // <registration>
  const registration = {
    redirect_uris: [callbackURL],
    scopes: ['openid', 'profile'],
    // The library sends no code challenge.
    require_pkce: false,
  };
  // </registration>
  const client = await register({ name: 'passport-openidconnect', ...registration });
  const { client_id: clientID, client_secret: clientSecret } = client;
  const authenticator = new passport.Passport();
  // <configuration>
  authenticator.use(
    new OpenIDConnectStrategy(
      {
        issuer,
        authorizationURL: `${issuer}/api/oauth/authorize`,
        tokenURL: `${issuer}/api/oauth/token`,
        userInfoURL: `${issuer}/api/oauth/userinfo`,
        clientID,
        clientSecret,
        callbackURL,
        scope: ['profile'],
        nonce: true,
        // Otherwise the library reads only the ID token.
        skipUserProfile: false,
      },
      (_issuer, profile, done) => done(null, { id: profile.id, name: profile.username }),
    ),
  );
  // </configuration>
  authenticator.serializeUser((user, done) => done(null, user));
  authenticator.deserializeUser((user, done) => done(null, user));
  const server = express();
  server.use(session({ secret: 'of a test', resave: false, saveUninitialized: false }));
  server.use(authenticator.session());
  server.get('/login', authenticator.authenticate('openidconnect'));
  server.get('/callback', authenticator.authenticate('openidconnect', { successRedirect: '/' }));
  server.get('/logout', (request, response, next) => {
    request.logout((error) => (error ? next(error) : response.redirect('/')));
  });
  server.get('/', (request, response) => response.json(request.user ?? null));
  app.use(server);
});

after(() => app.close());

const user = async (browser) => JSON.parse((await browser.visit(app.url)).text);

test('logs in without PKCE, reads the profile and logs out', async () => {
  const ann = await person();
  await ann.visit(`${app.url}/login`);
  assert.equal((await user(ann)).name, ann.username);
  await ann.visit(`${app.url}/logout`);
  assert.equal(await user(ann), null);
});

test('keeps its session after an administrator ended the session of the service', async () => {
  const ann = await person();
  await ann.visit(`${app.url}/login`);
  await endSessions(ann);
  assert.equal((await ann.fetch(`${ISSUER}/api/auth/me`)).status, 401);
  assert.equal((await user(ann)).name, ann.username);
});
