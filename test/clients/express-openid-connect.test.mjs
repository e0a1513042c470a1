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
  const client = await register({
    name: 'express-openid-connect',
    redirect_uris: [`${app.url}/callback`],
    post_logout_redirect_uris: [app.url],
    backchannel_logout_uri: `${app.backChannel}/backchannel-logout`,
    // It reads the ID token alone.
    id_token_claims: true,
  });
  sessions = new session.MemoryStore();
  const { client_id: clientID, client_secret: clientSecret } = client;
  const [issuerBaseURL, baseURL] = [ISSUER, app.url];
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

test('ends its own session when an administrator ends the one here', async () => {
  const [ann, bob] = [await person(), await person()];
  for (const browser of [ann, bob]) await browser.visit(`${app.url}/login`);
  await endSessions(ann);
  await eventually(
    () => user(ann),
    (seen) => seen === null,
  );
  assert.equal((await user(bob)).preferred_username, bob.username);
});

test('ends one of two sessions of a user where one logs out here', async () => {
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
