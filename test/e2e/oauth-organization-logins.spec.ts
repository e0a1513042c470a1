import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { InfoService } from '../../src/operations/info';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, UserWithGrants } from '../support/accounts/holders';
import {
  basic,
  begin,
  decideAt,
  logInAt,
  post,
  ShownInteraction,
  interactionAt,
  register,
  Registered,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { changeSettings, logInByCode } from '../support/organizations/organization-settings';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { staleFor } from '../support/service/staleness';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const CRM = 'urn:castellan:crm';
const SCOPES = ['openid', 'offline_access', 'organization', 'crm:contact:read'];
const SCOPE = { scope: 'openid offline_access organization' };
const LOOK = { name: 'Acme Portal', primary_color: '#112233' };
const CODES = { login_methods: ['email'] };

interface BrandedQuestion extends ShownInteraction {
  readonly organization: { readonly name: string; readonly login_methods: string[] | null } | null;
}

let service: TestService;
let admin: TestClient;
let app: Registered;
let config: oidc.Configuration;
let made = 0;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  await admin.post('/api/permission', { scope: 'crm', permission_id: 'contact:read', description: 'Read contacts' });
  app = await register(admin, { scopes: SCOPES, introspection_resources: [CRM] });
  config = await relyingParty(() => service, app);
});

const newOrganization = (): Promise<OrganizationAnswer> => createOrganization(admin, `client-${++made}`);

async function memberOf(...organizations: OrganizationAnswer[]): Promise<UserWithGrants> {
  const holder = await anyUserWith(service, admin, { scope: 'crm', permission_id: 'contact:read' });
  for (const organization of organizations) await addMember(admin, organization, holder);
  return holder;
}

/** The address of the page that the request leads to. */
const pageOf = async (browser: TestClient, parameters: Record<string, string>, at = config): Promise<string> =>
  redirectOf(browser, (await begin(at, { ...SCOPE, ...parameters })).url);

const lookAt = async (browser: TestClient, page: string): Promise<BrandedQuestion['organization']> =>
  ((await interactionAt(browser, page)).body as BrandedQuestion).organization;

const errorIn = (address: string): string | null => new URL(address).searchParams.get('error');

const infoOf = (page: string) => {
  const uid = new URL(page, 'http://page').searchParams.get('interaction') ?? '';
  return service.app.get(InfoService, { strict: false }).describeFor(uid);
};

describe('the login at an application', () => {
  it('shows nothing of an organization that only the request names, but the login methods', async () => {
    const [acme, silent] = [await newOrganization(), await newOrganization()];
    await changeSettings(admin, acme, LOOK);
    const visitor = service.client();
    const plain = (await visitor.get<{ name: string }>('/api/info')).body;
    for (const organization of [acme.slug, acme.id, silent.slug, 'no-such-organization', '']) {
      const page = await pageOf(visitor, { organization });
      expect(await lookAt(visitor, page)).toBeNull();
      expect(await infoOf(page)).toEqual(plain);
    }
    expect(await lookAt(visitor, await pageOf(visitor, {}))).toBeNull();
    await changeSettings(admin, acme, CODES);
    const look = await lookAt(visitor, await pageOf(visitor, { organization: acme.slug }));
    expect(look).toMatchObject({ name: plain.name, ...CODES });
  });

  it('shows what the organization has set that the client is tied to, also while it asks for consent', async () => {
    const acme = await newOrganization();
    await changeSettings(admin, acme, LOOK);
    const tied = await register(admin, { scopes: SCOPES, organization_id: acme.id });
    const party = await relyingParty(() => service, tied);
    const visitor = service.client();
    expect(await lookAt(visitor, await pageOf(visitor, {}, party))).toMatchObject(LOOK);
    const { client } = await memberOf(acme);
    const page = await pageOf(client, {}, party);
    expect(page).toMatch(/^\/consent\?/);
    expect(await lookAt(client, page)).toMatchObject({ ...LOOK, login_methods: null });
  });

  it('gives pages of a tied client the look beside the name and the links of the service, and the accepted login methods only', async () => {
    const acme = await newOrganization();
    const support = 'https://acme.example.com/help';
    await changeSettings(admin, acme, { ...LOOK, ...CODES, support });
    const tied = await register(admin, { scopes: SCOPES, organization_id: acme.id });
    const page = await pageOf(service.client(), {}, await relyingParty(() => service, tied));
    const { name, branding, organization, login_methods: methods, registration } = await infoOf(page);
    expect(registration.enabled).toBe(false);
    expect([name, branding.support, branding.primary_color]).toEqual(['Castellan', '', '#112233']);
    expect(organization).toEqual({ name: 'Acme Portal', terms: '', privacy: '', support });
    expect(methods.filter(({ enabled }) => enabled)).toEqual([{ type: 'email', enabled: true }]);
    const plain = await infoOf('/login?interaction=unknown-unknown-unknown');
    expect(plain).toEqual((await service.client().get('/api/info')).body);
  });

  it('asks for another login by an accepted method', async () => {
    const acme = await newOrganization();
    await changeSettings(admin, acme, CODES);
    const ann = await memberOf(acme);
    const page = await pageOf(ann.client, { organization: acme.slug });
    expect(page).toMatch(/^\/login\?/);
    expectProblem(await decideAt(ann.client, page), 403, 'login_method_not_accepted');
    const byCode = await logInByCode(service, ann);
    const tokens = await logInAt(config, byCode, { ...SCOPE, organization: acme.slug });
    expect(tokens.claims()).toMatchObject({ organization_id: acme.id });
  });

  it('does not reveal to the application who is a member', async () => {
    const acme = await newOrganization();
    await changeSettings(admin, acme, CODES);
    for (const { client } of [await memberOf(acme), await memberOf()]) {
      const quiet = await pageOf(client, { organization: acme.slug, prompt: 'none' });
      expect(errorIn(quiet)).toBe('login_required');
    }
  });

  it('is for no organization if only the membership names one that does not accept the login', async () => {
    const acme = await newOrganization();
    const ann = await memberOf(acme);
    expect((await logInAt(config, ann.client, SCOPE)).claims()).toMatchObject({ organization_id: acme.id });
    await changeSettings(admin, acme, CODES);
    const tokens = await logInAt(config, ann.client, SCOPE);
    expect(tokens.claims()).not.toHaveProperty('organization_id');
  });

  it('obeys no organization at a client without the scope for it', async () => {
    const acme = await newOrganization();
    await changeSettings(admin, acme, { ...LOOK, ...CODES });
    const other = await relyingParty(() => service, await register(admin, { scopes: ['openid', 'profile'] }));
    const { client } = await memberOf(acme);
    for (const scope of ['openid', 'openid organization']) {
      for (const more of [{}, { prompt: 'none' }] as Record<string, string>[]) {
        const address = await pageOf(client, { scope, organization: acme.slug, ...more }, other);
        expect([scope, errorIn(new URL(address, 'http://page').href)]).toEqual([
          scope,
          scope === 'openid' ? 'invalid_request' : 'invalid_scope',
        ]);
      }
    }
  });
});

describe('tokens for an organization', () => {
  const refresh = (token = '') =>
    post(service, '/api/oauth/token', { grant_type: 'refresh_token', refresh_token: token }, basic(app));
  const isActive = async (token: string): Promise<unknown> =>
    (await post(service, '/api/oauth/introspect', { token }, basic(app))).body['active'];
  const userinfo = async (token: string): Promise<number> =>
    (await service.client().get('/api/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } })).status;

  it('end when it no longer accepts the login that they come from', async () => {
    const acme = await newOrganization();
    const ann = await memberOf(acme);
    const byCode = await logInByCode(service, ann);
    const [first, second] = [await logInAt(config, ann.client, SCOPE), await logInAt(config, byCode, SCOPE)];
    const jwts = [];
    for (const browser of [ann.client, byCode]) {
      const scope = `${SCOPE.scope} crm:contact:read`;
      jwts.push((await logInAt(config, browser, { scope, resource: CRM })).access_token);
    }
    expect(jwts.map((jwt) => decodeJwt(jwt)['login_method'])).toEqual(['password', 'email']);
    const rotated = await refresh(first.refresh_token);
    expect(rotated.status).toBe(200);

    await changeSettings(admin, acme, CODES);
    expect(await staleFor(async () => (await userinfo(first.access_token)) === 401)).toBeLessThan(1_000);
    expect((await refresh(String(rotated.body['refresh_token']))).body).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(second.refresh_token)).status).toBe(200);
    expect(await userinfo(second.access_token)).toBe(200);
    expect([await isActive(jwts[0]!), await isActive(jwts[1]!)]).toEqual([false, true]);
  });

  it('name the login method for an organization only', async () => {
    const ann = await memberOf();
    const { access_token: jwt } = await logInAt(config, ann.client, {
      scope: 'openid crm:contact:read',
      resource: CRM,
    });
    expect(decodeJwt(jwt)['login_method']).toBeUndefined();
  });
});
