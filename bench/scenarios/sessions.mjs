import { cookieHeader, forEach, keepCookies, send } from '../lib/browser.mjs';
import { load } from '../lib/load.mjs';
import { newUser } from '../targets.mjs';

export const CONNECTIONS = 32;

/** The users of a target, registered once. */
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

/** Logged-in browsers, reused by later rounds. */
export async function browsersOf(target) {
  target.browsers ??= await forEach(await usersOf(target), (user) => logIn(target, user));
  return target.browsers;
}

/**
 * Repeats one request from browsers that stay logged in.
 * @param requestOf returns the request for the target, without its cookie.
 */
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
 * @param amount the number of logins. A duration would not do, because a slow target may not finish one login in time.
 * @param connections less than the length of the hashing queue.
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

/** Each browser refreshes repeatedly, always with its latest token. */
export function refreshing(target, seconds) {
  return {
    name: target.name,
    async measure(plan = { seconds }) {
      // Later logins beyond the session limit of a user may have ended the kept sessions.
      target.browsers = undefined;
      const browsers = await browsersOf(target);
      const requestsOf = (index) => {
        const jar = browsers[index];
        return {
          next: () => ({ ...target.refresh, headers: { cookie: cookieHeader(jar) } }),
          took: (_body, headers) => keepCookies(jar, [headers['set-cookie'] ?? headers['Set-Cookie']].flat()),
        };
      };
      // The end of a run aborts its last requests, so the browsers never see the tokens that these rotated.
      target.browsers = undefined;
      return load(target, { connections: CONNECTIONS, ...plan, requestsOf });
    },
  };
}

/** Like `refreshing`, with tokens in the body. */
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

/** Ends every session once. The number of sessions is fixed, regardless of the plan. */
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
