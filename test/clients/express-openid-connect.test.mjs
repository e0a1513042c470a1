import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import express from 'express';
import session from 'express-session';
import { auth } from 'express-openid-connect';
import { application } from './application.mjs';
import { endSessions, eventually, ISSUER, person, register } from './service.mjs';

let app;
let sessions;

before(async () => {
  app = await application();
  const { url: baseURL, backChannel } = app;
  // <registration>
  const registration = {
    redirect_uris: [`${baseURL}/callback`],
    post_logout_redirect_uris: [baseURL],
    backchannel_logout_uri: `${backChannel}/backchannel-logout`,
    scopes: ['openid', 'profile', 'offline_access'],
    // The library reads only the ID token.
    id_token_claims: true,
  };
  // </registration>
  const client = await register({ name: 'express-openid-connect', ...registration });
  sessions = new session.MemoryStore();
  const { client_id: clientID, client_secret: clientSecret } = client;
  const issuerBaseURL = ISSUER;
  const server = express();
  // <configuration>
  server.use(
    auth({
      issuerBaseURL,
      baseURL,
      clientID,
      clientSecret,
      secret: 'a long secret of the application, for its own cookie',
      authRequired: false,
      idpLogout: true,
      backchannelLogout: true,
      session: { store: sessions },
      authorizationParams: { response_type: 'code', scope: 'openid profile offline_access' },
    }),
  );
  // </configuration>
  server.get('/', (request, response) => response.json(request.oidc.user ?? null));
  server.get('/refresh', async (request, response) => {
    const { access_token: former } = request.oidc.accessToken;
    const { access_token: fresh } = await request.oidc.accessToken.refresh();
    response.json({ isFresh: former !== fresh });
  });
  app.use(server);
});

after(() => app.close());

const user = async (browser) => JSON.parse((await browser.visit(app.url)).text);

test('logs in, reads the claims, refreshes and logs out', async () => {
  const ann = await person();
  assert.equal(await user(ann), null);
  await ann.visit(`${app.url}/login`);
  assert.equal((await user(ann)).preferred_username, ann.username);
  assert.deepEqual(JSON.parse((await ann.visit(`${app.url}/refresh`)).text), { isFresh: true });
  const { url } = await ann.visit(`${app.url}/logout`);
  assert.equal(url.href, `${app.url}/`);
  assert.equal(await user(ann), null);
});

test('ends its session when an administrator ends the session of the service', async () => {
  const [ann, bob] = [await person(), await person()];
  for (const browser of [ann, bob]) await browser.visit(`${app.url}/login`);
  await endSessions(ann);
  await eventually(
    () => user(ann),
    (seen) => seen === null,
  );
  assert.equal((await user(bob)).preferred_username, bob.username);
});

test('ends one of two sessions of a user when one logs out at the service', async () => {
  const ann = await person();
  const other = new ann.constructor(ann.username);
  for (const browser of [ann, other]) await browser.visit(`${app.url}/login`);
  await ann.fetch(`${ISSUER}/api/auth/logout`, { method: 'POST' });
  await eventually(
    () => user(ann),
    (seen) => seen === null,
  );
  assert.equal((await user(other)).preferred_username, ann.username);
});
