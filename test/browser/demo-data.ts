import type { APIRequestContext } from 'playwright-core';

const PASSWORD = 'correct horse battery staple';

const people = [
  { username: 'lin_wei', nickname: '林薇', email: 'lin.wei@example.com' },
  { username: 'maria_silva', nickname: 'Maria Silva', email: 'maria.silva@example.com' },
  { username: 'jonas_berg', nickname: 'Jonas Berg', email: 'jonas.berg@example.com' },
  { username: 'chen_hao', nickname: '陈浩', email: 'chen.hao@example.com' },
  { username: 'amina_diallo', nickname: 'Amina Diallo', email: 'amina.diallo@example.com' },
  { username: 'tomas_novak', nickname: 'Tomáš Novák', email: 'tomas.novak@example.com' },
];

type Api = (method: 'get' | 'post' | 'put', path: string, body?: object) => Promise<unknown>;

/** Calls the service as a browser does, with the cookies of the user who logged in through `request`. */
const callerOf =
  (address: string, request: APIRequestContext): Api =>
  async (method, path, body) => {
    const answer = await request[method](address + path, { data: body });
    if (!answer.ok()) throw new Error(`${method} ${path} returned ${answer.status()}: ${await answer.text()}`);
    return answer.status() === 204 ? undefined : ((await answer.json()) as unknown);
  };

/** Creates data for every page: users, a role, groups, an application, a webhook, a provider, messages and failures. */
export async function fillWithDemoData(address: string, request: APIRequestContext, admin: object): Promise<void> {
  const call = callerOf(address, request);
  await call('post', '/api/auth/login', { type: 'password', ...admin });
  const ids: string[] = [];
  for (const person of people) {
    const made = (await call('post', '/api/user', { ...person, password: PASSWORD })) as { id: string };
    ids.push(made.id);
  }
  const role = (await call('post', '/api/role', {
    name: 'support',
    description: 'Answers questions of users',
    permissions: [
      { permission_id: 'user:read', level: 1 },
      { permission_id: 'audit:read', level: 1 },
    ],
  })) as { id: string };
  await call('put', `/api/role/${role.id}/users`, { user_ids: ids.slice(0, 3) });
  await call('post', '/api/attribute', {
    name: 'cost_centre',
    type: 'choice',
    label: { en: 'Cost centre', zh: '成本中心' },
    choices: [{ value: 'berlin', label: { en: 'Berlin', zh: '柏林' } }],
    owner: 'read',
    searchable: true,
  });
  const staff = (await call('post', '/api/group', { name: 'Staff', role_ids: [role.id] })) as { id: string };
  const team = { name: 'Help desk', description: 'Answers the phone', parent_id: staff.id };
  const { id } = (await call('post', '/api/group', team)) as { id: string };
  await call('post', `/api/group/${id}/users`, { user_ids: ids.slice(3) });
  const organization = (await call('post', '/api/organization', { slug: 'acme', name: 'Acme' })) as { id: string };
  const own = (await call('get', '/api/auth/me')) as { id: string };
  const within = `/api/organization/${organization.id}`;
  await call('post', `${within}/members`, { user_id: own.id });
  await call('post', `${within}/members`, { user_id: ids[0], role_ids: [role.id] });
  await call('post', '/api/group', { name: 'Acme sales', organization_id: organization.id, role_ids: [role.id] });
  await call('post', '/api/role', { name: 'clerk', organization_id: organization.id });
  await call('post', `${within}/invitations`, { email: 'invited@example.com', role_ids: [role.id] });
  await call('post', `${within}/domains`, { domain: 'acme.example' });
  await call('post', '/api/oauth/client', {
    name: 'Team wiki',
    redirect_uris: ['https://wiki.example.com/callback'],
    scopes: ['openid', 'profile', 'email'],
  });
  const hook = {
    name: 'Billing',
    // Nothing listens there.
    url: 'http://127.0.0.1:9/events',
    types: ['user.*', 'session.ended', 'role.assigned'],
    headers: { authorization: 'Bearer demo' },
  };
  const webhook = (await call('post', '/api/webhook', hook)) as { id: string };
  await call('post', `/api/webhook/${webhook.id}/test`, {});
  const secrets = { client_id: 'demo', client_secret: 'demo' };
  await call('post', '/api/oauth/provider', { name: 'github', label: 'GitHub', template: 'github', ...secrets });
  const target = 'new.person@example.com';
  await call('post', '/api/auth/codes', { purpose: 'register', channel: 'email', target });
  await request.post(`${address}/api/auth/login`, { data: { type: 'password', username: 'lin_wei', password: 'no' } });
}
