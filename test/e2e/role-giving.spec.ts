import { UsersApi } from '../../src';
import { Caller, OPERATOR, RequestContext, runInRequest } from '../../src/platform/context';
import { Transactions } from '../../src/platform/database';
import { ProblemError } from '../../src/platform/errors';
import { DefaultRoleService } from '../../src/rbac';
import { createGroup, GroupAnswer } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer, systemRole } from '../support/accounts/holders';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

/** `given`, or the code of the problem. */
type Give = (as: UserWithGrants) => Promise<string>;

interface Imported {
  readonly roles_given: { role: string }[];
  readonly items: { roles_left_out?: { why: string }[] }[];
}

let service: TestService;
let admin: TestClient;
/** Holds everything that gives roles everywhere, but `role:update`. */
let lead: UserWithGrants;
let complete: UserWithGrants;
/** Grants nothing: applications trust its name. */
let payroll: RoleAnswer;
let made = 0;

const RIGHTS = ['user:admin', 'group:*', 'role:read', 'plan:read'];

withService(async (started) => {
  service = started;
  admin = await service.admin();
  payroll = await createRole(admin, 'payroll_staff');
  lead = await anyUserWith(service, admin, ...RIGHTS);
  complete = await anyUserWith(service, admin, ...RIGHTS, 'role:update');
});

const newName = (): string => `given_${made++}`;
const outcomeOf = async (sent: Promise<Answer<Problem>>): Promise<string> => {
  const { status, body } = await sent;
  return status < 300 ? 'given' : body.code;
};

async function importWith({ client }: UserWithGrants, roles: string): Promise<string> {
  const csv = `username,roles\n${newName()},${roles}`;
  const { body } = await client.post<Imported>('/api/user/import', { csv });
  return body.roles_given.length > 0 ? 'given' : (body.items[0]?.roles_left_out?.[0]?.why ?? 'nothing');
}

async function createInCode({ id, username }: UserWithGrants, role: string): Promise<string> {
  const caller = { userId: id, username, sessionId: id } as Caller;
  const users = service.app.get(UsersApi, { strict: false });
  const create = (): Promise<unknown> => users.create({ username: newName(), roles: [role] }, { by: caller });
  try {
    await runInRequest({ caller } as RequestContext, create);
    return 'given';
  } catch (error) {
    return (error as ProblemError).code;
  }
}

/** Every way by which a role is given everywhere. Routes that need `role:update` themselves deny it before. */
async function waysToGive(role: RoleAnswer): Promise<[string, Give][]> {
  const role_ids = [role.id];
  const [person, other] = [await anyUserWith(service, admin), await anyUserWith(service, admin)];
  const groupWith = (more: object = {}): Promise<GroupAnswer> => createGroup(admin, newName(), more);
  const [plain, below, holding] = [await groupWith(), await groupWith(), await groupWith({ role_ids })];
  const under = await groupWith({ parent_id: holding.id });
  const joining = { user_ids: [person.id] };
  const [first, second] = [newName(), newName()];
  const username = newName();
  return [
    ['create an account', ({ client }) => outcomeOf(client.post('/api/user', { username, role_ids }))],
    ['import', (as) => importWith(as, role.name)],
    ['create in the code of a host', (as) => createInCode(as, role.id)],
    ['create a group', ({ client }) => outcomeOf(client.post('/api/group', { name: first, role_ids }))],
    ['create below', ({ client }) => outcomeOf(client.post('/api/group', { name: second, parent_id: holding.id }))],
    ['change a group', ({ client }) => outcomeOf(client.patch(`/api/group/${plain.id}`, { role_ids }))],
    ['move', ({ client }) => outcomeOf(client.patch(`/api/group/${below.id}`, { parent_id: holding.id }))],
    ['join', ({ client }) => outcomeOf(client.post(`/api/group/${holding.id}/users`, joining))],
    ['join below', ({ client }) => outcomeOf(client.put(`/api/group/${under.id}/users`, joining))],
    ['add to the user', ({ client }) => outcomeOf(client.post(`/api/user/${person.id}/roles`, { role_ids }))],
    ['add to the role', ({ client }) => outcomeOf(client.post(`/api/role/${role.id}/users`, { user_ids: [other.id] }))],
    ['replace its users', ({ client }) => outcomeOf(client.put(`/api/role/${role.id}/users`, joining))],
  ];
}

const byRoute: Readonly<Record<string, string>> = {
  'add to the user': 'permission_denied',
  'add to the role': 'permission_denied',
  'replace its users': 'permission_denied',
};

const given = async (): Promise<unknown> => ({
  users: await service.query('SELECT user_id FROM user_role WHERE role_id = $1 ORDER BY user_id', [payroll.id]),
  groups: await service.query('SELECT * FROM user_group_role ORDER BY group_id, role_id'),
  paths: await service.query('SELECT id, path FROM user_group ORDER BY id'),
  members: await service.query('SELECT * FROM user_group_member ORDER BY group_id, user_id'),
});

const outcomes = async (ways: readonly [string, Give][], as: UserWithGrants): Promise<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const [way, give] of ways) found[way] = await give(as);
  return found;
};

const all = (ways: readonly [string, Give][], outcome: string, others = {}): Record<string, string> => ({
  ...Object.fromEntries(ways.map(([way]) => [way, outcome])),
  ...others,
});

describe('a role of the service without permissions', () => {
  it('is given everywhere only by holders of role:update everywhere, in every way', async () => {
    const ways = await waysToGive(payroll);
    const before = await given();
    const denied = await outcomes(ways, lead);
    expect(denied).toEqual(all(ways, 'escalation_denied', byRoute));
    expect(await given()).toEqual(before);
    const lacking = await service.query<{ lacking: unknown }>(
      `SELECT after -> 'lacking' AS lacking FROM audit_event WHERE action = 'permission.escalate' AND actor_id = $1`,
      [lead.id],
    );
    expect(lacking).toHaveLength(ways.length - Object.keys(byRoute).length);
    for (const row of lacking) expect(row.lacking).toMatchObject([{ scope: 'iam', permission_id: 'role:update' }]);
    expect(await outcomes(ways, complete)).toEqual(all(ways, 'given'));
  });

  it('differs from one that grants more, which its permissions protect', async () => {
    const planner = await createRole(admin, 'planner', 'plan:read');
    const ways = (await waysToGive(planner)).filter(([way]) => !(way in byRoute));
    expect(await outcomes(ways, lead)).toEqual(all(ways, 'given'));
  });

  it('may be the default role: every new user has it', async () => {
    const user = await systemRole(admin, 'user');
    expect(await outcomeOf(lead.client.post('/api/user', { username: newName(), role_ids: [user.id] }))).toBe('given');
    const { body } = await admin.post<RoleAnswer>('/api/role', { name: 'beginner' });
    const setDefault = (value: string | null): Promise<Answer> =>
      admin.put('/api/setting', { updates: [{ key: 'register.default_role', value }] });
    expect((await setDefault(body.name)).status).toBe(200);
    try {
      const defaults = service.app.get(DefaultRoleService, { strict: false });
      const transactions = service.app.get(Transactions, { strict: false });
      expect((await transactions.run(() => defaults.givenBy({ userId: lead.id })))?.id).toBe(body.id);
      expect(await importWith(lead, body.name)).toBe('nothing');
      expect(await importWith(lead, payroll.name)).toBe('escalation_denied');
    } finally {
      expect((await setDefault(null)).status).toBe(200);
    }
  });

  it('is not taken from a group with other changes, and members leave it', async () => {
    const holding = await createGroup(admin, newName(), { role_ids: [payroll.id] });
    const person = await anyUserWith(service, admin);
    await admin.post(`/api/group/${holding.id}/users`, { user_ids: [person.id] });
    const { client } = lead;
    expect(await outcomeOf(client.patch(`/api/group/${holding.id}`, { name: newName() }))).toBe('given');
    expect(await outcomeOf(client.put(`/api/group/${holding.id}/users`, { user_ids: [] }))).toBe('given');
    expect(await outcomeOf(client.patch(`/api/group/${holding.id}`, { role_ids: [] }))).toBe('given');
  });

  it('is given by the system', async () => {
    const defaults = service.app.get(DefaultRoleService, { strict: false });
    const transactions = service.app.get(Transactions, { strict: false });
    expect((await transactions.run(() => defaults.givenBy(OPERATOR)))?.name).toBe('user');
  });
});
