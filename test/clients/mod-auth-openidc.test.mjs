import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { endSessions, eventually, ISSUER, person, register } from './service.mjs';

const MODULES = '/usr/lib/apache2/modules';
const missing = !existsSync(join(MODULES, 'mod_auth_openidc.so')) && 'libapache2-mod-auth-openidc is not installed';
if (missing) console.log(`Skipped: ${missing}.`);

let folder;
let apache;
let url;

/** Basic Apache configuration: modules, a port, and a page that shows the values an application behind it receives. */
const frame = (port, configuration) => `
ServerRoot ${folder}
PidFile ${folder}/apache.pid
ServerName localhost
Listen 127.0.0.1:${port}
User www-data
Group www-data
ErrorLog ${folder}/error.log
LogLevel warn
${['mpm_event', 'authz_core', 'authz_user', 'authn_core', 'dir', 'headers', 'auth_openidc']
  .map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`)
  .join('\n')}
DocumentRoot ${folder}/site
DirectoryIndex index.html
Header always set X-Access-Token "expr=%{req:OIDC_access_token}"
${configuration}
`;

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

before(async () => {
  if (missing) return;
  folder = await mkdtemp(join(tmpdir(), 'castellan-apache-'));
  await mkdir(join(folder, 'site/secure'), { recursive: true });
  for (const page of ['site/index.html', 'site/secure/index.html']) await writeFile(join(folder, page), page);
  await chmod(folder, 0o755);
  const port = await freePort();
  url = `http://localhost:${port}`;
  const [issuer, app, backChannel] = [ISSUER, url, `http://127.0.0.1:${port}`];
  // <registration>
  const registration = {
    redirect_uris: [`${app}/secure/redirect_uri`],
    post_logout_redirect_uris: [`${app}/`],
    backchannel_logout_uri: `${backChannel}/secure/redirect_uri?logout=backchannel`,
    scopes: ['openid', 'profile', 'offline_access'],
  };
  // </registration>
  const client = await register({ name: 'mod_auth_openidc', ...registration });
  const { client_id: clientId, client_secret: clientSecret } = client;
  // <configuration>
  const configuration = `
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${clientId}
OIDCClientSecret ${clientSecret}
OIDCRedirectURI ${app}/secure/redirect_uri
OIDCCryptoPassphrase "a long secret of this Apache"
OIDCScope "openid profile offline_access"
OIDCPKCEMethod S256
OIDCSessionType server-cache
OIDCUserInfoRefreshInterval 300
OIDCRemoteUserClaim sub

<Location /secure>
  AuthType openid-connect
  Require valid-user
</Location>
`;
  // </configuration>
  await writeFile(join(folder, 'apache.conf'), frame(port, configuration));
  apache = spawn('/usr/sbin/apache2', ['-f', join(folder, 'apache.conf'), '-D', 'FOREGROUND'], { stdio: 'inherit' });
  await eventually(
    () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    (isUp) => isUp,
  );
});

after(async () => {
  if (missing) return;
  apache?.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

const isLoggedIn = async (browser) => (await browser.fetch(`${url}/secure/`)).status === 200;

test('logs in, refreshes and logs out', { skip: missing }, async () => {
  const ann = await person();
  const { url: last, text } = await ann.visit(`${url}/secure/`);
  assert.deepEqual([last.href, text], [`${url}/secure/`, 'site/secure/index.html']);

  const tokenOf = async () => (await ann.fetch(`${url}/secure/`)).headers.get('x-access-token');
  const former = await tokenOf();
  const refresh = new URLSearchParams({ refresh: `${url}/secure/`, access_token: former });
  const { url: back } = await ann.visit(`${url}/secure/redirect_uri?${refresh}`);
  assert.equal(back.href, `${url}/secure/`);
  assert.notEqual(await tokenOf(), former);
  const { url: out } = await ann.visit(`${url}/secure/redirect_uri?logout=${encodeURIComponent(`${url}/`)}`);
  assert.equal(out.href, `${url}/`);
  assert.equal(await isLoggedIn(ann), false);
});

test(
  'ends its session by back channel when an administrator ends the session of the service',
  { skip: missing },
  async () => {
    const [ann, bob] = [await person(), await person()];
    for (const browser of [ann, bob]) await browser.visit(`${url}/secure/`);
    await endSessions(ann);
    await eventually(
      () => isLoggedIn(ann),
      (is) => !is,
    );
    assert.equal(await isLoggedIn(bob), true);
  },
);

test('ends one of two sessions of a user after a logout from the service there', { skip: missing }, async () => {
  const ann = await person();
  const other = new ann.constructor(ann.username);
  for (const browser of [ann, other]) await browser.visit(`${url}/secure/`);
  await ann.fetch(`${ISSUER}/api/auth/logout`, { method: 'POST' });
  await eventually(
    () => isLoggedIn(ann),
    (is) => !is,
  );
  assert.equal(await isLoggedIn(other), true);
});
