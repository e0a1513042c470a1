import { cookieHeader, send } from '../lib/browser.mjs';
import { EVERYBODY } from '../lib/filled-database.mjs';
import { load } from '../lib/load.mjs';
import { inRounds } from '../lib/rounds.mjs';
import { ADMIN } from '../targets.mjs';
import { logIn, loggingIn, reading, refreshing, registering } from './sessions.mjs';

const PAGE = 20;
/** Few, because this measures the duration of one request. */
const CONNECTIONS = 4;
const PAGES_ON = 25;

async function askedAs(admin, target, plan, requestOf) {
  const request = await requestOf(target);
  const requestsOf = () => [{ ...request, headers: { cookie: cookieHeader(admin) } }];
  return load(target, { connections: CONNECTIONS, ...plan, requestsOf });
}

async function adminOf(target) {
  target.admin ??= await logIn(target, ADMIN);
  return target.admin;
}

function asAdmin(target, seconds, requestOf) {
  return {
    name: target.name,
    measure: async (plan = { seconds }) => askedAs(await adminOf(target), target, plan, requestOf),
  };
}

const list = async (target, query) =>
  JSON.parse(await send(target, { path: `/api/user?${query}`, jar: await adminOf(target) }));

/** The cursor of the deepest page that the smaller database has. */
async function deepPage(target, filter) {
  let cursor = '';
  for (let page = 0; page < PAGES_ON; page++) {
    cursor = encodeURIComponent((await list(target, `${filter}page_size=${PAGE}&cursor=${cursor}`)).next_cursor);
  }
  return { path: `/api/user?${filter}page_size=${PAGE}&cursor=${cursor}` };
}

async function twentyIds(target) {
  const { items } = await list(target, `page_size=${PAGE}&cursor=`);
  return { method: 'POST', path: '/api/auth/users', body: { ids: items.map(({ id }) => id) } };
}

const byRole = `role_id=${EVERYBODY}&`;
const lists = [
  ['20 users by id', 1.7, twentyIds],
  ['first page of users', 1.2, () => ({ path: `/api/user?page_size=${PAGE}&cursor=` })],
  ['26th page of users', 1.2, (target) => deepPage(target, '')],
  ["first page of a role's users", 1.2, () => ({ path: `/api/user?${byRole}page_size=${PAGE}&cursor=` })],
  ["26th page of a role's users", 1.2, (target) => deepPage(target, byRole)],
  ['page of users with the total', 1.2, () => ({ path: `/api/user?page=1&page_size=${PAGE}` })],
  [
    'page of users by an attribute',
    1.2,
    () => ({ path: `/api/user?attribute=cost_centre:c0&page_size=${PAGE}&cursor=` }),
  ],
  ['search by username prefix', 1.2, () => ({ path: `/api/user?keyword=user_&page_size=${PAGE}&cursor=` })],
];

/**
 * Runs the same work on a small and on a large database.
 * @returns for each work how many times slower it is on the large database: the ratio of requests per second.
 */
export async function growth({ small, large, seconds, hashes, ...plan }) {
  const works = [
    ['session check', 1.15, (target) => reading(target, ({ me }) => me, seconds)],
    ['login', 1.15, (target) => loggingIn(target, hashes)],
    ['refresh', 1.15, (target) => refreshing(target, seconds)],
    ['registration', 1.15, (target) => registering(target, hashes)],
    ...lists.map(([name, goal, requestOf]) => [name, goal, (target) => asAdmin(target, seconds, requestOf)]),
  ];
  const results = [];
  for (const [name, goal, contender] of works) {
    const [few, many] = await inRounds([contender(small), contender(large)], plan);
    results.push({ name, goal, small: few, large: many, ratio: many.ratio.perSecond });
  }
  return results;
}
