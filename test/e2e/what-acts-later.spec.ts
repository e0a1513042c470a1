import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, RoleAnswer } from '../support/accounts/holders';
import { storeOrganization } from '../support/organizations/invitations';
import { addMember, within } from '../support/organizations/organizations';
import { all, member, Place, Rule, SetUp, SetUpStage } from '../support/accounts/set-up-stage';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let stage: SetUpStage;
let admin: TestClient;
let owner: RoleAnswer;

withService(async (started) => {
  service = started;
  stage = await SetUpStage.start(service);
  ({ admin, owner } = stage);
});

const setUp = (): Promise<Place> => stage.setUp();
const joinBy = (place: Place): Promise<string[] | undefined> => stage.joinBy(place);
const actsOf = (place: Place): Promise<object> => stage.actsOf(place);
const auditOf = (place: Place, action: string): Promise<Record<string, unknown>[]> => stage.auditOf(place, action);

/** Ways in which a user may no longer do what was set up. */
const REMOVED = (place: Place): Promise<number> => stage.remove(place);
const DEMOTED = (place: Place): Promise<number> => stage.demote(place);
const DISABLED = (place: Place): Promise<number> => stage.setStatus(place, 'disabled');
const DISABLED_WITH_OTHERS = (place: Place): Promise<number> => stage.setStatusOfMany(place, 'disabled');
const DELETED = (place: Place): Promise<number> => stage.delete(place);

describe('what a user has set up in an organization', () => {
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

  it('stays off when a user who was removed is back', async () => {
    const place = await setUp();
    await REMOVED(place);
    await addMember(admin, place.organization, place.setter, owner);
    expect(await actsOf(place)).toEqual(all(false));
    const { set_up } = (await admin.get<{ set_up: SetUp[] }>(member(place))).body;
    // A disabled client that the user owns is lost with the membership, too.
    expect(set_up.filter(({ kind }) => kind !== 'oauth_client')).toEqual([]);
  });

  it('is switched on again by another user, who answers for it from then on', async () => {
    const place = await setUp();
    await REMOVED(place);
    const other = await anyUserWith(service, admin, 'permission:read');
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

  it('stays with a user who is removed from another organization', async () => {
    const place = await setUp();
    const other = await storeOrganization(service, 'Other');
    await addMember(admin, other, place.setter, owner);
    expect((await admin.delete(`/api/organization/${other.id}/members/${place.setter.id}`)).status).toBe(204);
    expect(await actsOf(place)).toEqual(all(true));
  });
});

describe('the rule of a domain', () => {
  it.each([
    ['nothing', {}],
    ['what it is', { members_join: true, role_ids: undefined }],
    ['its roles', { members_join: undefined, role_ids: 'same' }],
  ])('stays with who set it when a change names %s', async (_, body) => {
    const place = await setUp();
    const rule = `${place.path}/domains/${place.domain}`;
    const before = (await auditOf(place, 'organization.update_domain')).length;
    const same = 'role_ids' in body && body.role_ids === 'same' ? { role_ids: [owner.id] } : body;
    const answer = await admin.patch<Rule>(rule, same);
    expect([answer.status, answer.body.set_by]).toEqual([200, place.setter.id]);
    expect(await auditOf(place, 'organization.update_domain')).toHaveLength(before);
  });

  it('belongs to who changes what it gives', async () => {
    const place = await setUp();
    const rule = `${place.path}/domains/${place.domain}`;
    const answer = await admin.patch<Rule>(rule, { role_ids: [] });
    expect(answer.body.set_by).not.toBe(place.setter.id);
  });

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

describe('a client of an organization that a user owns', () => {
  it('stays with who tied it when a change names the same organization', async () => {
    const place = await setUp();
    const path = `/api/oauth/client/${place.client.id}`;
    expect((await admin.patch(path, { organization_id: place.organization.id })).status).toBe(200);
    expect((await admin.patch(path, { enabled: true })).status).toBe(200);
    expect(await auditOf(place, 'oauth_client.update')).toEqual([]);
    const [row] = await service.query<{ setter: string }>(
      'SELECT organization_set_by AS setter FROM oauth_client WHERE id = $1',
      [place.client.id],
    );
    expect(row?.setter).toBe(place.setter.id);
  });

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
