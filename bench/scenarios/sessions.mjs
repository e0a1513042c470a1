import { cookieHeader, forEach, keepCookies, send } from '../lib/browser.mjs';
import { load } from '../lib/load.mjs';
import { newUser } from '../targets.mjs';

export const CONNECTIONS = 32;

/** Users of the server's own, made once. */
export async function usersOf(target, count = CONNECTIONS) {
  target.users ??= [];
  if (!target.register) return Array.from({ length: count }, newUser);
  const missing = Array.from({ length: Math.max(0, count - target.users.length) }, newUser);
  await forEach(missing, (user) => send(target, target.register(user)));
  target.users.push(...missing);
  return target.users.slice(0, count);
}

export async function logIn(target, user) {
  const jar = new Map();
  await send(target, { ...target.login(user), jar });
  return jar;
}

/** Logged-in browsers, kept for every later round. */
export async function browsersOf(target) {
  target.browsers ??= await forEach(await usersOf(target), (user) => logIn(target, user));
  return target.browsers;
}

/** What is asked again and again by browsers that stay logged in. @param requestOf from the target, without its cookie. */
export function reading(target, requestOf, seconds) {
  return {
    name: target.name,
    async measure(plan = { seconds }) {
      const browsers = await browsersOf(target);
      const requestsOf = (index) => {
        const request = requestOf(target);
        return [
          { ...request, headers: { ...request.headers, cookie: cookieHeader(browsers[index % browsers.length]) } },
        ];
      };
      return load(target, { connections: CONNECTIONS, ...plan, requestsOf });
    },
  };
}

/**
 * @param amount how many, since so slow a thing may not answer once in a given time.
 * @param connections fewer than the hashing queue holds.
 */
export function loggingIn(target, amount, connections = 16) {
  return {
    name: target.name,
    async measure(plan = { amount }) {
      const users = await usersOf(target);
      return load(target, { connections, ...plan, requestsOf: (index) => [target.login(users[index])] });
    },
  };
}

export function registering(target, amount, connections = 16) {
  return {
    name: target.name,
    measure: (plan = { amount }) =>
      load(target, { connections, ...plan, requestsOf: () => ({ next: () => target.register(newUser()) }) }),
  };
}

/** Each browser refreshes over and over, always with the newest token. */
export function refreshing(target, seconds) {
  return {
    name: target.name,
    async measure(plan = { seconds }) {
      // Those of before may have been ended since, by logins beyond a user's limit.
      target.browsers = undefined;
      const browsers = await browsersOf(target);
      const requestsOf = (index) => {
        const jar = browsers[index];
        return {
          next: () => ({ ...target.refresh, headers: { cookie: cookieHeader(jar) } }),
          took: (_body, headers) => keepCookies(jar, [headers['set-cookie'] ?? headers['Set-Cookie']].flat()),
        };
      };
      // A run that ends cuts its last requests off; what they rotated is lost to the browser.
      target.browsers = undefined;
      return load(target, { connections: CONNECTIONS, ...plan, requestsOf });
    },
  };
}

/** As `refreshing`, where tokens are in bodies. */
export function refreshingTokens(target, seconds) {
  return {
    name: target.name,
    async measure(plan = { seconds }) {
      const tokens = await forEach(
        Array.from({ length: CONNECTIONS }).keys(),
        async () => JSON.parse(await send(target, { method: 'POST', path: '/mint' })).refresh_token,
      );
      const requestsOf = (index) => ({
        next: () => ({
          method: 'POST',
          path: '/token',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: `grant_type=refresh_token&refresh_token=${tokens[index]}&client_id=bench&client_secret=bench-secret`,
        }),
        took: (body) => (tokens[index] = JSON.parse(body).refresh_token),
      });
      return load(target, { connections: CONNECTIONS, ...plan, requestsOf });
    },
  };
}

/** Every session is ended once; so many it is, whatever the plan. */
export function loggingOut(target, sessions) {
  return {
    name: target.name,
    async measure() {
      const users = await usersOf(target);
      const jars = await forEach(
        Array.from({ length: sessions }, (_, index) => users[index % users.length]),
        (user) => logIn(target, user),
      );
      const each = Math.ceil(sessions / CONNECTIONS);
      const requestsOf = (index) =>
        jars
          .slice(index * each, (index + 1) * each)
          .map((jar) => ({ ...target.logout, headers: { cookie: cookieHeader(jar) } }));
      return load(target, { connections: CONNECTIONS, amount: sessions, requestsOf });
    },
  };
}
