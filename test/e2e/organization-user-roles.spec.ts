import { endOfFeed, eventsSince } from '../support/receivers/events';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer, systemRole } from '../support/accounts/holders';
import { createRoleOf } from '../support/organizations/organization-roles';
import {
  addMember,
  createOrganization,
  OrganizationAnswer,
  OrganizationMemberAnswer,
} from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const UNKNOWN = '01900000-0000-7000-8000-00000000cafe';

let service: TestService;
let admin: TestClient;
let organization: OrganizationAnswer;
let [reader, writer]: RoleAnswer[] = [];
let ann: UserWithGrants;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  organization = await createOrganization(admin, 'acme');
  [reader, writer] = [
    await createRole(admin, 'b_reader', 'crm:read'),
    await createRole(admin, 'a_writer', 'crm:update'),
  ];
  ann = await anyUserWith(service, admin);
  await addMember(admin, organization, ann);
});

interface RoleList extends Problem {
  readonly items: { readonly id: string }[];
}

const give = (
  by: TestClient,
  roles: readonly string[],
  place = organization.id,
  user = ann,
): Promise<Answer<RoleList>> =>
  by.post<RoleList>(`/api/user/${user.id}/roles`, { role_ids: roles, organization_id: place });

const rolesThere = async (): Promise<string[]> =>
  (await admin.get<OrganizationMemberAnswer>(`/api/organization/${organization.id}/members/${ann.id}`)).body.role_ids;

describe('roles of a user with an organization', () => {
  it('hold there only, beside those that the member has, and are audited there', async () => {
    expect((await give(admin, [reader!.id])).body.items.map(({ id }) => id)).toEqual([reader!.id]);
    const { status, body } = await give(admin, [writer!.id, reader!.id]);
    expect([status, body.items.map(({ id }) => id)]).toEqual([200, [writer!.id, reader!.id]]);
    expect(await rolesThere()).toEqual([reader!.id, writer!.id].sort());
    const everywhere = await admin.get<RoleList>(`/api/user/${ann.id}/roles`);
    expect(everywhere.body.items.map(({ id }) => id)).not.toContain(reader!.id);
    const { items } = (await admin.get<{ items: object[] }>(`/api/audit?organization_id=${organization.id}`)).body;
    expect(items[0]).toMatchObject({
      action: 'organization.update_member',
      target: { id: organization.id },
      after: { user_id: ann.id, role_ids: [reader!.id, writer!.id].sort() },
    });
  });

  it('are sorted by name, also those of the organization', async () => {
    const member = await anyUserWith(service, admin);
    await addMember(admin, organization, member);
    const own = await createRoleOf(admin, organization, 'a_yard');
    const { body } = await give(admin, [reader!.id, own.id, writer!.id], organization.id, member);
    expect(body.items.map(({ id }) => id)).toEqual([writer!.id, own.id, reader!.id]);
  });

  it('are for members only', async () => {
    const stranger = await anyUserWith(service, admin);
    for (const [place, user] of [
      [organization.id, stranger],
      [UNKNOWN, ann],
    ] as const) {
      const answer = await give(admin, [reader!.id], place, user);
      expectProblem(answer, 400, 'validation_failed');
      expect(answer.body.errors).toMatchObject([{ field: 'organization_id', code: 'not_a_member' }]);
    }
    expectProblem(await give(admin, [reader!.id], organization.id, { ...ann, id: UNKNOWN }), 404, 'not_found');
  });

  it('are no system roles, and exist', async () => {
    expectProblem(await give(admin, [(await systemRole(admin, 'admin')).id]), 403, 'system_role_protected');
    expect((await give(admin, [UNKNOWN])).body.errors).toMatchObject([{ field: 'role_ids[0]', code: 'unknown_role' }]);
  });

  it('need cover by what the administrator holds everywhere or there', async () => {
    const helper = await anyUserWith(service, admin, 'user:admin', 'role:update');
    const member = await anyUserWith(service, admin);
    await addMember(admin, organization, member);
    expectProblem(await give(helper.client, [reader!.id], organization.id, member), 403, 'escalation_denied');
    await addMember(admin, organization, helper, reader!);
    expect((await give(helper.client, [reader!.id], organization.id, member)).status).toBe(200);
    expectProblem(await give(helper.client, [writer!.id], organization.id, member), 403, 'escalation_denied');
    // The member holds more there.
    await give(admin, [writer!.id], organization.id, member);
    expectProblem(await give(helper.client, [reader!.id], organization.id, member), 403, 'escalation_denied');
  });

  it('need the permissions of the route everywhere', async () => {
    const there = await createRole(admin, 'all_there', 'user:admin', 'role:update', 'organization_member:update');
    const boss = await anyUserWith(service, admin);
    await addMember(admin, organization, boss, there);
    expectProblem(await give(boss.client, [reader!.id]), 403, 'permission_denied');
  });
});

interface Added extends Problem {
  readonly added: number;
}

describe('members who get a role of the service in an organization together', () => {
  const giveAll = (
    by: TestClient,
    { id }: { id: string },
    users: readonly { id: string }[],
    place = organization.id,
  ): Promise<Answer<Added>> =>
    by.post<Added>(`/api/role/${id}/users`, { user_ids: users.map((user) => user.id), organization_id: place });

  const newMember = async (): Promise<UserWithGrants> => {
    const member = await anyUserWith(service, admin);
    await addMember(admin, organization, member);
    return member;
  };
  const holds = async ({ id }: UserWithGrants, there: object): Promise<boolean> => {
    const checks = [{ scope: 'crm', permission_id: 'deal:close', ...there }];
    return (await admin.post<{ allowed: boolean }>('/api/permission/check', { user_id: id, checks })).body.allowed;
  };

  it('hold it there only, and each change is audited and an event as if given one by one', async () => {
    const role = await createRole(admin, 'closer', 'crm:deal:close');
    const [one, two] = [await newMember(), await newMember()];
    await give(admin, [reader!.id], organization.id, two);
    const start = await endOfFeed(service, admin);
    expect((await giveAll(admin, role, [one, two])).body).toEqual({ added: 2 });
    expect((await giveAll(admin, role, [two, one])).body).toEqual({ added: 0 });
    expect([await holds(one, { organization_id: organization.id }), await holds(one, {})]).toEqual([true, false]);
    const { items } = (await admin.get<{ items: object[] }>(`/api/audit?organization_id=${organization.id}`)).body;
    const [before, after] = [{ role_ids: [reader!.id] }, { role_ids: [reader!.id, role.id].sort() }];
    expect(items.slice(0, 2)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'organization.update_member',
          before: { role_ids: [] },
          after: { user_id: one.id, role_ids: [role.id] },
        }),
        expect.objectContaining({ before, after: { user_id: two.id, ...after } }),
      ]),
    );
    const events = await eventsSince(service, admin, start);
    expect(events.items.map(({ type }) => type)).toEqual(Array(2).fill('organization.member_updated'));
  });

  it('get it together or not at all', async () => {
    const member = await newMember();
    const stranger = await anyUserWith(service, admin);
    const role = await createRole(admin, 'together', 'crm:read');
    const answer = await giveAll(admin, role, [member, stranger]);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ field: 'user_ids[1]', code: 'unknown_user' }]);
    expectProblem(await giveAll(admin, role, [member], UNKNOWN), 400, 'validation_failed');
    expect((await giveAll(admin, role, [member])).body).toEqual({ added: 1 });
  });

  it('get no role of another organization, and no system role', async () => {
    const foreign = await createRoleOf(admin, await createOrganization(admin, 'foreign'), 'guest', []);
    const own = await createRoleOf(admin, organization, 'guest', []);
    const member = await newMember();
    expectProblem(await giveAll(admin, foreign, [member]), 404, 'not_found');
    expect((await giveAll(admin, own, [member])).body).toEqual({ added: 1 });
    expectProblem(await giveAll(admin, await systemRole(admin, 'admin'), [member]), 403, 'system_role_protected');
  });

  it('get what the administrator holds everywhere or there, with the permissions of the other route', async () => {
    const role = await createRole(admin, 'covered', 'crm:cover');
    const [one, two] = [await newMember(), await newMember()];
    const lesser = await anyUserWith(service, admin, 'role:update', 'crm:cover');
    expectProblem(await giveAll(lesser.client, role, [one]), 403, 'permission_denied');
    const helper = await anyUserWith(service, admin, 'user:admin', 'role:update');
    expectProblem(await giveAll(helper.client, role, [one, two]), 403, 'escalation_denied');
    await addMember(admin, organization, helper, role);
    await give(admin, [writer!.id], organization.id, two);
    expectProblem(await giveAll(helper.client, role, [one, two]), 403, 'escalation_denied');
    expect((await giveAll(helper.client, role, [one])).body).toEqual({ added: 1 });
  });

  it('get it once when requests race', async () => {
    const role = await createRole(admin, 'raced', 'crm:race');
    const members = [await newMember(), await newMember()];
    const answers = await Promise.all(Array.from({ length: 4 }, () => giveAll(admin, role, members)));
    expect(answers.map(({ body }) => body.added).sort()).toEqual([0, 0, 0, 2]);
  });
});
