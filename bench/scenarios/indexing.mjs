import { forEach, send } from '../lib/browser.mjs';
import { UNSEARCHABLE } from '../lib/filled-database.mjs';
import { load } from '../lib/load.mjs';
import { ADMIN } from '../targets.mjs';
import { logIn, usersOf } from './sessions.mjs';

const CONNECTIONS = 4;
/** Few, so that a round ends soon after the index. */
const LOGINS = 40;
const MAX_ROUNDS = 200;

/** Throws when a login is rejected. */
const logins = (target, users) =>
  load(target, { connections: CONNECTIONS, amount: LOGINS, requestsOf: (index) => [target.login(users[index])] });

const slowest = (rounds) => Math.max(...rounds.map(({ longest }) => longest));
const summary = (rounds) => {
  const middle = rounds.map(({ p50 }) => p50).sort((one, other) => one - other);
  return { p50: middle[Math.floor(middle.length / 2)], longest: slowest(rounds) };
};

/**
 * Measures logins before, and while the service makes an attribute searchable that all users have.
 * @returns `before` and `during` with the median and the longest login in milliseconds, and the seconds that it takes.
 */
export async function indexing(target) {
  const admin = await logIn(target, ADMIN);
  const asAdmin = async (request) => JSON.parse(await send(target, { ...request, jar: admin }));
  const users = await usersOf(target, CONNECTIONS);
  await forEach(users, async ({ username }) => {
    const { items } = await asAdmin({ path: `/api/user?keyword=${username}&page_size=1&cursor=` });
    const body = { attributes: { [UNSEARCHABLE]: 'O1' } };
    await asAdmin({ method: 'PATCH', path: `/api/user/${items[0].id}`, body });
  });
  const [before, during] = [[], []];
  for (let round = 0; round < 5; round++) before.push(await logins(target, users));
  const path = `/api/attribute/${UNSEARCHABLE}`;
  const from = performance.now();
  await asAdmin({ method: 'PATCH', path, body: { searchable: true } });
  for (let isIndexed = false; !isIndexed && during.length < MAX_ROUNDS;) {
    during.push(await logins(target, users));
    isIndexed = (await asAdmin({ path })).indexed;
  }
  return {
    before: summary(before),
    during: { ...summary(during), logins: during.length * LOGINS },
    seconds: (performance.now() - from) / 1_000,
  };
}
