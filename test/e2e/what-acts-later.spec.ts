import { invitationsPerDayPerContact } from '../../src/organizations/invitations';
import { TxtResolver } from '../../src/organizations/domains';
import { expectProblem } from '../support/expect-problem';
import { anyHolder, createRole, Holder, RoleAnswer } from '../support/holders';
import { lastCode } from '../support/inbox';
import { invited, rolesThere, showInvitation, StoredOrganization, storeOrganization } from '../support/invitations';
import { basic, CALLBACK, post, Registered } from '../support/oauth';
import { addMember, within } from '../support/organizations';
import { Problem, TestClient } from '../support/test-client';
import { TestService } from '../support/test-service';
import { withService } from '../support/with-service';

const MACHINE = { grant_types: ['client_credentials'], redirect_uris: [], scopes: ['permission:read'] };
const SCOPED = { resource: 'urn:castellan:iam', scope: 'permission:read' };

interface SetUp {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

interface Rule {
  readonly domain: string;
  readonly txt_name: string;
  readonly txt_value: string;
  readonly members_join: boolean;
  readonly set_by: string | null;
}

let service: TestService;
let admin: TestClient;
let owner: RoleAnswer;
let made = 0;
const records = new Map<string, string[]>();

withService(async (started) => {
  service = started;
  jest
    .spyOn(service.app.get(TxtResolver, { strict: false }), 'resolve')
    .mockImplementation(async (name) => records.get(name) ?? []);
  admin = await service.admin();
  await service.set(invitationsPerDayPerContact, 1_000);
  owner = await createRole(
    admin,
    'owner',
    'organization:update',
    'organization_domain:update',
    'organization_member:*',
    'invitation:*',
    'oauth_client:*',
  );
});

/** What an owner of an organisation has set up there, each of which works. */
interface Place {
  readonly organization: StoredOrganization;
  readonly setter: Holder;
  readonly domain: string;
  readonly contact: string;
  readonly token: string;
  readonly client: Registered;
  readonly machine: Registered;
  readonly path: string;
}

async function setUp(): Promise<Place> {
  const organization = await storeOrganization(service, 'Acme');
  const setter = await anyHolder(service, admin, 'permission:read', 'oauth_client:create');
  await addMember(admin, organization, setter, owner);
  const path = `/api/organization/${organization.id}`;
  const domain = `later${++made}.example`;
  await setRule(setter.client, path, domain, { members_join: true, role_ids: [owner.id] });
  const contact = `guest${made}@elsewhere.example`;
  const token = await invited(service, setter.client, organization, contact, { role_ids: [owner.id] });
  const registered = async (name: string, more: object, there: object): Promise<Registered> => {
    const body = { name, redirect_uris: [CALLBACK], scopes: ['openid'], organization_id: organization.id, ...more };
    const answer = await setter.client.post<Registered>('/api/oauth/client', body, there);
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return answer.body;
  };
  const client = await registered('Portal', {}, within(organization));
  const machine = await registered('Machine', MACHINE, {});
  return { organization, setter, domain, contact, token, client, machine, path };
}

async function setRule(by: TestClient, path: string, domain: string, rule: object): Promise<void> {
  const { body } = await by.post<Rule>(`${path}/domains`, { domain });
  records.set(body.txt_name, [body.txt_value]);
  expect((await by.post(`${path}/domains/${domain}/verify`)).status).toBe(200);
  expect((await by.patch(`${path}/domains/${domain}`, rule)).status).toBe(200);
}

/** The roles of a new user who verifies an address of the domain; undefined: no member. */
async function joinBy({ organization, domain }: Place): Promise<string[] | undefined> {
  const username = `joiner_${++made}`;
  const email = `${username}@${domain}`;
  await service.client().post('/api/auth/codes', { purpose: 'register', channel: 'email', target: email });
  await service.register(username, { email, email_code: lastCode(service, email) });
  return rolesThere(service, organization, username);
}

/** What acts later for the user who set it up, and whether it does. */
const ACTS: readonly (readonly [name: string, acts: (place: Place) => Promise<boolean>])[] = [
  ['a rule of a domain', async (place) => (await joinBy(place)) !== undefined],
  ['an invitation', async ({ token }) => (await showInvitation(service, token)).status === 200],
  [
    'a client that acts for the organisation, with the scopes of who gave them',
    async ({ machine }) => {
      const form = { grant_type: 'client_credentials', ...SCOPED };
      return (await post(service, '/api/oauth/token', form, basic(machine))).status === 200;
    },
  ],
];

const actsOf = async (place: Place): Promise<object> => {
  const acts = [];
  for (const [name, act] of ACTS) acts.push([name, await act(place)]);
  return Object.fromEntries(acts) as object;
};
const all = (acts: boolean): object => Object.fromEntries(ACTS.map(([name]) => [name, acts]));

const member = ({ path, setter }: Place): string => `${path}/members/${setter.id}`;
const user = ({ setter }: Place): string => `/api/user/${setter.id}`;
const status = async (answer: Promise<{ status: number }>): Promise<number> => (await answer).status;

/** Ways in which a user may no longer do what was set up. */
const REMOVED = (place: Place) => status(admin.delete(member(place)));
const DEMOTED = (place: Place) => status(admin.patch(member(place), { role_ids: [] }));
const DISABLED = (place: Place) => status(admin.patch(user(place), { status: 'disabled' }));
const DISABLED_WITH_OTHERS = (place: Place) =>
  status(admin.post('/api/user/batch/status', { user_ids: [place.setter.id], status: 'disabled' }));
const DELETED = (place: Place) => status(admin.delete(user(place)));

const auditOf = async ({ organization }: Place, action: string): Promise<Record<string, unknown>[]> =>
  (
    await admin.get<{ items: Record<string, unknown>[] }>(
      `/api/audit?organization_id=${organization.id}&action=${action}`,
    )
  ).body.items;

describe('what a user has set up in an organisation', () => {
  it.each([
    ['is removed', REMOVED],
    ['loses the role', DEMOTED],
    ['is disabled', DISABLED],
    ['is disabled with others', DISABLED_WITH_OTHERS],
    ['is deleted', DELETED],
  ])('acts no more once the user %s', async (_, end) => {
    const place = await setUp();
    expect(await actsOf(place)).toEqual(all(true));
    expect([200, 204]).toContain(await end(place));
    expect(await actsOf(place)).toEqual(all(false));
  });

  it('is shown before the removal, whose audit names it', async () => {
    const place = await setUp();
    const { client, machine, domain, setter } = place;
    const expected = [
      { kind: 'domain', id: domain, name: domain },
      { kind: 'invitation', id: expect.any(String) as string, name: expect.stringContaining('@') as string },
      { kind: 'oauth_client', id: machine.id, name: 'Machine' },
      { kind: 'oauth_client', id: client.id, name: 'Portal' },
    ];
    const shown = (await admin.get<{ set_up: SetUp[] }>(member(place))).body;
    expect(shown.set_up).toEqual(expected);
    expect((await setter.client.get<{ set_up: SetUp[] }>(member(place))).body.set_up).toEqual(expected);
    expect(await REMOVED(place)).toBe(204);
    const [removal] = await auditOf(place, 'organization.remove_members');
    expect(removal).toMatchObject({ before: { role_ids: [owner.id], set_up: shown.set_up } });
    const reason = 'set up by a removed member';
    expect(await auditOf(place, 'organization.update_domain')).toMatchObject([
      { reason, before: { members_join: true }, after: { domain, members_join: false, role_ids: [owner.id] } },
      {},
    ]);
    expect(await auditOf(place, 'invitation.disable')).toMatchObject([{ reason }]);
    expect(await auditOf(place, 'oauth_client.disable')).toMatchObject([{ reason }, { reason }]);
  });

  it.each([
    ['removed', REMOVED, async (place: Place) => addMember(admin, place.organization, place.setter, owner)],
    ['disabled', DISABLED, async (place: Place) => void (await admin.patch(user(place), { status: 'active' }))],
  ])('stays off when a user who was %s is back', async (_, end, back) => {
    const place = await setUp();
    await end(place);
    await back(place);
    expect(await actsOf(place)).toEqual(all(false));
    const { set_up } = (await admin.get<{ set_up: SetUp[] }>(member(place))).body;
    // A disabled client that the user owns is lost with the membership, too.
    expect(set_up.filter(({ kind }) => kind !== 'oauth_client')).toEqual([]);
  });

  it('is switched on again by another user, who answers for it from then on', async () => {
    const place = await setUp();
    await REMOVED(place);
    const other = await anyHolder(service, admin, 'permission:read');
    await addMember(admin, place.organization, other, owner);
    const rule = `${place.path}/domains/${place.domain}`;
    expect((await other.client.patch<Rule>(rule, { members_join: true })).body.set_by).toBe(other.id);
    expect(await joinBy(place)).toEqual([owner.id]);
    const portal = `/api/oauth/client/${place.client.id}`;
    expect((await other.client.patch(portal, { enabled: true }, within(place.organization))).status).toBe(200);
    const { set_up } = (await admin.get<{ set_up: SetUp[] }>(`${place.path}/members/${other.id}`)).body;
    expect(set_up.map(({ kind, name }) => [kind, name])).toEqual([
      ['domain', place.domain],
      ['oauth_client', 'Portal'],
    ]);
  });

  it('stays with a user who is removed from another organisation', async () => {
    const place = await setUp();
    const other = await storeOrganization(service, 'Other');
    await addMember(admin, other, place.setter, owner);
    expect((await admin.delete(`/api/organization/${other.id}/members/${place.setter.id}`)).status).toBe(204);
    expect(await actsOf(place)).toEqual(all(true));
  });
});

describe('the rule of a domain', () => {
  it('gives nothing, and says so in the audit log and the log, while who set it may not give its roles', async () => {
    const place = await setUp();
    await DEMOTED(place);
    expect(await joinBy(place)).toBeUndefined();
    const [refused] = await auditOf(place, 'organization.add_members');
    expect(refused).toMatchObject({
      outcome: 'failure',
      reason: `domain ${place.domain}: who set its rule may not give its roles`,
      after: { added: 0, role_ids: [owner.id], set_by: place.setter.id },
    });
    expect(service.logLines.some((line) => line.includes('A user did not join by domain'))).toBe(true);
    await admin.patch(member(place), { role_ids: [owner.id] });
    expect(await joinBy(place)).toEqual([owner.id]);
  });

  it('gives nothing without a setter', async () => {
    const place = await setUp();
    await service.query('UPDATE organization_domain SET rule_set_by = NULL WHERE domain = $1', [place.domain]);
    expect(await joinBy(place)).toBeUndefined();
  });
});

describe('a client of an organisation that a user owns', () => {
  it('is enabled by those who may tie it only, and is no longer of an owner who was removed', async () => {
    const place = await setUp();
    const path = `/api/oauth/client/${place.machine.id}`;
    const { client } = place.setter;
    await DEMOTED(place);
    expect((await client.patch(path, { enabled: false })).status).toBe(200);
    expectProblem(await client.patch<Problem>(path, { enabled: true }), 403, 'escalation_denied');
    await REMOVED(place);
    expectProblem(await client.patch<Problem>(path, { name: 'Still mine' }), 404, 'not_found');
    expect((await admin.get<{ owner_id: string | null }>(path)).body.owner_id).toBeNull();
  });

  it('stays disabled by the service', async () => {
    const place = await setUp();
    const path = `/api/oauth/client/${place.machine.id}`;
    await admin.patch(path, { enabled: false });
    await REMOVED(place);
    expect((await admin.get<object>(path)).body).toMatchObject({ enabled: false, disabled_by_service: true });
  });
});
