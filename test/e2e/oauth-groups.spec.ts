import { randomUUID } from 'node:crypto';
import * as oidc from 'openid-client';
import { createGroup, createTree, GroupAnswer, joinGroup, moveGroup } from '../support/accounts/groups';
import { createRole, UserWithGrants, userWith } from '../support/accounts/holders';
import { begin, CALLBACK, logInAt, register, Registered, relyingParty, redirectOf } from '../support/oauth/oauth';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let people = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

const partyOf = (registered: Registered): Promise<oidc.Configuration> => relyingParty(() => service, registered);

async function memberOf(...groups: GroupAnswer[]): Promise<UserWithGrants> {
  const holder = await userWith(service, admin, `member_${people++}`);
  for (const { id } of groups) await joinGroup(admin, id, holder.id);
  return holder;
}

async function userinfo(token: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}` };
  return (await service.client().get<Record<string, unknown>>('/api/oauth/userinfo', { headers })).body;
}

describe('a claim from groups', () => {
  it('lists the groups of the user and those above them, and follows each change', async () => {
    const [top, middle, bottom] = await createTree(admin, 'wiki', 'wiki-staff', 'wiki-guests');
    const other = await createGroup(admin, 'other');
    const ann = await memberOf(middle!, other);
    const claims = [
      { name: 'groups', from: 'groups', in: ['id_token', 'userinfo'] },
      { name: 'wiki', from: 'groups', filter: 'wiki-', in: ['userinfo'] },
    ];
    const tokens = await logInAt(await partyOf(await register(admin, { claims, first_party: true })), ann.client);
    expect(tokens.claims()).toMatchObject({ groups: ['other', 'wiki', 'wiki-staff'] });
    const shown = async (): Promise<unknown> => {
      const { groups, wiki } = await userinfo(tokens.access_token);
      return [groups, wiki];
    };
    expect(await shown()).toEqual([['other', 'wiki', 'wiki-staff'], ['wiki-staff']]);
    await admin.patch(`/api/group/${middle!.id}`, { name: 'wiki-editors' });
    expect(await shown()).toEqual([['other', 'wiki', 'wiki-editors'], ['wiki-editors']]);
    await moveGroup(admin, middle!.id, null);
    expect(await shown()).toEqual([['other', 'wiki-editors'], ['wiki-editors']]);
    await joinGroup(admin, bottom!.id, ann.id);
    await admin.delete(`/api/group/${other.id}`);
    expect(await shown()).toEqual([
      ['wiki-editors', 'wiki-guests'],
      ['wiki-editors', 'wiki-guests'],
    ]);
    expect(top!.path).toEqual(['wiki']);
  });

  it('names no group of an organization, not even one with the name of a group of the service', async () => {
    const organization = await createOrganization(admin, 'unnamed');
    const [own, there] = [
      await createGroup(admin, 'named-here'),
      await createGroup(admin, 'named-here', { organization_id: organization.id }),
    ];
    const ann = await memberOf();
    await addMember(admin, organization, ann);
    await joinGroup(admin, there.id, ann.id);
    const claims = [{ name: 'groups', from: 'groups', in: ['id_token'] }];
    const party = await partyOf(await register(admin, { claims, first_party: true }));
    expect((await logInAt(party, ann.client)).claims()?.['groups'] ?? []).toEqual([]);
    await joinGroup(admin, own.id, ann.id);
    expect((await logInAt(party, ann.client)).claims()).toMatchObject({ groups: ['named-here'] });
  });

  it('accompanies the roles of groups, which are roles of the user', async () => {
    const role = await createRole(admin, 'through-group');
    const group = await createGroup(admin, 'With role', { role_ids: [role.id] });
    const ann = await memberOf(group);
    await admin.post(`/api/user/${ann.id}/roles`, { role_ids: [role.id] });
    const claims = [{ name: 'roles', from: 'roles', filter: 'through', in: ['id_token'] }];
    const client = await register(admin, { claims, first_party: true });
    expect((await logInAt(await partyOf(client), ann.client)).claims()).toMatchObject({ roles: ['through-group'] });
  });
});

describe('access of a client by groups', () => {
  const outcome = async (client: Registered, holder: UserWithGrants): Promise<string | null> => {
    const address = new URL(await redirectOf(holder.client, (await begin(await partyOf(client))).url));
    expect(address.href.startsWith(CALLBACK)).toBe(true);
    return address.searchParams.get('error');
  };

  it('admits members of the group and of those below it, as long as they are members', async () => {
    const [top, bottom] = await createTree(admin, 'Admitted', 'Admitted below');
    const access = { mode: 'restricted', group_ids: [top!.id, top!.id] };
    const client = await register(admin, { access, first_party: true });
    const shown = (await admin.get<{ access: object }>(`/api/oauth/client/${client.id}`)).body.access;
    expect(shown).toEqual({ mode: 'restricted', role_ids: [], group_ids: [top!.id], user_ids: [] });
    const [member, lower, outsider] = [await memberOf(top!), await memberOf(bottom!), await memberOf()];
    expect(await outcome(client, member)).toBeNull();
    expect(await outcome(client, lower)).toBeNull();
    expect(await outcome(client, outsider)).toBe('access_denied');
    const preview = async ({ id }: UserWithGrants): Promise<object> =>
      (await admin.post<object>(`/api/oauth/client/${client.id}/preview`, { user_id: id, scopes: [] })).body;
    expect(await preview(lower)).toMatchObject({ allowed: true, reason: 'Is a member of the group Admitted.' });
    await moveGroup(admin, bottom!.id, null);
    expect(await outcome(client, lower)).toBe('access_denied');
    expect(await preview(lower)).toMatchObject({ allowed: false });
  });

  it('accepts no group of an organization', async () => {
    const { id: organization_id } = await createOrganization(admin, 'no-clients');
    const group = await createGroup(admin, 'Not for clients', { organization_id });
    const access = { mode: 'restricted', group_ids: [group.id] };
    const rejected = await admin.post<Problem>('/api/oauth/client', { name: 'App', redirect_uris: [CALLBACK], access });
    expect(rejected.body.errors).toMatchObject([{ field: 'access.group_ids[0]', code: 'unknown_group' }]);
  });

  it('accepts only groups that exist, but keeps those that are gone', async () => {
    const body = { name: 'App', redirect_uris: [CALLBACK], access: { mode: 'restricted', group_ids: [randomUUID()] } };
    const rejected = await admin.post<Problem>('/api/oauth/client', body);
    expect(rejected.body.errors).toMatchObject([{ field: 'access.group_ids[0]', code: 'unknown_group' }]);
    const gone = await createGroup(admin, 'Gone');
    const access = { mode: 'restricted', group_ids: [gone.id] };
    const client = await register(admin, { access });
    await admin.delete(`/api/group/${gone.id}`);
    expect((await admin.patch(`/api/oauth/client/${client.id}`, { access })).status).toBe(200);
  });
});
