import { OrganizationMembershipsService } from '../../src/rbac';
import { someoneActing } from '../support/accounts/acting';
import { eventually } from '../support/service/eventually';
import { expectProblem } from '../support/service/expect-problem';
import { createGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import { messagesTo } from '../support/receivers/inbox';
import { invite, lastToken } from '../support/organizations/invitations';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { OWN_ORGANIZATIONS, ownOrganizations, PendingStage } from '../support/accounts/pending-stage';
import { raceRounds } from '../support/service/race-rounds';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let stage: PendingStage;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  stage = await PendingStage.start(service);
});

describe('the user of a pending membership', () => {
  it('sees and accepts it, with the roles', async () => {
    const ann = await stage.pendingOne(stage.reader);
    const shown = { id: stage.organization.id, slug: 'acme', name: 'Acme Ltd', logo: '', roles: ['iam:reader'] };
    expect(await ownOrganizations(ann)).toEqual([{ ...shown, status: 'pending' }]);
    expect((await stage.accept(ann)).status).toBe(204);
    expect((await stage.accept(ann)).status).toBe(204);
    expect(await ownOrganizations(ann)).toEqual([{ ...shown, status: 'accepted' }]);
    expect(await stage.member(ann)).toMatchObject({ status: 'accepted', role_ids: [stage.reader.id] });
    expect(await stage.holds(ann)).toBe(true);
    expect(await stage.actsOn(ann)).toEqual([
      ['organization.add_pending_member', stage.boss.id, null],
      ['organization.add_members', ann.id, 'accepted'],
    ]);
  });

  it('declines it, and leaves', async () => {
    const ann = await stage.pendingOne();
    expect((await stage.leave(ann)).status).toBe(204);
    expectProblem(await stage.leave(ann), 404, 'not_found');
    expectProblem(await stage.accept(ann), 404, 'not_found');
    await addMember(stage.boss.client, stage.organization, ann);
    await stage.accept(ann);
    expect((await stage.leave(ann)).status).toBe(204);
    expect(await ownOrganizations(ann)).toEqual([]);
    expectProblem(await stage.leave(ann), 404, 'not_found');
    expect((await stage.actsOn(ann)).slice(1)).toEqual([
      ['organization.remove_pending_member', ann.id, null],
      ['organization.add_pending_member', stage.boss.id, null],
      ['organization.add_members', ann.id, 'accepted'],
      ['organization.remove_members', ann.id, null],
    ]);
  });

  it('accepts nothing that the one who gave it may no longer give', async () => {
    const giver = await stage.bossOf(stage.organization);
    const [ann, bob] = [await anyUserWith(service, admin), await anyUserWith(service, admin)];
    for (const person of [ann, bob]) await addMember(giver.client, stage.organization, person, stage.reader);
    expect((await admin.delete(stage.path(giver.id))).status).toBe(204);
    expectProblem(await stage.accept(ann), 404, 'not_found');
    // Given again by another administrator.
    await addMember(stage.boss.client, stage.organization, ann, stage.reader);
    expect((await stage.accept(ann)).status).toBe(204);
    // Made a member by another act, without the roles.
    await addMember(admin, stage.organization, bob);
    expect(await stage.member(bob)).toMatchObject({ status: 'accepted', role_ids: [] });
  });

  it('decides while logged in as such only', async () => {
    const { actor, user } = await someoneActing(service, admin);
    await addMember(stage.boss.client, stage.organization, user);
    expect((await actor.client.get(OWN_ORGANIZATIONS)).status).toBe(200);
    expectProblem(await stage.accept(actor), 403, 'acting_restricted');
    expectProblem(await stage.leave(actor), 403, 'acting_restricted');
  });

  it('stays while no other member holds everything there', async () => {
    const home = await createOrganization(admin, `last-${made++}`);
    const everything = await createRole(admin, `everything_${made++}`, { scope: '*', permission_id: '*:*', level: 7 });
    const [ann, bob, eve] = [
      await anyUserWith(service, admin),
      await anyUserWith(service, admin),
      await anyUserWith(service, admin),
    ];
    await addMember(admin, home, ann, everything);
    for (const person of [bob, eve]) await addMember(admin, home, person);
    expectProblem(await stage.leave(ann, home), 409, 'last_admin');
    const group = await createGroup(admin, `Owners ${made++}`, { organization_id: home.id, role_ids: [everything.id] });
    expect((await admin.post(`/api/group/${group.id}/users`, { user_ids: [bob.id] })).status).toBe(200);
    await admin.patch(`/api/user/${bob.id}`, { status: 'disabled' });
    expectProblem(await stage.leave(ann, home), 409, 'last_admin');
    await admin.patch(`/api/user/${bob.id}`, { status: 'active' });
    expect((await stage.leave(ann, home)).status).toBe(204);
    expect((await stage.leave(eve, home)).status).toBe(204);
  });
});

describe('the last member who holds everything', () => {
  interface Owned {
    readonly home: OrganizationAnswer;
    readonly owner: RoleAnswer;
    readonly ann: UserWithGrants;
    readonly member: string;
  }

  /** An organization with a role of its own that gives everything there, which only Ann has. */
  async function owned(): Promise<Owned> {
    const home = await createOrganization(admin, `owned-${made++}`);
    const permissions = [{ scope: '*', permission_id: '*:*', level: 7 }];
    const body = { name: `owner_${made++}`, organization_id: home.id, permissions };
    const { body: owner } = await admin.post<RoleAnswer>('/api/role', body);
    const ann = await anyUserWith(service, admin);
    await addMember(admin, home, ann, owner);
    return { home, owner, ann, member: `/api/organization/${home.id}/members/${ann.id}` };
  }

  it('keeps it, whatever is changed there', async () => {
    const { home, owner, ann, member } = await owned();
    const there = within(home);
    const changes = [
      () => ann.client.patch<Problem>(member, { role_ids: [] }, there),
      () => ann.client.delete<Problem>(member, there),
      () => ann.client.put<Problem>(`/api/role/${owner.id}/users`, { user_ids: [] }, there),
      () => ann.client.post<Problem>(`/api/role/${owner.id}/users/remove`, { user_ids: [ann.id] }, there),
      () => ann.client.delete<Problem>(`/api/role/${owner.id}/users/${ann.id}`, there),
      () => ann.client.patch<Problem>(`/api/role/${owner.id}`, { permissions: [] }, there),
      () => ann.client.delete<Problem>(`/api/role/${owner.id}`, there),
    ];
    for (const change of changes) expectProblem(await change(), 409, 'last_admin');
    expect((await admin.get<{ role_ids: string[] }>(member)).body.role_ids).toEqual([owner.id]);
  });

  it('keeps it when a group gives it', async () => {
    const { home, owner, ann, member } = await owned();
    const there = within(home);
    const group = await createGroup(admin, `Owners ${made++}`, { organization_id: home.id, role_ids: [owner.id] });
    const path = `/api/group/${group.id}`;
    await admin.post(`${path}/users`, { user_ids: [ann.id] });
    expect((await ann.client.patch(member, { role_ids: [] }, there)).status).toBe(200);
    const changes = [
      () => ann.client.put<Problem>(`${path}/users`, { user_ids: [] }, there),
      () => ann.client.post<Problem>(`${path}/users/remove`, { user_ids: [ann.id] }, there),
      () => ann.client.delete<Problem>(`${path}/users/${ann.id}`, there),
      () => ann.client.patch<Problem>(path, { role_ids: [] }, there),
      () => ann.client.delete<Problem>(path, there),
    ];
    for (const change of changes) expectProblem(await change(), 409, 'last_admin');
  });

  it('may go for another one, and by who may appoint another one', async () => {
    const { home, owner, ann, member } = await owned();
    const bob = await anyUserWith(service, admin);
    await addMember(admin, home, bob, owner);
    expect((await ann.client.patch(member, { role_ids: [] }, within(home))).status).toBe(200);
    expect((await admin.delete(`/api/organization/${home.id}/members/${bob.id}`)).status).toBe(204);
  });

  it('stays one of two who go at once', async () => {
    for (let round = 0; round < raceRounds(10); round += 1) {
      const { home, owner, ann, member } = await owned();
      const bob = await anyUserWith(service, admin);
      await addMember(admin, home, bob, owner);
      const answers = await Promise.all([
        ann.client.patch(member, { role_ids: [] }, within(home)),
        stage.leave(bob, home),
      ]);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
    }
  });

  it.each([
    ['disabled', ({ ann }: Owned) => admin.patch(`/api/user/${ann.id}`, { status: 'disabled' })],
    [
      'disabled with others',
      ({ ann }: Owned) => admin.post('/api/user/batch/status', { user_ids: [ann.id], status: 'disabled' }),
    ],
    ['deleted', ({ ann }: Owned) => admin.delete(`/api/user/${ann.id}`)],
  ])('is named by the audit log of the organization when %s', async (_, close) => {
    const place = await owned();
    const others = await owned();
    await addMember(admin, others.home, place.ann, others.owner);
    expect((await close(place)).status).toBeLessThan(300);
    const rows = await service.query(
      `SELECT organization_id, after FROM audit_event
       WHERE action = 'organization.lose_administrator' AND organization_id = ANY($1::uuid[])`,
      [[place.home.id, others.home.id]],
    );
    expect(rows).toEqual([{ organization_id: place.home.id, after: { user_ids: [place.ann.id] } }]);
  });
});

describe('a pending member becomes one', () => {
  const mailed = async (): Promise<UserWithGrants & { readonly email: string }> => {
    const holder = await stage.pendingOne(stage.reader);
    const email = `${holder.username}@example.com`;
    await admin.patch(`/api/user/${holder.id}`, { email, email_verified: true });
    return { ...holder, email };
  };

  it('by an invitation, with the roles of both', async () => {
    const ann = await mailed();
    const other = await createRole(admin, `other_${made++}`, 'report:update');
    expect((await invite(admin, stage.organization, { email: ann.email, role_ids: [other.id] })).status).toBe(201);
    const token = lastToken(service, ann.email);
    expect((await ann.client.post('/api/invitation/accept', { token })).status).toBe(200);
    expect(await stage.member(ann)).toMatchObject({ status: 'accepted', role_ids: [stage.reader.id, other.id].sort() });
  });

  it('by a domain, unless the membership was declined or removed before', async () => {
    const memberships = service.app.get(OrganizationMembershipsService, { strict: false });
    const ann = await stage.pendingOne(stage.reader);
    expect(await memberships.admit(stage.organization.id, ann.id, [], { reason: 'domain acme.example' })).toBe(true);
    expect(await stage.member(ann)).toMatchObject({ status: 'accepted', role_ids: [stage.reader.id] });
    const bob = await stage.pendingOne();
    await stage.leave(bob);
    await addMember(stage.boss.client, stage.organization, bob);
    expect(await memberships.admit(stage.organization.id, bob.id, [], { reason: 'domain acme.example' })).toBe(false);
    expect((await stage.member(bob)).status).toBe('pending');
  });
});

describe('the notice of a pending membership', () => {
  it('names the organization once, and not again after the user has declined', async () => {
    const ann = await anyUserWith(service, admin);
    const email = `${ann.username}@example.com`;
    await admin.patch(`/api/user/${ann.id}`, { email, email_verified: true });
    const notices = (): string[] =>
      messagesTo(service, email).flatMap(({ text }) => (text.includes('Acme Ltd') ? [text] : []));
    await addMember(stage.boss.client, stage.organization, ann);
    await eventually(
      async () => notices(),
      (found) => found.length > 0,
    );
    await addMember(stage.boss.client, stage.organization, ann, stage.reader);
    await stage.leave(ann);
    await addMember(stage.boss.client, stage.organization, ann);
    expect(notices()).toHaveLength(1);
  });
});

describe('at the same time', () => {
  it('accepting and removing leave no membership, in any order', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const ann = await stage.pendingOne(stage.reader);
      const [accepted, removed] = await Promise.all([stage.accept(ann), stage.boss.client.delete(stage.path(ann.id))]);
      expect([204, 404]).toContain(accepted.status);
      expect(removed.status).toBe(204);
      expect(await ownOrganizations(ann)).toEqual([]);
      expect(await stage.holds(ann)).toBe(false);
    }
  });

  it('accepting, declining and adding end in one state', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const ann = await stage.pendingOne(stage.reader);
      await Promise.all([
        stage.accept(ann),
        stage.accept(ann),
        stage.leave(ann),
        admin.post(stage.path(), { user_id: ann.id, role_ids: [] }),
      ]);
      const own = await ownOrganizations(ann);
      expect(own.length).toBeLessThanOrEqual(1);
      expect(own.filter(({ status }) => status === 'pending')).toEqual([]);
      const stored = await service.query('SELECT 1 FROM organization_pending_member WHERE user_id = $1', [ann.id]);
      expect(stored).toEqual([]);
    }
  });
});
