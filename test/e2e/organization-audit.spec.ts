import { expectProblem } from '../support/service/expect-problem';
import { createGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants } from '../support/accounts/holders';
import { invite } from '../support/organizations/invitations';
import { CALLBACK } from '../support/oauth/oauth';
import { createRoleOf } from '../support/organizations/organization-roles';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const UNKNOWN = '01900000-0000-7000-8000-00000000cafe';

interface Event {
  readonly action: string;
  readonly actor: { readonly username: string } | null;
  readonly organization_id?: string;
  readonly session_id: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string | null;
  readonly before: object | null;
  readonly after: object | null;
}
interface List {
  readonly items: Event[];
  readonly next_cursor: string | null;
}

let service: TestService;
let admin: TestClient;
let auditorRole: { id: string };
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  auditorRole = await createRole(admin, 'auditor', 'audit:read');
});

interface Watched {
  readonly organization: OrganizationAnswer;
  readonly auditor: UserWithGrants;
  /** What the auditor sees, oldest first. */
  readonly events: (query?: string) => Promise<Event[]>;
}

async function watched(): Promise<Watched> {
  const organization = await createOrganization(admin, `watched-${++made}`);
  const auditor = await anyUserWith(service, admin);
  await addMember(admin, organization, auditor, auditorRole);
  const path = `/api/audit?organization_id=${organization.id}&page_size=100`;
  return {
    organization,
    auditor,
    events: async (query = '') => {
      const answer = await auditor.client.get<List>(path + query, within(organization));
      expect(answer.status).toBe(200);
      return answer.body.items.reverse();
    },
  };
}
const actionsOf = (events: Event[]): string[] => events.map(({ action }) => action);

describe('the audit log of an organization', () => {
  it('shows what concerns the organization', async () => {
    const { organization, auditor, events } = await watched();
    const at = `/api/organization/${organization.id}`;
    const ann = await anyUserWith(service, admin);
    await addMember(admin, organization, ann);
    await admin.patch(`${at}/members/${ann.id}`, { role_ids: [auditorRole.id] });
    await admin.patch(`/api/user/${ann.id}/permissions`, {
      add: [{ permission_id: 'crm:read', organization_id: organization.id }],
    });
    const group = await createGroup(admin, 'Staff', { organization_id: organization.id });
    await admin.post(`/api/group/${group.id}/users`, { user_ids: [ann.id] });
    await invite(admin, organization, { email: 'guest@watched.example' });
    await admin.post(`${at}/domains`, { domain: `watched${made}.example` });
    const role = await createRoleOf(admin, organization, 'clerk');
    await admin.patch(`/api/role/${role.id}`, { description: 'Sells' });
    await admin.post(`/api/role/${role.id}/users`, { user_ids: [ann.id] });
    await admin.delete(`/api/role/${role.id}`);
    const client = { name: 'App', redirect_uris: [CALLBACK], organization_id: organization.id };
    const { body } = await admin.post<{ id: string }>('/api/oauth/client', client);
    await admin.patch(`/api/oauth/client/${body.id}`, { name: 'Renamed' });
    await admin.patch(at, { name: 'Renamed' });
    await admin.delete(`${at}/members/${ann.id}`);
    await auditor.client.get(`/api/audit/export?organization_id=${organization.id}`, within(organization));
    // Of an auditor of the service.
    await admin.get(`/api/audit/export?organization_id=${organization.id}`);
    expect(actionsOf(await events())).toEqual([
      'organization.create',
      'organization.add_members',
      'organization.add_members',
      'organization.update_member',
      'user.change_permissions',
      'group.create',
      'group.add_users',
      'invitation.create',
      'organization.add_domain',
      'role.create',
      'role.update',
      'role.replace_users',
      'role.delete',
      'oauth_client.create',
      'oauth_client.update',
      'organization.update',
      'organization.remove_members',
      'group.remove_users',
      'audit.export',
    ]);
  });

  it('shows attempts to give more than the actor holds', async () => {
    const { organization, events } = await watched();
    const there = within(organization);
    const manages = ['organization:update', 'oauth_client:*', 'group:*', 'role:*'];
    const olga = await anyUserWith(service, admin);
    await addMember(admin, organization, olga, await createRole(admin, `manages_${made}`, ...manages));
    const place = { organization_id: organization.id };
    const app = { name: 'App', redirect_uris: [CALLBACK], scopes: ['openid'], ...place };
    const { body: own } = await olga.client.post<{ id: string }>('/api/oauth/client', app, there);
    const { body: strong } = await admin.post<{ id: string }>('/api/oauth/client', { ...app, first_party: true });
    const group = await createGroup(admin, 'Strong', { ...place, role_ids: [auditorRole.id] });
    const lead = await createRoleOf(admin, organization, 'lead', ['crm:read']);
    const before = (await events()).length;
    const attempts: ['POST' | 'PATCH', string, object][] = [
      ['POST', 'oauth/client', { ...app, scopes: ['openid', 'audit:read'] }],
      ['POST', 'oauth/client', { ...app, first_party: true }],
      ['PATCH', `oauth/client/${own.id}`, { scopes: ['openid', 'audit:read'] }],
      ['PATCH', `oauth/client/${own.id}`, { first_party: true }],
      ['PATCH', `oauth/client/${own.id}`, { organization_id: null }],
      ['PATCH', `oauth/client/${strong.id}`, { name: 'Mine' }],
      ['POST', 'group', { name: 'New', role_ids: [auditorRole.id], ...place }],
      ['PATCH', `group/${group.id}`, { name: 'Mine' }],
      ['POST', 'role', { name: 'new', permissions: [{ permission_id: 'crm:read' }], ...place }],
      ['PATCH', `role/${lead.id}`, { description: 'Mine' }],
    ];
    for (const [method, path, body] of attempts) {
      const answer = await olga.client.send<Problem>(method, `/api/${path}`, { body, ...there });
      expect([path, body, answer.status, answer.body.code]).toEqual([path, body, 403, 'escalation_denied']);
    }
    const shown = (await events()).slice(before);
    expect(shown.map(({ action, actor }) => [action, actor?.username])).toEqual(
      attempts.map(() => ['permission.escalate', olga.username]),
    );
    // Not what roles of the service grant.
    for (const { after } of shown) expect(after).toEqual({ lacking_count: expect.any(Number) as number });
  });

  it('does not show who tries to tie a client from outside', async () => {
    const { organization, events } = await watched();
    const other = await anyUserWith(service, admin, 'oauth_client:create');
    const app = { name: 'App', redirect_uris: [CALLBACK] };
    const { body } = await other.client.post<{ id: string }>('/api/oauth/client', app);
    const before = (await events()).length;
    const change = { organization_id: organization.id };
    expectProblem(await other.client.patch<Problem>(`/api/oauth/client/${body.id}`, change), 403, 'escalation_denied');
    expect(await events()).toHaveLength(before);
    // Of the one that it belongs to, by its owner.
    await admin.patch(`/api/oauth/client/${body.id}`, change);
    await other.client.patch(`/api/oauth/client/${body.id}`, { organization_id: null });
    expect(actionsOf(await events()).slice(before)).toEqual(['oauth_client.tie', 'permission.escalate']);
  });

  it('reaches back 90 days with a further filter, unless the request says how far', async () => {
    const { organization, auditor, events } = await watched();
    await service.query(
      `INSERT INTO audit_event (id, at, action, outcome, organization_id)
       VALUES (gen_random_uuid(), now() - interval '91 days', 'trial.old', 'success', $1)`,
      [organization.id],
    );
    const filter = '&action=trial.old';
    const day = (ago: number): string => encodeURIComponent(new Date(Date.now() - ago * 86_400_000).toISOString());
    expect(actionsOf(await events())).toContain('trial.old');
    expect(await events(filter)).toEqual([]);
    expect(await events(`${filter}&from=${day(92)}`)).toHaveLength(1);
    expect(await events(`${filter}&to=${day(30)}`)).toHaveLength(1);
    const path = `/api/audit/export?organization_id=${organization.id}${filter}`;
    expect((await auditor.client.get(path, within(organization))).text).toBe('');
    expect((await admin.get(path)).text).toContain('trial.old');
  });

  it('leaves out from where and in which session it was done', async () => {
    const { organization, auditor, events } = await watched();
    const [event] = await events();
    const nothing = { session_id: null, ip: null, user_agent: null, request_id: null };
    expect(event).toMatchObject({ organization_id: organization.id, ...nothing });
    const path = `/api/audit/export?organization_id=${organization.id}`;
    const { text } = await auditor.client.get(path, within(organization));
    expect(JSON.parse(text.split('\n')[0]!)).toMatchObject(nothing);
    const { items } = (await admin.get<List>(`/api/audit?organization_id=${organization.id}`)).body;
    expect(items[0]).toMatchObject({ ip: expect.any(String) as string, session_id: expect.any(String) as string });
  });

  it('shows nothing of what members do elsewhere', async () => {
    const { organization, auditor, events } = await watched();
    const other = await createOrganization(admin, `other-${made}`);
    const before = (await events()).length;
    await addMember(admin, other, auditor, auditorRole);
    await auditor.client.patch('/api/auth/me', { nickname: 'New' });
    await service.logIn(auditor.username);
    await admin.post(`/api/user/${auditor.id}/roles`, { role_ids: [auditorRole.id] });
    await admin.delete(`/api/user/${auditor.id}/roles/${auditorRole.id}`);
    await createGroup(admin, 'Elsewhere', { organization_id: other.id });
    expect(await events()).toHaveLength(before);
    expect(await events(`&actor_id=${auditor.id}`)).toEqual([]);
    expect(JSON.stringify(await events())).not.toContain(other.id);
    expect(organization.id).not.toBe(other.id);
  });

  it('names no other organization when a client moves', async () => {
    const [from, to] = [await watched(), await watched()];
    const client = { name: 'App', redirect_uris: [CALLBACK], organization_id: from.organization.id };
    const { body } = await admin.post<{ id: string }>('/api/oauth/client', client);
    await admin.patch(`/api/oauth/client/${body.id}`, { organization_id: to.organization.id });
    expect(actionsOf(await from.events()).slice(-2)).toEqual(['oauth_client.create', 'oauth_client.untie']);
    expect(actionsOf(await to.events()).slice(-1)).toEqual(['oauth_client.tie']);
    expect(JSON.stringify(await from.events())).not.toContain(to.organization.id);
    expect(JSON.stringify(await to.events())).not.toContain(from.organization.id);
  });

  it('is open only to those who hold the permission there, and name it', async () => {
    const { organization, auditor } = await watched();
    const foreign = await createOrganization(admin, `foreign-${made}`);
    const member = await anyUserWith(service, admin);
    await addMember(admin, organization, member);
    for (const route of ['/api/audit', '/api/audit/export']) {
      const get = (
        by: UserWithGrants,
        query: string,
        headers = within(organization).headers,
      ): Promise<Answer<Problem>> => by.client.get<Problem>(route + query, { headers });
      expectProblem(await get(auditor, ''), 403, 'permission_denied');
      expectProblem(await get(auditor, `?organization_id=${organization.id}`, {}), 403, 'permission_denied');
      for (const { id } of [foreign, { id: UNKNOWN }]) {
        expectProblem(await get(auditor, `?organization_id=${id}`), 404, 'not_found');
      }
      expectProblem(await get(member, `?organization_id=${organization.id}`), 403, 'permission_denied');
    }
  });

  it('rejects a cursor of another search', async () => {
    const { organization, auditor } = await watched();
    const path = '/api/audit?page_size=1';
    const { next_cursor } = (await admin.get<List>(path)).body;
    const query = `${path}&organization_id=${organization.id}&cursor=${encodeURIComponent(next_cursor!)}`;
    expectProblem(await auditor.client.get<Problem>(query, within(organization)), 400, 'validation_failed');
  });
});

describe('GET /api/audit', () => {
  it('filters by the user that somebody acted as', async () => {
    const [ann, bob] = [await anyUserWith(service, admin), await anyUserWith(service, admin)];
    await service.query(
      `INSERT INTO audit_event (id, action, outcome, actor_id, actor_name, on_behalf_of_id, on_behalf_of_name)
       VALUES (gen_random_uuid(), 'trial.acted', 'success', $1, 'ann', $2, 'bob')`,
      [ann.id, bob.id],
    );
    const list = async (id: string): Promise<Event[]> =>
      (await admin.get<List>(`/api/audit?on_behalf_of_id=${id}`)).body.items;
    expect(await list(bob.id)).toMatchObject([{ action: 'trial.acted', on_behalf_of: { username: 'bob' } }]);
    expect(await list(ann.id)).toEqual([]);
  });
});
