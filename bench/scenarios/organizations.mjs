import { cookieHeader, forEach, send } from '../lib/browser.mjs';
import { fillWithOrganizations, organizationsOf, READER, READERS } from '../lib/filled-organizations.mjs';
import { load } from '../lib/load.mjs';
import { inRounds } from '../lib/rounds.mjs';
import { startServer } from '../lib/servers.mjs';
import { quantile } from '../lib/statistics.mjs';
import { ADMIN, castellanServer, newUser } from '../targets.mjs';
import { browsersOf, CONNECTIONS, logIn, usersOf } from './sessions.mjs';

const SCRIPT = 'bench/servers/guarded.mjs';
const GUARDED = { path: '/api/host/organization' };
const WAIT_MS = 5_000;

const withHeader = (request, organization) => ({
  ...request,
  ...(organization && { headers: { 'x-organization-id': organization } }),
});

const check = (permissions) => (organization) => ({
  method: 'POST',
  path: '/api/permission/check',
  body: {
    checks: permissions.map((id) => ({
      scope: 'iam',
      permission_id: id,
      level: 1,
      ...(organization && { organization_id: organization }),
    })),
  },
});

const WORKS = [
  ['`POST /api/permission/check`, one check', check(['role:read'])],
  ['`POST /api/permission/check`, 20 checks', check(Array.from({ length: 20 }, (_, index) => `thing${index}:read`))],
  ['route of a host application, permission required', (organization) => withHeader(GUARDED, organization)],
];

async function filledHost({ databases, redisUrl }, { users, organizations }) {
  const databaseUrl = await databases.create();
  const env = { SERVICE_SCOPE: 'iam' };
  const host = await castellanServer({
    databaseUrl,
    redisUrl,
    name: `${organizations} organizations`,
    from: SCRIPT,
    env,
  });
  await usersOf(host);
  await fillWithOrganizations(databaseUrl, { users, organizations });
  return { ...host, databaseUrl };
}

const idOf = async (target, jar) => JSON.parse(await send(target, { path: '/api/auth/me', jar })).id;

/** The logged-in browsers of a target, each with an organization of its user, if there is one. */
async function membersOf(target) {
  const browsers = await browsersOf(target);
  const members = await forEach(browsers, async (jar) => ({ jar, id: await idOf(target, jar) }));
  const organizations = await organizationsOf(
    target.databaseUrl,
    members.map(({ id }) => id),
  );
  return members.map(({ jar, id }) => ({ jar, organization: organizations.get(id) }));
}

const asMembers = (target, members, requestOf, seconds) => ({
  name: target.name,
  measure: (plan = { seconds }) =>
    load(target, {
      connections: CONNECTIONS,
      ...plan,
      requestsOf: (index) => {
        const { jar, organization } = members[index % members.length];
        const request = requestOf(organization);
        return [{ ...request, headers: { ...request.headers, cookie: cookieHeader(jar) } }];
      },
    }),
});

/** The same checks without and with organizations. A ratio above 1 means that organizations make them slower. */
async function costs([few, many], { rounds, warmUpSeconds, seconds }) {
  const [without, within] = [await membersOf(few), await membersOf(many)];
  const results = [];
  for (const [name, requestOf] of WORKS) {
    const contenders = [asMembers(few, without, requestOf, seconds), asMembers(many, within, requestOf, seconds)];
    const [small, large] = await inRounds(contenders, { rounds, warmUpSeconds });
    results.push({ name, small, large, ratio: large.ratio });
  }
  return results;
}

/** Milliseconds after `from` until the instance last returned another status than the expected one. 0 if it never did. */
async function lastStaleMs(instance, { request, jar, expected }, from) {
  for (let last = 0; ;) {
    const sent = performance.now();
    const answer = await fetch(instance.url + request.path, {
      headers: { ...request.headers, cookie: cookieHeader(jar) },
    });
    await answer.arrayBuffer();
    if (answer.status === expected) return last;
    last = sent - from;
    if (last > WAIT_MS) throw new Error(`${instance.name} still returns ${answer.status} instead of ${expected}`);
  }
}

/** Changes of a user's memberships by an administrator, and the status of the guarded route after each. */
function changesOf(userId, organization) {
  const members = `/api/organization/${organization}/members`;
  const users = `/api/group/${READERS}/users`;
  const request = withHeader(GUARDED, organization);
  return [
    { act: { method: 'POST', path: members, body: { user_id: userId, role_ids: [READER] } }, request, expected: 200 },
    { act: { method: 'PATCH', path: `${members}/${userId}`, body: { role_ids: [] } }, request, expected: 403 },
    { act: { method: 'PATCH', path: `${members}/${userId}`, body: { role_ids: [READER] } }, request, expected: 200 },
    { act: { method: 'DELETE', path: `${members}/${userId}` }, request, expected: 404 },
    { act: { method: 'POST', path: users, body: { user_ids: [userId] } }, request: GUARDED, expected: 200 },
    { act: { method: 'DELETE', path: `${users}/${userId}` }, request: GUARDED, expected: 403 },
  ];
}

/** How long a second instance acts by a former membership after the first one responded to the change. */
async function staleMemberships(first, { membershipChanges }) {
  const second = await startServer({ name: 'instance 2', script: SCRIPT, env: first.env, ready: '/health/ready' });
  try {
    const user = newUser();
    await send(first, first.register(user));
    const jar = await logIn(first, user);
    const admin = await logIn(first, ADMIN);
    const [{ organization }] = await membersOf(first);
    const changes = changesOf(await idOf(second, jar), organization);
    const times = [];
    for (let count = 0; count < membershipChanges; count++) {
      const { act, ...wanted } = changes[count % changes.length];
      await send(first, { ...act, jar: admin });
      times.push(await lastStaleMs(second, { ...wanted, jar }, performance.now()));
    }
    times.sort((one, other) => one - other);
    return { count: membershipChanges, p99: quantile(times, 0.99), max: times.at(-1) };
  } finally {
    await second.stop();
  }
}

/** What organizations and groups cost checks, and how soon a change of a membership is in force elsewhere. */
export async function organizations(shared, scale) {
  const users = scale.organizations;
  const few = await filledHost(shared, { users, organizations: 0 });
  const many = await filledHost(shared, { users, organizations: scale.organizations });
  try {
    return {
      organizations: scale.organizations,
      costs: await costs([few, many], scale),
      changes: await staleMemberships(many, scale),
    };
  } finally {
    for (const server of [few, many]) await server.stop();
  }
}
