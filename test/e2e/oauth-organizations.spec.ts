import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { parEnabled } from '../../src/oauth/server/core/authorization-server.settings';
import { createGroup, joinGroup } from '../support/accounts/groups';
import { anyUserWith, createRole, UserWithGrants, RoleAnswer } from '../support/accounts/holders';
import {
  authorize,
  basic,
  begin,
  CALLBACK,
  decideAt,
  ISSUER,
  logInAt,
  post,
  ShownInteraction,
  register,
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { enrolTotp } from '../support/accounts/second-factors';
import { staleFor } from '../support/service/staleness';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const CRM = 'urn:castellan:crm';
const TOKEN = '/api/oauth/token';
const SCOPES = ['openid', 'profile', 'offline_access', 'organization', 'crm:contact:read'];
const SCOPE = { scope: 'openid offline_access organization' };
const CLAIMS = ['organization_id', 'organization_slug', 'organization_roles'];

let service: TestService;
let admin: TestClient;
let [acme, globex]: OrganizationAnswer[] = [];
let bookkeeper: RoleAnswer;
let app: Registered;
let config: oidc.Configuration;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  await admin.post('/api/permission', { scope: 'crm', permission_id: 'contact:read', description: 'Read contacts' });
  [acme, globex] = [await createOrganization(admin, 'acme'), await createOrganization(admin, 'globex')];
  bookkeeper = await createRole(admin, 'bookkeeper', { scope: 'crm', permission_id: 'contact:update' });
  app = await register(admin, { scopes: SCOPES, introspection_resources: [CRM] });
  config = await relyingParty(() => service, app);
});

/** A member of the organizations, as bookkeeper, who may read contacts everywhere. */
async function memberOf(...organizations: OrganizationAnswer[]): Promise<UserWithGrants> {
  const holder = await anyUserWith(service, admin, { scope: 'crm', permission_id: 'contact:read' });
  for (const organization of organizations) await addMember(admin, organization, holder, bookkeeper);
  return holder;
}

const remove = async ({ id }: UserWithGrants, organization: OrganizationAnswer): Promise<void> => {
  expect((await admin.delete(`/api/organization/${organization.id}/members/${id}`)).status).toBe(204);
};

const userinfo = async (token: string, at = service) =>
  at.client().get<Record<string, unknown>>('/api/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } });

const refresh = (token = '', more: Record<string, string> = {}, at = service) =>
  post(at, TOKEN, { grant_type: 'refresh_token', refresh_token: token, ...more }, basic(app));

const isActive = async (token = ''): Promise<unknown> =>
  (await post(service, '/api/oauth/introspect', { token }, basic(app))).body['active'];

const ofAcme = (): object => ({
  organization_id: acme!.id,
  organization_slug: 'acme',
  organization_roles: ['bookkeeper'],
});

/** The parameters of the error with which the browser returns to the application. */
async function rejectionOf(
  { client }: UserWithGrants,
  more: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const address = new URL(await redirectOf(client, (await begin(config, { ...SCOPE, ...more })).url));
  expect(`${address.origin}${address.pathname}`).toBe(CALLBACK);
  const { state: _state, ...parameters } = Object.fromEntries(address.searchParams);
  return parameters;
}

describe('the scope organization', () => {
  it('adds the only organization of the user and the roles there to ID token, userinfo and JWT access token', async () => {
    const ann = await memberOf(acme!);
    const tokens = await logInAt(config, ann.client, SCOPE);
    expect(tokens.claims()).toMatchObject(ofAcme());
    expect((await userinfo(tokens.access_token)).body).toMatchObject(ofAcme());
    const scope = `${SCOPE.scope} crm:contact:read`;
    const { access_token: jwt } = await logInAt(config, ann.client, { scope, resource: CRM });
    expect(decodeJwt(jwt)).toMatchObject({ ...ofAcme(), aud: CRM });
    const { body } = await post(service, '/api/oauth/introspect', { token: jwt }, basic(app));
    expect(body).toMatchObject({ active: true, organization_id: acme!.id });
  });

  it('does not add what is held there to the permissions of an access token, which holds everywhere', async () => {
    await admin.post('/api/permission', { scope: 'crm', permission_id: 'contact:update', description: 'Update' });
    const scopes = ['openid', 'organization', 'crm:contact:update'];
    const ann = await memberOf(acme!);
    const party = await relyingParty(() => service, await register(admin, { scopes }));
    const { access_token: jwt } = await logInAt(party, ann.client, { scope: scopes.join(' '), resource: CRM });
    expect(decodeJwt(jwt)['scope'] ?? '').toBe('');
  });

  it('lists roles from groups of the organization, and none of other organizations', async () => {
    const [here, there] = [await createRole(admin, 'approver'), await createRole(admin, 'visitor')];
    const [group, other] = [
      await createGroup(admin, 'Approvers', { organization_id: acme!.id, role_ids: [here.id] }),
      await createGroup(admin, 'Visitors', { organization_id: globex!.id, role_ids: [there.id] }),
    ];
    const ann = await memberOf(acme!, globex!);
    await joinGroup(admin, group.id, ann.id);
    await joinGroup(admin, other.id, ann.id);
    const tokens = await logInAt(config, ann.client, { ...SCOPE, organization: 'acme' });
    expect(tokens.claims()?.['organization_roles']).toEqual(['approver', 'bookkeeper']);
  });

  it('gives no claims to a user without an organization, nor without the scope', async () => {
    const plain = await anyUserWith(service, admin);
    expect(Object.keys((await logInAt(config, plain.client, SCOPE)).claims() ?? {})).not.toContain(CLAIMS[0]);
    const ann = await memberOf(acme!);
    const tokens = await logInAt(config, ann.client, { scope: 'openid profile' });
    expect(Object.keys(tokens.claims() ?? {}).filter((name) => CLAIMS.includes(name))).toEqual([]);
    expect(Object.keys((await userinfo(tokens.access_token)).body).filter((name) => CLAIMS.includes(name))).toEqual([]);
  });

  it('gives no claims to an application that the user denies it', async () => {
    const ann = await memberOf(acme!);
    const { url, checks } = await begin(config, { ...SCOPE, organization: 'acme' });
    const { redirect } = (
      await decideAt(ann.client, await redirectOf(ann.client, url), 'allow', { scopes: ['openid'] })
    ).body;
    const back = new URL(await redirectOf(ann.client, redirect));
    const tokens = await oidc.authorizationCodeGrant(config, back, checks);
    expect(Object.keys(tokens.claims() ?? {}).filter((name) => CLAIMS.includes(name))).toEqual([]);
  });

  it('is described on the consent page in both languages, and listed by discovery', async () => {
    const ann = await memberOf(acme!);
    const page = await redirectOf(ann.client, (await begin(config, SCOPE)).url);
    for (const [language, description] of [
      ['en', 'See your organizations and your roles in them'],
      ['zh', '查看您所属的组织以及您在其中的角色'],
    ]) {
      const uid = new URL(page, ISSUER).searchParams.get('interaction');
      const { body } = await ann.client.get<ShownInteraction>(`/api/oauth/interaction/${uid}?lang=${language}`);
      expect(body.scopes).toContainEqual({ name: 'organization', description });
    }
    const { body } = await service.client().get<Record<string, string[]>>('/.well-known/openid-configuration');
    expect(body['scopes_supported']).toContain('organization');
    expect(body['claims_supported']).toEqual(expect.arrayContaining(CLAIMS));
  });

  it.each(CLAIMS)('reserves the name of the claim %s', async (name) => {
    const claims = [{ name, from: 'constant', value: 'forged', in: ['id_token'] }];
    const answer = await admin.post('/api/oauth/client', { name: 'App', redirect_uris: [CALLBACK], claims });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('reserved_claim')]);
  });

  it('refers to userinfo for more roles than fit into a token', async () => {
    const ann = await memberOf(acme!);
    const names = Array.from({ length: 250 }, (_, index) => `large-${'x'.repeat(30)}-${index}`);
    await service.query(
      `WITH made AS (INSERT INTO role (id, scope, name) SELECT gen_random_uuid(), 'iam', name
         FROM unnest($1::text[]) AS wanted (name) RETURNING id)
       INSERT INTO organization_member_role (organization_id, user_id, role_id) SELECT $2, $3, id FROM made`,
      [names, acme!.id, ann.id],
    );
    const tokens = await logInAt(config, ann.client, SCOPE);
    expect(tokens.claims()).toMatchObject({
      organization_id: acme!.id,
      _claim_names: { organization_roles: 'userinfo' },
    });
    expect((await userinfo(tokens.access_token)).body['organization_roles']).toHaveLength(251);
  });
});

describe('the parameter organization', () => {
  it('chooses by slug or id, so that two tabs of one session work in two organizations, also after a refresh', async () => {
    const ann = await memberOf(acme!, globex!);
    const one = await logInAt(config, ann.client, { ...SCOPE, organization: 'acme' });
    const two = await logInAt(config, ann.client, { ...SCOPE, organization: globex!.id });
    for (const [tokens, organization] of [
      [one, acme!],
      [two, globex!],
    ] as const) {
      expect(tokens.claims()?.['organization_id']).toBe(organization.id);
      const { body } = await refresh(tokens.refresh_token);
      expect(decodeJwt(body['id_token'] as string)['organization_id']).toBe(organization.id);
      expect((await userinfo(body['access_token'] as string)).body['organization_slug']).toBe(organization.slug);
      const again = await refresh(body['refresh_token'] as string);
      expect(decodeJwt(again.body['id_token'] as string)['organization_id']).toBe(organization.id);
    }
  });

  it('is required of a member of several', async () => {
    const ann = await memberOf(acme!, globex!);
    await logInAt(config, ann.client, { ...SCOPE, organization: 'acme' });
    expect(await rejectionOf(ann, {})).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('parameter organization') as string,
    });
  });

  it('ends with access_denied for others than members, whether or not there is such an organization', async () => {
    const ann = await memberOf(acme!);
    await logInAt(config, ann.client, SCOPE);
    const rejections = [];
    for (const named of ['globex', globex!.id, 'unknown', '01900000-0000-7000-8000-00000000cafe', 'Not A Slug']) {
      rejections.push(await rejectionOf(ann, { organization: named }));
      rejections.push(await rejectionOf(ann, { organization: named, prompt: 'none' }));
    }
    expect(rejections[0]).toMatchObject({
      error: 'access_denied',
      error_description: 'the user is not a member of the organization',
    });
    expect(new Set(rejections.map((rejection) => JSON.stringify(rejection))).size).toBe(1);
  });

  it('ends with access_denied where a required second factor is missing, and so do tokens', async () => {
    const strict = await createOrganization(admin, 'strict-tokens');
    const ann = await memberOf(strict);
    const { access_token: token } = await logInAt(config, ann.client, SCOPE);
    expect(await isActive(token)).toBe(true);
    await admin.patch(`/api/organization/${strict.id}`, { mfa_required: true });
    expect([await isActive(token), (await userinfo(token)).status]).toEqual([false, 401]);
    expect(await rejectionOf(ann)).toMatchObject({ error: 'access_denied' });
    expect(await rejectionOf(ann, { organization: 'strict-tokens' })).toMatchObject({ error: 'access_denied' });
    await enrolTotp(ann.client);
    expect((await logInAt(config, ann.client, SCOPE)).claims()).toMatchObject({ organization_slug: 'strict-tokens' });
  });

  it('reveals no membership before the user consents', async () => {
    const ann = await memberOf(acme!);
    for (const organization of ['acme', 'globex', 'unknown']) {
      const { error } = await rejectionOf(ann, { organization, prompt: 'none' });
      expect([organization, error]).toEqual([organization, 'consent_required']);
      expect(await redirectOf(ann.client, (await begin(config, { ...SCOPE, organization })).url)).toMatch(
        /^\/consent\?/,
      );
    }
  });

  it('is rejected without the scope', async () => {
    const ann = await memberOf(acme!);
    const { error } = await rejectionOf(ann, { scope: 'openid', organization: 'acme' });
    expect(error).toBe('invalid_request');
  });

  it('counts for a pushed request, too', async () => {
    await service.set(parEnabled, true);
    const ann = await memberOf(acme!, globex!);
    const { url, checks } = await begin(config, { ...SCOPE, organization: 'globex' });
    const form = Object.fromEntries(url.searchParams);
    const pushed = await post(service, '/api/oauth/par', form, basic(app));
    expect(pushed.status).toBe(201);
    const short = new URL(url.pathname, url);
    short.searchParams.set('client_id', app.client_id);
    short.searchParams.set('request_uri', pushed.body['request_uri'] as string);
    const tokens = await oidc.authorizationCodeGrant(config, await authorize(ann.client, short), checks);
    expect(tokens.claims()?.['organization_slug']).toBe('globex');
  });
});

describe('a member who is removed', () => {
  it('gets no tokens for a code', async () => {
    const ann = await memberOf(acme!, globex!);
    const { url, verifier } = await begin(config, { ...SCOPE, organization: 'acme' });
    const code = (await authorize(ann.client, url)).searchParams.get('code') ?? '';
    await remove(ann, acme!);
    const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: CALLBACK };
    const { status, body } = await post(service, TOKEN, form, basic(app));
    expect([status, body['error']]).toEqual([400, 'invalid_grant']);
  });

  it('loses the tokens of the organization at every step, also those of narrowed refreshes, and no others', async () => {
    const ann = await memberOf(acme!, globex!);
    const tokens = await logInAt(config, ann.client, { ...SCOPE, organization: 'acme' });
    const others = await logInAt(config, ann.client, { ...SCOPE, organization: 'globex' });
    const scope = `${SCOPE.scope} crm:contact:read`;
    const resource = { scope, resource: CRM, organization: 'acme' };
    const { access_token: jwt, refresh_token: second } = await logInAt(config, ann.client, resource);
    const narrow = await refresh(second, { scope: 'openid crm:contact:read', resource: CRM });
    const narrowed = narrow.body['access_token'] as string;
    expect(decodeJwt(narrowed)).not.toHaveProperty('organization_roles');
    for (const token of [tokens.access_token, tokens.refresh_token, jwt, narrowed]) {
      expect(await isActive(token)).toBe(true);
    }
    await remove(ann, acme!);
    for (const token of [tokens.access_token, tokens.refresh_token, jwt, narrowed]) {
      expect(await isActive(token)).toBe(false);
    }
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    expect((await refresh(tokens.refresh_token)).body['error']).toBe('invalid_grant');
    expect((await userinfo(others.access_token)).body['organization_slug']).toBe('globex');
    expect((await refresh(others.refresh_token)).status).toBe(200);
  });

  it('is unknown to another instance within a second', async () => {
    const other = await service.another();
    const ann = await memberOf(acme!);
    const tokens = await logInAt(config, ann.client, SCOPE);
    expect((await userinfo(tokens.access_token, other)).status).toBe(200);
    await remove(ann, acme!);
    const isRejected = async (): Promise<boolean> => (await userinfo(tokens.access_token, other)).status === 401;
    expect(await staleFor(isRejected)).toBeLessThan(1_000);
    expect((await refresh(tokens.refresh_token, {}, other)).body['error']).toBe('invalid_grant');
  });

  it('does not pass on by the deletion of the organization', async () => {
    const gone = await createOrganization(admin, 'short-lived');
    const ann = await memberOf(gone);
    const tokens = await logInAt(config, ann.client, SCOPE);
    expect((await admin.delete(`/api/organization/${gone.id}`)).status).toBe(204);
    expect((await userinfo(tokens.access_token)).status).toBe(401);
    expect((await refresh(tokens.refresh_token)).body['error']).toBe('invalid_grant');
  });
});
