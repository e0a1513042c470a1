import { inRounds } from './lib/rounds.mjs';
import { rawHashes } from './scenarios/hashing.mjs';
import {
  castellanAsProvider,
  exchangingCodes,
  introspecting,
  oidcProviderAlone,
  readingUserinfo,
  requestingClientTokens,
} from './scenarios/oauth.mjs';
import {
  browsersOf,
  loggingIn,
  loggingOut,
  reading,
  refreshing,
  refreshingTokens,
  registering,
} from './scenarios/sessions.mjs';
import {
  bareLoginServer,
  bareNestServer,
  bareRefreshServer,
  betterAuthServer,
  castellanServer,
  oidcProviderInMemory,
  oidcProviderServer,
  remoteGuardedServer,
} from './targets.mjs';

/*
 * The comparisons and their goals. A goal names a contender, a measure and a bound of the ratio to it. With `of` instead
 * of a contender, it bounds that row's own figure. Against a bare limit the measure is
 * processor time per request (`cpu`), because there the load generator can be the bottleneck. Against a peer it is
 * requests per second, because the time a peer waits for PostgreSQL is part of its response time.
 */

const CHECKS = 'POST /api/permission/check, 100 at once';
const BARE_CHECKS = 'bare Nest, 100 checked inputs and an answer of that shape';
const checksOf = (count) =>
  Array.from({ length: count }, (_, index) => ({ scope: 'iam', permission_id: `thing${index}:read`, level: 1 }));

/**
 * Two long rounds of one route differ by more than 3 %, so this goal needs more and shorter rounds. Rounds shorter than
 * a second would miss the cache reloads.
 */
export const GUARD_ROUNDS = { times: 9, shorter: 2 };

export const comparisons = [
  {
    id: 'session-check',
    title: 'Session check, `GET /api/auth/me` with its permissions',
    async run({ servers, seconds, ...plan }) {
      const targets = [
        await servers.castellan(),
        await servers.bareNest(),
        await servers.betterAuth(),
        await servers.betterAuthRedis(),
      ];
      return inRounds(
        targets.map((target) => reading(target, ({ me }) => me, seconds)),
        plan,
      );
    },
    goals: [
      { against: 'bare Nest, HS256', measure: 'cpu', least: 0.6 },
      { against: 'better-auth', measure: 'perSecond', least: 15 },
      { against: 'better-auth', measure: 'p99', most: 0.1 },
      { against: 'better-auth, Redis', measure: 'perSecond', least: 12 },
    ],
  },
  {
    id: 'verify',
    title: '`GET /api/auth/verify` with a permission, for a proxy, and 100 permission checks with reasons',
    async run({ servers, seconds, ...plan }) {
      const castellan = await servers.castellan();
      const bareNest = await servers.bareNest();
      const checks = { method: 'POST', path: '/api/permission/check', body: { checks: checksOf(100) } };
      const contenders = [
        { ...reading(castellan, ({ verify }) => verify, seconds), name: 'GET /api/auth/verify' },
        { ...reading(castellan, ({ me }) => me, seconds), name: 'GET /api/auth/me' },
        { ...reading(castellan, () => checks, seconds), name: CHECKS },
        { ...reading(bareNest, () => ({ ...checks, path: '/checks' }), seconds), name: BARE_CHECKS },
      ];
      return inRounds(contenders, plan);
    },
    goals: [
      { against: 'GET /api/auth/me', measure: 'cpu', least: 0.6 },
      { of: CHECKS, measure: 'perSecond', least: 1_500 },
      { of: CHECKS, measure: 'cpuUs', most: 700 },
    ],
  },
  {
    id: 'guard',
    title: 'Route of a host application, permission required',
    async run({ servers, seconds, ...plan }) {
      const host = await servers.guardedHost();
      const names = { permission: 'permission required', login: 'login required', open: 'public' };
      const { times, shorter } = GUARD_ROUNDS;
      const asked = (path) => reading(host, () => ({ path: `/api/host/${path}` }), seconds / shorter);
      const contenders = Object.entries(names).map(([path, name]) => ({ ...asked(path), name }));
      return inRounds(contenders, { ...plan, rounds: plan.rounds * times });
    },
    goals: [{ against: 'login required', measure: 'cpu', least: 0.97 }],
  },
  {
    id: 'remote-guard',
    title: 'Route of another service with `castellan/guard`, permission required',
    async run({ servers, seconds, ...plan }) {
      const { times, shorter } = GUARD_ROUNDS;
      const path = { path: '/api/host/permission' };
      const contenders = [
        { ...reading(await servers.remoteHost(), () => path, seconds / shorter), name: 'castellan/guard' },
        { ...reading(await servers.guardedHost(), () => path, seconds / shorter), name: 'embedded guard' },
      ];
      return inRounds(contenders, { ...plan, rounds: plan.rounds * times });
    },
    goals: [{ against: 'embedded guard', measure: 'perSecond', least: 0.9 }],
  },
  {
    id: 'login',
    title: 'Login with a password',
    async run({ servers, seconds, hashes, ...plan }) {
      const raw = await servers.rawHashes();
      const targets = [
        await servers.castellan(),
        await servers.bareLogin(),
        await servers.betterAuthArgon2(),
        await servers.betterAuth(),
      ];
      const [ours, ...others] = targets.map((target) => loggingIn(target, hashes));
      return inRounds([ours, raw.contender('verify', seconds), ...others], plan);
    },
    goals: [
      { against: 'bare login, argon2id', measure: 'cpu', least: 0.9 },
      { against: 'better-auth, argon2id', measure: 'perSecond', least: 1 },
    ],
  },
  {
    id: 'registration',
    title: 'Registration',
    async run({ servers, seconds, hashes, ...plan }) {
      const raw = await servers.rawHashes();
      const targets = [await servers.castellan(), await servers.bareLogin(), await servers.betterAuthArgon2()];
      const [ours, ...others] = targets.map((target) => registering(target, hashes));
      return inRounds([ours, raw.contender('hash', seconds), ...others], plan);
    },
    goals: [{ against: 'raw argon2id, hash', measure: 'cpu', least: 0.85 }],
  },
  {
    id: 'refresh',
    title: 'Refresh with rotation',
    async run({ servers, seconds, ...plan }) {
      const targets = [await servers.castellan(), await servers.bareRefresh(), await servers.bareRefreshHs256()];
      const oidc = refreshingTokens(await servers.oidcProvider(), seconds);
      return inRounds([...targets.map((target) => refreshing(target, seconds)), oidc], plan);
    },
    goals: [
      { against: 'bare refresh, ES256', measure: 'cpu', least: 0.9 },
      { against: 'oidc-provider', measure: 'perSecond', least: 4 },
    ],
  },
  {
    id: 'logout',
    title: 'Logout',
    async run({ servers, sessions, ...plan }) {
      const targets = [await servers.castellan(), await servers.bareLogin(), await servers.betterAuthArgon2()];
      return inRounds(
        targets.map((target) => loggingOut(target, sessions)),
        plan,
      );
    },
    goals: [
      { against: 'bare login, argon2id', measure: 'cpu', least: 0.65 },
      { against: 'better-auth, argon2id', measure: 'perSecond', least: 3.5 },
    ],
  },
  asProvider('code-exchange', 'OAuth: exchange of a code with PKCE', (provider, { sessions }) =>
    exchangingCodes(provider, sessions * 2),
  ),
  asProvider('client-credentials', 'OAuth: client credentials, a JWT', (provider, { seconds }) =>
    requestingClientTokens(provider, seconds),
  ),
  asProvider('introspection', 'OAuth: introspection of an opaque token', (provider, { seconds }) =>
    introspecting(provider, seconds),
  ),
  asProvider('userinfo', 'OAuth: userinfo', (provider, { seconds }) => readingUserinfo(provider, seconds)),
];

/** A comparison with oidc-provider alone on the same PostgreSQL, and with its records in memory as the limit. */
function asProvider(id, title, contender) {
  return {
    id,
    title,
    async run({ servers, ...plan }) {
      const providers = [
        await castellanAsProvider(await servers.castellan()),
        await oidcProviderAlone(await servers.oidcProvider()),
        await oidcProviderAlone(await servers.oidcProviderInMemory()),
      ];
      return inRounds(
        providers.map((provider) => contender(provider, plan)),
        plan,
      );
    },
    goals: [{ against: 'oidc-provider', measure: 'perSecond', least: 1.5 }],
  };
}

/** The servers that comparisons share. Each one starts on first use. */
export function serverPool({ databases, redisUrl }) {
  const started = new Map();
  const once = (name, make) => () => {
    if (!started.has(name)) started.set(name, make());
    return started.get(name);
  };
  const onDatabase =
    (make, options = {}) =>
    async () =>
      make({ databaseUrl: await databases.create(), ...options });
  const castellan = once('castellan', onDatabase(castellanServer, { redisUrl }));
  return {
    castellan,
    remoteHost: once('remoteHost', async () => {
      const target = await castellan();
      return remoteGuardedServer(target, await browsersOf(target));
    }),
    guardedHost: once(
      'guardedHost',
      onDatabase(castellanServer, {
        redisUrl,
        name: 'host',
        from: 'bench/servers/guarded.mjs',
        env: { SERVICE_SCOPE: 'iam' },
      }),
    ),
    bareNest: once('bareNest', bareNestServer),
    betterAuth: once('betterAuth', onDatabase(betterAuthServer)),
    betterAuthRedis: once('betterAuthRedis', onDatabase(betterAuthServer, { redisUrl })),
    betterAuthArgon2: once('betterAuthArgon2', onDatabase(betterAuthServer, { argon2: true })),
    bareLogin: once('bareLogin', onDatabase(bareLoginServer, { redisUrl })),
    bareRefresh: once('bareRefresh', onDatabase(bareRefreshServer, { redisUrl })),
    bareRefreshHs256: once('bareRefreshHs256', onDatabase(bareRefreshServer, { redisUrl, hs256: true })),
    oidcProvider: once('oidcProvider', onDatabase(oidcProviderServer)),
    oidcProviderInMemory: once('oidcProviderInMemory', oidcProviderInMemory),
    rawHashes: once('rawHashes', rawHashes),
    async stopHelpers() {
      if (started.has('rawHashes')) (await started.get('rawHashes')).stop();
    },
  };
}
