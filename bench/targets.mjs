import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { send } from './lib/browser.mjs';
import { runScript, startServer } from './lib/servers.mjs';

const script = (name) => fileURLToPath(new URL(name, import.meta.url));
const PASSWORD = 'bench-Passw0rd-7f3a';
export const ADMIN = { username: 'admin', email: 'admin@example.com', password: PASSWORD };

const run = randomBytes(4).toString('hex');
let made = 0;
export function newUser() {
  const username = `bench_${run}_${++made}`;
  return { username, email: `${username}@example.com`, password: PASSWORD };
}

/** The requests of each kind of server. */
const castellan = {
  register: ({ username, email, password }) => ({
    method: 'POST',
    path: '/api/auth/register',
    body: { username, email, password },
  }),
  login: ({ username, password }) => ({
    method: 'POST',
    path: '/api/auth/login',
    body: { type: 'password', username, password },
  }),
  me: { path: '/api/auth/me' },
  verify: { path: '/api/auth/verify?permission=profile:read' },
  refresh: { method: 'POST', path: '/api/auth/refresh' },
  logout: { method: 'POST', path: '/api/auth/logout' },
};
const betterAuth = {
  register: ({ username, email, password }) => ({
    method: 'POST',
    path: '/api/auth/sign-up/email',
    body: { name: username, email, password },
  }),
  login: ({ email, password }) => ({ method: 'POST', path: '/api/auth/sign-in/email', body: { email, password } }),
  me: { path: '/api/auth/get-session' },
  logout: { method: 'POST', path: '/api/auth/sign-out', body: {} },
};
const bare = {
  login: () => ({ method: 'POST', path: '/login' }),
  me: { path: '/me' },
  refresh: { method: 'POST', path: '/refresh' },
};
const bareLogin = {
  register: (body) => ({ method: 'POST', path: '/register', body }),
  login: (body) => ({ method: 'POST', path: '/login', body }),
  logout: { method: 'POST', path: '/logout' },
};

/** The service itself without rate limits, on a database that this function migrates first. */
export async function castellanServer({
  databaseUrl,
  redisUrl,
  env = {},
  name = 'castellan',
  from = 'dist/main.js',
  nodeArgs,
}) {
  const own = {
    DATABASE_URL: databaseUrl,
    ...(redisUrl && { REDIS_URL: redisUrl }),
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64url')}`,
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://127.0.0.1',
    ALLOWED_HOSTS: '127.0.0.1,localhost',
    COOKIE_INSECURE: 'true',
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'warn',
    ...env,
  };
  await runScript('dist/cli.js', ['migrate', 'run'], own);
  await runScript('dist/cli.js', ['settings', 'import', script('settings.yaml')], own);
  const server = await startServer({ name, script: from, env: own, ready: '/health/ready', nodeArgs });
  return { ...server, ...castellan, env: own };
}

export async function betterAuthServer({ databaseUrl, redisUrl, argon2 = false }) {
  const args = [...(redisUrl ? ['--redis', redisUrl] : []), ...(argon2 ? ['--argon2'] : [])];
  const name = `better-auth${redisUrl ? ', Redis' : ''}${argon2 ? ', argon2id' : ''}`;
  const server = await startServer({
    name,
    script: script('servers/better-auth.mjs'),
    args,
    env: { DATABASE_URL: databaseUrl },
  });
  return { ...server, ...betterAuth, headers: { origin: server.url } };
}

export async function bareNestServer() {
  return { ...(await startServer({ name: 'bare Nest, HS256', script: script('servers/bare-nest.mjs') })), ...bare };
}

export async function bareRefreshServer({ databaseUrl, redisUrl, hs256 = false }) {
  const args = ['--redis', redisUrl, ...(hs256 ? ['--hs256'] : [])];
  const name = `bare refresh, ${hs256 ? 'HS256' : 'ES256'}`;
  const server = await startServer({
    name,
    script: script('servers/bare-refresh.mjs'),
    args,
    env: { DATABASE_URL: databaseUrl },
  });
  return { ...server, ...bare };
}

export async function bareLoginServer({ databaseUrl, redisUrl }) {
  const server = await startServer({
    name: 'bare login, argon2id',
    script: script('servers/bare-login.mjs'),
    args: ['--redis', redisUrl],
    env: { DATABASE_URL: databaseUrl },
  });
  return { ...server, ...bareLogin };
}

export const oidcProviderServer = ({ databaseUrl }) =>
  startServer({
    name: 'oidc-provider',
    script: script('servers/oidc-provider.mjs'),
    env: { DATABASE_URL: databaseUrl },
  });

/** The limit of every provider that is built on the library. */
export const oidcProviderInMemory = () =>
  startServer({
    name: 'oidc-provider, records in memory',
    script: script('servers/oidc-provider.mjs'),
    args: ['--memory'],
  });

/**
 * Another service, whose guard asks the Castellan of the target.
 * @param browsers logged in there
 */
export async function remoteGuardedServer(target, browsers) {
  const jar = new Map();
  await send(target, { ...target.login(ADMIN), jar });
  const client = JSON.parse(
    await send(target, {
      method: 'POST',
      path: '/api/oauth/client',
      body: {
        name: 'Guard',
        grant_types: ['client_credentials'],
        scopes: ['remote_guard:execute'],
        introspection_resources: ['urn:castellan:iam'],
      },
      jar,
    }),
  );
  const env = { CASTELLAN_URL: target.url, CLIENT_ID: client.client_id, CLIENT_SECRET: client.client_secret };
  const script = 'bench/servers/remote-guarded.mjs';
  const server = await startServer({ name: 'castellan/guard', script, env, ready: '/api/host/open' });
  return { ...server, browsers };
}
