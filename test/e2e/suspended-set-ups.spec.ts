import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, RoleAnswer } from '../support/accounts/holders';
import { showInvitation } from '../support/organizations/invitations';
import { basic, post } from '../support/oauth/oauth';
import { addMember, within } from '../support/organizations/organizations';
import { all, MACHINE_FORM, member, Place, Rule, SetUp, SetUpStage, user } from '../support/accounts/set-up-stage';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let stage: SetUpStage;
let admin: TestClient;
let owner: RoleAnswer;
let made = 0;

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
const DISABLED = (place: Place): Promise<number> => stage.setStatus(place, 'disabled');
const DISABLED_WITH_OTHERS = (place: Place): Promise<number> => stage.setStatusOfMany(place, 'disabled');
const ENABLED = (place: Place): Promise<number> => stage.setStatus(place, 'active');
const ENABLED_WITH_OTHERS = (place: Place): Promise<number> => stage.setStatusOfMany(place, 'active');
const DELETED = (place: Place): Promise<number> => stage.delete(place);

describe('what a disabled user has set up in an organization', () => {
  it.each([
    ['alone', DISABLED, ENABLED],
    ['with others', DISABLED_WITH_OTHERS, ENABLED_WITH_OTHERS],
  ])('acts again once the user is enabled %s', async (_, disable, enable) => {
    const place = await setUp();
    const before = (await admin.get<{ set_up: SetUp[] }>(member(place))).body.set_up;
    expect(await disable(place)).toBe(200);
    expect(await actsOf(place)).toEqual(all(false));
    expect((await admin.get<{ set_up: SetUp[] }>(member(place))).body.set_up).toEqual(before);
    expect(await enable(place)).toBe(200);
    expect(await actsOf(place)).toEqual(all(true));
    const after = { user_ids: [place.setter.id], set_up: before };
    expect(await auditOf(place, 'organization.suspend_set_up')).toMatchObject([{ after }]);
    expect(await auditOf(place, 'organization.restore_set_up')).toMatchObject([{ after }]);
    for (const action of ['organization.update_domain', 'invitation.disable', 'oauth_client.disable']) {
      expect((await auditOf(place, action)).filter(({ reason }) => reason !== null)).toEqual([]);
    }
  });

  it('is shown as suspended, and its invitation says why it does not open', async () => {
    const place = await setUp();
    const shown = async (): Promise<unknown[]> => {
      const [domains, invitations] = [
        await admin.get<{ items: { suspended: boolean }[] }>(`${place.path}/domains`),
        await admin.get<{ items: { suspended: boolean }[] }>(`${place.path}/invitations`),
      ];
      const client = await admin.get<{ suspended?: true; enabled: boolean }>(`/api/oauth/client/${place.client.id}`);
      return [domains.body.items[0]?.suspended, invitations.body.items[0]?.suspended, client.body.suspended ?? false];
    };
    expect(await shown()).toEqual([false, false, false]);
    await DISABLED(place);
    expect(await shown()).toEqual([true, true, true]);
    expectProblem((await showInvitation(service, place.token)) as never, 409, 'invitation_suspended');
    const body = { username: `guest_${++made}`, password: 'a long password 7', invitation_token: place.token };
    expectProblem(await service.client().post<Problem>('/api/auth/register', body), 409, 'invitation_suspended');
    await ENABLED(place);
    expect(await shown()).toEqual([false, false, false]);
    expect((await service.client().post('/api/auth/register', body)).status).toBe(201);
  });

  it('ends with the removal or the deletion of the user', async () => {
    for (const end of [REMOVED, DELETED]) {
      const place = await setUp();
      await DISABLED(place);
      expect(await end(place)).toBe(204);
      await ENABLED(place);
      expect(await actsOf(place)).toEqual(all(false));
    }
  });

  it('is taken over by another user, and stays with that one', async () => {
    const place = await setUp();
    await DISABLED(place);
    const other = await anyUserWith(service, admin, 'permission:read');
    await addMember(admin, place.organization, other, owner);
    const rule = `${place.path}/domains/${place.domain}`;
    expect((await other.client.patch<Rule>(rule, {})).body.set_by).toBe(place.setter.id);
    expect((await other.client.patch<Rule>(rule, { members_join: true })).body.set_by).toBe(other.id);
    expect(await joinBy(place)).toEqual([owner.id]);
    const path = `/api/oauth/client/${place.machine.id}`;
    const taken = await other.client.patch<object>(path, { enabled: true }, within(place.organization));
    expect(taken.body).toMatchObject({ enabled: true, owner_id: null });
    expect(taken.body).not.toHaveProperty('suspended');
    await ENABLED(place);
    const { set_up } = (await admin.get<{ set_up: SetUp[] }>(member(place))).body;
    expect(set_up.map(({ kind, name }) => [kind, name])).toEqual([
      ['invitation', expect.any(String)],
      ['oauth_client', 'Portal'],
    ]);
  });

  it('does not act with tokens from before, which work again afterwards', async () => {
    const place = await setUp();
    const issued = await post(service, '/api/oauth/token', MACHINE_FORM, basic(place.machine));
    const { access_token: token } = issued.body as { access_token: string };
    const headers = { authorization: `Bearer ${token}` };
    const body = { user_id: place.setter.id, checks: [{ permission_id: 'role:read' }] };
    const call = () => service.client().post('/api/permission/check', body, { headers });
    expect((await call()).status).toBe(200);
    await DISABLED(place);
    expect((await call()).status).toBe(401);
    await ENABLED(place);
    expect((await call()).status).toBe(200);
  });

  it('joins nobody who verified an address while the user was being disabled', async () => {
    const place = await setUp();
    const [, joined] = await Promise.all([DISABLED(place), joinBy(place)]);
    const members = await admin.get<{ items: { action: string }[] }>(
      `/api/audit?organization_id=${place.organization.id}&page_size=100`,
    );
    const actions = members.body.items.map(({ action }) => action).reverse();
    const [suspended, added] = [
      actions.indexOf('organization.suspend_set_up'),
      actions.lastIndexOf('organization.add_members'),
    ];
    expect(suspended).toBeGreaterThan(-1);
    // A member who was added joined before, whatever the order of the answers.
    if (joined !== undefined) expect(added).toBeLessThan(suspended);
    expect(await actsOf(place)).toEqual(all(false));
  });

  it('follows the last of concurrent changes of the status', async () => {
    const place = await setUp();
    for (let round = 0; round < 3; round++) {
      await Promise.all([DISABLED(place), ENABLED(place), DISABLED_WITH_OTHERS(place), ENABLED_WITH_OTHERS(place)]);
      const { status: now } = (await admin.get<{ status: string }>(user(place))).body;
      expect(await actsOf(place)).toEqual(all(now === 'active'));
    }
    await ENABLED(place);
    expect(await actsOf(place)).toEqual(all(true));
  });
});
