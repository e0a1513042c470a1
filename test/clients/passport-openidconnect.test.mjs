import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';
import { application } from './application.mjs';
import { ISSUER, person, register } from './service.mjs';

let app;

before(async () => {
  app = await application();
  const client = await register({
    name: 'passport-openidconnect',
    redirect_uris: [`${app.url}/callback`],
    // It sends no code challenge.
    require_pkce: false,
  });
  const { client_id: clientID, client_secret: clientSecret } = client;
  const [issuer, callbackURL] = [ISSUER, `${app.url}/callback`];
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
        // Else it reads the ID token alone.
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

test('logs in without PKCE, reads the profile and logs out; it neither refreshes nor hears of a logout', async () => {
  const ann = await person();
  await ann.visit(`${app.url}/login`);
  assert.equal((await user(ann)).name, ann.username);
  await ann.visit(`${app.url}/logout`);
  assert.equal(await user(ann), null);
});
