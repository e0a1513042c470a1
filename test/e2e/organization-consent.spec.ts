import * as oidc from 'openid-client';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, UserWithGrants } from '../support/accounts/holders';
import { logInAt, register, Registered, relyingParty } from '../support/oauth/oauth';
import { addMember, createOrganization, OrganizationAnswer, within } from '../support/organizations/organizations';
import { enrolTotp } from '../support/accounts/second-factors';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const SCOPE = { scope: 'openid organization' };
const CONTACTS = ['openid', 'profile', 'email', 'phone'];

interface Previewed {
  readonly allowed: boolean;
  readonly userinfo: readonly { readonly name: string }[];
}

let service: TestService;
let admin: TestClient;
let evil: OrganizationAnswer;
let mallory: UserWithGrants;
let config: oidc.Configuration;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  evil = await createOrganization(admin, 'evil');
  mallory = await anyUserWith(service, admin);
  const permissions = ['organization_member:update', 'organization:update', 'oauth_client:admin', 'user:admin'];
  await addMember(admin, evil, mallory, await createRole(admin, 'owner', ...permissions));
  config = await relyingParty(() => service, await register(admin, { scopes: ['openid', 'organization'] }));
});

/** An account with contacts, which Mallory finds by its name and makes a member of her organization. */
async function victimOf(): Promise<UserWithGrants> {
  const victim = await anyUserWith(service, admin);
  const contacts = { email: `${victim.username}@example.com`, email_verified: true };
  expect((await admin.patch(`/api/user/${victim.id}`, contacts)).status).toBe(200);
  const found = await mallory.client.post<{ id: string }[]>('/api/auth/users', { keyword: victim.username });
  expect(JSON.stringify(found.body)).toContain(victim.id);
  await addMember(mallory.client, evil, victim);
  return victim;
}

const tied = async (): Promise<Registered> => {
  const body = {
    name: 'Trap',
    redirect_uris: ['https://evil.example.com'],
    scopes: CONTACTS,
    organization_id: evil.id,
  };
  return (await mallory.client.post<Registered>('/api/oauth/client', body, within(evil))).body;
};

describe('an administrator of an organization who adds an account of others', () => {
  it('sees no claims of it in a preview, and not whether there is such an account', async () => {
    const victim = await victimOf();
    const path = `/api/oauth/client/${(await tied()).id}/preview`;
    for (const user_id of [victim.id, '01900000-0000-7000-8000-00000000dead']) {
      const answer = await mallory.client.post<Previewed>(path, { user_id, scopes: CONTACTS }, within(evil));
      expectProblem(answer, 404, 'not_found');
    }
  });

  it('sees of a member only what the member has consented to, for any client of the organization', async () => {
    const victim = await victimOf();
    expect((await victim.client.post(`/api/auth/me/organization/${evil.id}/accept`, {})).status).toBe(204);
    const path = `/api/oauth/client/${(await tied()).id}/preview`;
    const shown = async (by: UserWithGrants['client'] = mallory.client): Promise<unknown> => {
      const { status, body } = await by.post<Previewed>(path, { user_id: victim.id, scopes: CONTACTS }, within(evil));
      return [status, body.allowed, body.userinfo.map(({ name }) => name).filter((name) => /email$|name$/.test(name))];
    };
    expect(await shown()).toEqual([200, true, []]);
    expect(await shown(admin)).toEqual([200, true, ['name', 'preferred_username', 'email']]);
    const other = await register(admin, { scopes: ['openid', 'email'], organization_id: evil.id });
    await logInAt(await relyingParty(() => service, other), victim.client, { scope: 'openid email' });
    expect(await shown()).toEqual([200, true, ['email']]);
  });

  it('gets no token of a login at another application for the organization', async () => {
    const victim = await victimOf();
    const claims = (await logInAt(config, victim.client, SCOPE)).claims() ?? {};
    expect(claims).not.toHaveProperty('organization_id');
  });

  it('breaks no login of a member of another organization', async () => {
    const acme = await createOrganization(admin, 'acme');
    const victim = await victimOf();
    await addMember(admin, acme, victim);
    expect((await logInAt(config, victim.client, SCOPE)).claims()).toMatchObject({ organization_id: acme.id });
  });

  it('locks no user out by rules of the organization', async () => {
    const strict = await createOrganization(admin, 'strict', { mfa_required: true });
    const victim = await anyUserWith(service, admin);
    const helper = await anyUserWith(service, admin);
    await addMember(admin, strict, helper, await createRole(admin, 'helper', 'organization_member:update'));
    await enrolTotp(helper.client);
    await addMember(helper.client, strict, victim);
    expect((await logInAt(config, victim.client, SCOPE)).claims()).not.toHaveProperty('organization_id');
  });

  it('cannot keep the account, which its user takes out again', async () => {
    const victim = await victimOf();
    expect((await victim.client.delete(`/api/auth/me/organization/${evil.id}`)).status).toBe(204);
    expectProblem(await admin.get(`/api/organization/${evil.id}/members/${victim.id}`), 404, 'not_found');
  });
});
