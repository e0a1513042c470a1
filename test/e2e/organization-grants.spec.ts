import { endOfFeed, eventsSince, readOn } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, GrantInput, UserWithGrants } from '../support/accounts/holders';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Grants {
  direct: (GrantInput & { organization_id?: string })[];
  effective: GrantInput[];
}

interface Checked {
  results: { allowed: boolean; because: object | null }[];
}

const UNKNOWN = '01900000-0000-7000-8000-00000000dead';

let service: TestService;
let admin: TestClient;
let [home, away]: OrganizationAnswer[] = [];

withService(async (started) => {
  service = started;
  admin = await service.admin();
  [home, away] = [await createOrganization(admin, 'home'), await createOrganization(admin, 'away')];
});

async function memberOf(...organizations: OrganizationAnswer[]): Promise<UserWithGrants> {
  const member = await anyUserWith(service, admin);
  for (const organization of organizations) await addMember(admin, organization, member);
  return member;
}

const change = <T = Problem>({ id }: Pick<UserWithGrants, 'id'>, body: object, as = admin): Promise<Answer<T>> =>
  as.patch<T>(`/api/user/${id}/permissions`, body);

const check = async ({ client }: UserWithGrants): Promise<Checked['results']> => {
  const checks = [home!.id, away!.id, undefined].map((organization_id) => ({
    permission_id: 'plan:read',
    ...(organization_id !== undefined && { organization_id }),
  }));
  return (await client.post<Checked>('/api/permission/check', { checks })).body.results;
};

const mayPlan = async (member: UserWithGrants): Promise<boolean[]> =>
  (await check(member)).map(({ allowed }) => allowed);

const problemsOf = ({ status, body }: Answer<Problem>): unknown => [
  status,
  (body.errors ?? []).map(({ field, code }) => `${field} ${code}`),
];

describe('a direct grant within an organization', () => {
  it('holds there only, is explained, and is taken away there', async () => {
    const member = await memberOf(home!, away!);
    const organization_id = home!.id;
    expect(await mayPlan(member)).toEqual([false, false, false]);
    const plan = { scope: 'iam', permission_id: 'plan:read', level: 3 };
    const note = { scope: 'iam', permission_id: 'note:read', level: 1 };
    const { body } = await change<Grants>(member, { add: [note, { ...plan, organization_id }] });
    expect(body.direct).toEqual([note, { ...plan, organization_id }]);
    expect(body.effective.map(({ permission_id }) => permission_id)).not.toContain('plan:read');
    expect(await mayPlan(member)).toEqual([true, false, false]);
    expect((await check(member))[0]?.because).toEqual({
      source: 'direct',
      organization: { id: organization_id, slug: 'home', name: 'home' },
      grant: plan,
    });
    await change(member, { remove: ['plan:read'] });
    expect(await mayPlan(member)).toEqual([true, false, false]);
    const raised = { add: [{ ...plan, level: 7, organization_id }] };
    expect((await change<Grants>(member, raised)).body.direct).toEqual([note, { ...plan, level: 7, organization_id }]);
    const removal = { remove: ['plan:read'], remove_organization_id: organization_id };
    expect((await change<Grants>(member, removal)).body.direct).toEqual([note]);
    expect(await mayPlan(member)).toEqual([false, false, false]);
  });

  it('is audited and causes an event, both with the organization', async () => {
    const member = await memberOf(home!, away!);
    const start = await endOfFeed(service, admin);
    const add = [home!, away!].map(({ id }) => ({ permission_id: 'plan:read', organization_id: id }));
    await change(member, { add });
    await change(member, { add });
    const entries = await service.query<{ before: object; after: object }>(
      `SELECT before, after FROM audit_event WHERE action = 'user.change_permissions' AND target_id = $1`,
      [member.id],
    );
    const permissions = [{ scope: 'iam', permission_id: 'plan:read', level: 7 }];
    expect(entries).toHaveLength(2);
    for (const { id } of [home!, away!]) {
      expect(entries).toContainEqual({
        before: { organization_id: id, permissions: [] },
        after: { organization_id: id, permissions },
      });
    }
    await eventsSince(service, admin, start);
    const { items } = await readOn(admin, start, '&types=grant.*');
    expect(items.map(({ data }) => data['organization_id']).sort()).toEqual([home!.id, away!.id].sort());
  });

  it('is for members only, and once in an organization', async () => {
    const member = await memberOf(home!);
    const grantIn = (organization_id: string): object => ({ permission_id: 'plan:read', organization_id });
    for (const id of [away!.id, UNKNOWN]) {
      const add = [grantIn(home!.id), grantIn(id)];
      expect(problemsOf(await change(member, { add }))).toEqual([400, ['add[1].organization_id not_a_member']]);
      const removal = { remove: ['plan:read'], remove_organization_id: id };
      expect(problemsOf(await change(member, removal))).toEqual([400, ['remove_organization_id not_a_member']]);
    }
    const twice = { add: [grantIn(home!.id), { permission_id: 'plan:read' }, grantIn(home!.id)] };
    expect(problemsOf(await change(member, twice))).toEqual([400, ['add[2] unique']]);
    expect(await mayPlan(member)).toEqual([false, false, false]);
  });

  it('is given only by those who hold it everywhere or there', async () => {
    const role = await createRole(admin, 'planner', 'plan:read');
    const giver = await anyUserWith(service, admin, 'user:admin', 'role:update');
    const member = await memberOf(home!);
    const add = [{ permission_id: 'plan:read', organization_id: home!.id }];
    expectProblem(await change(member, { add }, giver.client), 403, 'escalation_denied');
    await addMember(admin, away!, giver, role);
    expectProblem(await change(member, { add }, giver.client), 403, 'escalation_denied');
    await addMember(admin, home!, giver, role);
    expect((await change(member, { add }, giver.client)).status).toBe(200);
    expectProblem(
      await change(member, { add: [{ permission_id: 'plan:read' }] }, giver.client),
      403,
      'escalation_denied',
    );
    expect(await mayPlan(member)).toEqual([true, false, false]);
  });
});
