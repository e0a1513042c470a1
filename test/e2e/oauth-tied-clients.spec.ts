import { decodeJwt } from 'jose';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import {
  basic,
  begin,
  CALLBACK,
  logInAt,
  post,
  register,
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { staleFor } from '../support/service/staleness';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { actOn, IMPERSONATING } from '../support/accounts/user-acts';
import { withService } from '../support/service/with-service';

const IAM = 'urn:castellan:iam';
const CRM = 'urn:castellan:crm';
const UNKNOWN = '01900000-0000-7000-8000-00000000cafe';
const SCOPES = ['openid', 'organization'];
const MACHINE = { grant_types: ['client_credentials'], redirect_uris: [], scopes: ['permission:read'] };

interface Client extends Problem {
  readonly id: string;
  readonly organization_id: string | null;
}

let service: TestService;
let admin: TestClient;
let [acme, globex]: OrganizationAnswer[] = [];
let manager: RoleAnswer;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  [acme, globex] = [await createOrganization(admin, 'acme'), await createOrganization(admin, 'globex')];
  await admin.post('/api/permission', { scope: 'crm', permission_id: 'contact:read', description: 'Read contacts' });
  manager = await createRole(admin, 'manager', 'organization:update');
});

/** An administrator of the organization, who may register clients. */
async function managerOf(...organizations: OrganizationAnswer[]): Promise<UserWithGrants> {
  const holder = await anyUserWith(service, admin, 'oauth_client:create', 'permission:read');
  for (const organization of organizations) await addMember(admin, organization, holder, manager);
  return holder;
}

const tied = ({ id }: { readonly id: string }, more: object = {}): object => ({ organization_id: id, ...more });
const create = (by: TestClient, body: object): Promise<Answer<Client>> =>
  by.post<Client>('/api/oauth/client', { name: 'App', redirect_uris: [CALLBACK], scopes: SCOPES, ...body });
const change = (by: TestClient, { id }: { readonly id: string }, body: object): Promise<Answer<Client>> =>
  by.patch<Client>(`/api/oauth/client/${id}`, body);

const demote = async ({ id }: UserWithGrants, organization = acme!): Promise<void> => {
  const path = `/api/organization/${organization.id}/members/${id}`;
  expect((await admin.patch(path, { role_ids: [] })).status).toBe(200);
};

const SCOPED = { resource: IAM, scope: 'permission:read' };
const tokenFor = (client: Registered, form: Record<string, string> = SCOPED) =>
  post(service, '/api/oauth/token', { grant_type: 'client_credentials', ...form }, basic(client));

describe('the tie of a client to an organization', () => {
  it('is made by those who may change the organization, shown and audited', async () => {
    const { client: olga } = await managerOf(acme!);
    const { status, body } = await create(olga, tied(acme!));
    expect([status, body.organization_id]).toEqual([201, acme!.id]);
    expect((await change(olga, body, { organization_id: null })).body.organization_id).toBeNull();
    const path = `/api/audit?target_id=${body.id}&action=oauth_client.update`;
    const { items } = (await admin.get<{ items: object[] }>(path)).body;
    expect(items).toMatchObject([{ before: { organization_id: acme!.id }, after: { organization_id: null } }]);
    expect((await change(admin, body, tied(globex!))).body.organization_id).toBe(globex!.id);
  });

  it('is made by no others, who do not learn whether there is such an organization', async () => {
    const { client: olga } = await managerOf(acme!);
    const own = (await create(olga, {})).body;
    for (const organization of [globex!, { id: UNKNOWN }]) {
      expectProblem(await create(olga, tied(organization)), 403, 'escalation_denied');
      expectProblem(await change(olga, own, tied(organization)), 403, 'escalation_denied');
    }
    const member = await anyUserWith(service, admin, 'oauth_client:create');
    await addMember(admin, acme!, member);
    expectProblem(await create(member.client, tied(acme!)), 403, 'escalation_denied');
    const wrong = await create(admin, tied({ id: UNKNOWN }));
    expectProblem(wrong, 400, 'validation_failed');
    expect(wrong.body.errors).toMatchObject([{ field: 'organization_id', code: 'unknown_organization' }]);
  });

  it('lasts until a user with authority there changes it, not merely the owner', async () => {
    const olga = await managerOf(acme!, globex!);
    const { body: made } = await create(olga.client, tied(acme!));
    await demote(olga);
    for (const wanted of [{ organization_id: null }, tied(globex!)]) {
      expectProblem(await change(olga.client, made, wanted), 403, 'escalation_denied');
    }
    expect((await change(olga.client, made, { name: 'Still mine' })).status).toBe(200);
    await demote(olga, globex);
    await addMember(admin, acme!, olga, manager);
    expectProblem(await change(olga.client, made, tied(globex!)), 403, 'escalation_denied');
    expect((await change(olga.client, made, { organization_id: null })).status).toBe(200);
  });

  it('keeps the organization from being deleted', async () => {
    const initech = await createOrganization(admin, 'initech');
    const { body: made } = await create(admin, tied(initech));
    const path = `/api/organization/${initech.id}`;
    expectProblem(await admin.delete(path), 409, 'in_use');
    expect((await change(admin, made, { enabled: false })).status).toBe(200);
    expectProblem(await admin.delete(path), 409, 'in_use');
    expect((await change(admin, made, { organization_id: null })).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(204);
  });

  it('counts as held there by its owner, when another account could be taken over', async () => {
    const olga = await anyUserWith(service, admin, 'oauth_client:create', 'organization:update');
    await create(olga.client, tied(acme!));
    const rights = { remove: ['organization:update', 'oauth_client:create'] };
    await admin.patch(`/api/user/${olga.id}/permissions`, rights);
    const helper = await anyUserWith(service, admin, 'user:admin');
    for (const act of IMPERSONATING) {
      expectProblem(await actOn(helper.client, olga.id, act), 403, 'escalation_denied');
    }
    await addMember(admin, acme!, helper, manager);
    const rename = actOn(helper.client, olga.id, ['rename', 'PATCH', '', { nickname: 'New' }]);
    expect((await rename).status).toBe(200);
  });
});

describe('a tied client', () => {
  const outcomeAt = async (browser: TestClient, client: Registered, more: Record<string, string> = {}) => {
    const { url } = await begin(await relyingParty(() => service, client), { scope: 'openid organization', ...more });
    const address = new URL(await redirectOf(browser, url));
    return [`${address.origin}${address.pathname}`, address.searchParams.get('error')];
  };
  const DENIED = [CALLBACK, 'access_denied'];

  it('admits members only, and needs no parameter', async () => {
    const client = await register(admin, tied(acme!, { scopes: SCOPES }));
    const [ann, bob] = [await anyUserWith(service, admin), await anyUserWith(service, admin)];
    for (const organization of [acme!, globex!]) await addMember(admin, organization, ann);
    await addMember(admin, globex!, bob);
    expect(await outcomeAt(bob.client, client)).toEqual(DENIED);
    expect(await outcomeAt(bob.client, client, { scope: 'openid' })).toEqual(DENIED);
    const party = await relyingParty(() => service, client);
    const tokens = await logInAt(party, ann.client, { scope: 'openid organization' });
    expect(tokens.claims()).toMatchObject({ organization_id: acme!.id, organization_roles: [] });
    expect(await outcomeAt(ann.client, client, { organization: 'globex' })).toEqual(DENIED);
  });

  it('ends its tokens when a member is removed, and all when the tie changes', async () => {
    const client = await register(admin, { scopes: SCOPES });
    const party = await relyingParty(() => service, client);
    const ann = await anyUserWith(service, admin);
    for (const organization of [acme!, globex!]) await addMember(admin, organization, ann);
    const userinfo = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await service.client().get('/api/oauth/userinfo', { headers })).status;
    };
    const log = async (): Promise<string> => (await logInAt(party, ann.client, { scope: 'openid' })).access_token;
    for (const wanted of [tied(acme!), tied(globex!), { organization_id: null }]) {
      const token = await log();
      expect(await userinfo(token)).toBe(200);
      expect((await change(admin, client, wanted)).status).toBe(200);
      expect(await userinfo(token)).toBe(401);
    }
    await change(admin, client, tied(acme!));
    const token = await log();
    await admin.delete(`/api/organization/${acme!.id}/members/${ann.id}`);
    expect(await userinfo(token)).toBe(401);
  });

  it('is previewed as its users would find it', async () => {
    const client = await register(admin, tied(acme!, { scopes: SCOPES }));
    const [ann, bob] = [await anyUserWith(service, admin), await anyUserWith(service, admin)];
    await addMember(admin, acme!, ann, manager);
    const path = `/api/oauth/client/${client.id}/preview`;
    const { body } = await admin.post<{ userinfo: object[] }>(path, { user_id: ann.id });
    const reason = 'Scope organization';
    expect(body.userinfo).toEqual(
      expect.arrayContaining([
        { name: 'organization_slug', value: 'acme', reason },
        { name: 'organization_roles', value: ['manager'], reason },
      ]),
    );
    expect((await admin.post(path, { user_id: bob.id })).body).toMatchObject({
      allowed: false,
      reason: 'The user is not a member of the organization.',
      userinfo: [],
    });
  });

  it('names the organization in tokens of its own', async () => {
    const olga = await managerOf(acme!);
    const client = await register(olga.client, tied(acme!, MACHINE));
    const claims = decodeJwt((await tokenFor(client)).body['access_token'] as string);
    expect(claims).toMatchObject({ organization_id: acme!.id, organization_slug: 'acme', sub: client.client_id });
    expect(claims).not.toHaveProperty('organization_roles');
  });

  it('acts for it only while the user who tied it may', async () => {
    const olga = await managerOf(acme!);
    const client = await register(olga.client, tied(acme!, MACHINE));
    const reader = await register(admin, { ...MACHINE, introspection_resources: [IAM] });
    const token = (await tokenFor(client)).body['access_token'] as string;
    const isActive = async (): Promise<unknown> =>
      (await post(service, '/api/oauth/introspect', { token }, basic(reader))).body['active'];
    const call = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      const body = { user_id: olga.id, checks: [{ permission_id: 'role:read' }] };
      return (await service.client().post('/api/permission/check', body, { headers })).status;
    };
    expect([await isActive(), await call()]).toEqual([true, 200]);
    await demote(olga);
    expect(await staleFor(async () => (await call()) !== 200)).toBeLessThan(1_000);
    expect(await isActive()).toBe(false);
    expect((await tokenFor(client)).body['error']).toBe('invalid_scope');
    // A token without permissions would name the organization, too.
    expect((await tokenFor(client, { resource: CRM })).body['error']).toBe('unauthorized_client');
    // Another manager takes the responsibility.
    expect((await change(admin, client, tied(acme!))).status).toBe(200);
    expect((await tokenFor(client)).status).toBe(200);
    expect((await tokenFor(client, { resource: CRM })).status).toBe(200);
  });
});
