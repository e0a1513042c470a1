import { InfoService } from '../../../src/operations/info';
import { InteractionsService } from '../../../src/oauth';
import { newId } from '../../../src/platform/crypto';
import { Branding } from '../../../src/rbac';
import { expectProblem } from '../../support/service/expect-problem';
import {
  begin,
  beginBinding,
  comeBack,
  expectNothingCame,
  FakeProvider,
  FakeProviders,
  roundTrip,
} from '../../support/oauth/fake-providers';
import { anyUserWith } from '../../support/accounts/holders';
import { StoredOrganization, storeOrganization } from '../../support/organizations/invitations';
import { startWithProviders } from '../../support/oauth/service-with-providers';
import { Answer, Problem, TestClient } from '../../support/service/test-client';
import { TestService } from '../../support/service/test-service';

interface Identified {
  readonly provider: { readonly name: string; readonly label: string; readonly login_url: string } | null;
}

/** What a page shows of the service. */
interface Shown {
  readonly name: string;
  readonly branding: Omit<Branding, 'name'>;
}

interface Info {
  readonly oauth_providers: { readonly name: string }[];
  readonly identifier_first: boolean;
}

let service: TestService;
let providers: FakeProviders;
let acme: StoredOrganization;
let other: StoredOrganization;
let idp: FakeProvider;
let made = 0;

async function own(organization: StoredOrganization, domain: string, verified = true): Promise<void> {
  await service.query(
    `INSERT INTO organization_domain (organization_id, domain, txt_value, verified_at)
     VALUES ($1, $2, 'value', CASE WHEN $3 THEN now() END)`,
    [organization.id, domain, verified],
  );
}

const identify = async (identifier: string): Promise<Identified> =>
  (await service.client().post<Identified>('/api/auth/identify', { identifier })).body;
const info = async (): Promise<Info> => (await service.client().get<Info>('/api/info')).body;
const arrive = (email?: string): void => {
  idp.person(`organization ${++made}`, { emailVerified: true, ...(email !== undefined && { email }) });
};

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
  [acme, other] = [await storeOrganization(service), await storeOrganization(service, 'Other')];
  await own(acme, 'acme.example');
  await own(acme, 'pending.example', false);
  await own(other, 'other.example');
  idp = providers.add({ name: 'acme', autoRegister: true, trustEmail: true, organizationId: acme.id });
});

afterAll(() => service.stop());

describe('the login provider of an organization', () => {
  it('is found by an e-mail address of a verified domain, and not listed for everybody', async () => {
    const found = { name: 'acme', label: 'ACME', template: 'oidc', icon: '', login_url: '/api/oauth/login/acme' };
    for (const identifier of ['ann@acme.example', '  Ann@ACME.example ', 'nobody_at_all@acme.example']) {
      expect([identifier, await identify(identifier)]).toEqual([identifier, { provider: found }]);
    }
    const forAll = providers.add({ name: 'everybody' });
    expect(await info()).toMatchObject({ oauth_providers: [{ name: 'everybody' }], identifier_first: true });
    forAll.enabled = false;
  });

  it.each([
    'ann@other.example',
    'ann@pending.example',
    'ann@sub.acme.example',
    'ann@acme.example.evil.example',
    'acme.example',
    'ann',
    '+8613800138000',
  ])('is not found by %s', async (identifier) => {
    expect(await identify(identifier)).toEqual({ provider: null });
  });

  it('is not found while it is disabled, and the page asks for everything at once', async () => {
    idp.enabled = false;
    try {
      expect(await identify('ann@acme.example')).toEqual({ provider: null });
      expect(await info()).toMatchObject({ oauth_providers: [], identifier_first: false });
    } finally {
      idp.enabled = true;
    }
  });

  it('requires an identifier of a sensible length', async () => {
    for (const identifier of ['', 'a'.repeat(321), 7]) {
      const answer = await service.client().post('/api/auth/identify', { identifier });
      expectProblem(answer, 400, 'validation_failed');
    }
  });

  it('registers and logs in users of its domains', async () => {
    arrive('ann@acme.example');
    const client = service.client();
    expect((await roundTrip(client, idp)).body.status).toBe('logged_in');
    expect((await client.get('/api/auth/me')).body).toMatchObject({ email: 'ann@acme.example', email_verified: true });
    expect((await roundTrip(service.client(), idp)).body.status).toBe('logged_in');
  });

  it.each(['eve@other.example', 'eve@pending.example', 'eve@sub.acme.example', 'eve@gmail.com', undefined])(
    'cannot speak for %s',
    async (email) => {
      arrive(email);
      await expectNothingCame(service, () => roundTrip(service.client(), idp), 'email_domain_not_allowed');
      const user = await service.signUp(`organization_bind_${++made}`);
      const state = await beginBinding(user, idp);
      await expectNothingCame(service, () => comeBack(user, idp, state), 'email_domain_not_allowed');
    },
  );

  it('may be the only login that its organization accepts, and no other organization can name it', async () => {
    const admin = await service.admin();
    const accepted = { login_methods: ['oauth:acme'] };
    const elsewhere = await admin.patch(`/api/organization/${other.id}/settings`, accepted);
    expectProblem(elsewhere, 400, 'validation_failed');
    const path = `/api/organization/${acme.id}`;
    expect((await admin.patch(`${path}/settings`, accepted)).body).toMatchObject(accepted);
    arrive('eva@acme.example');
    const eva = service.client();
    await roundTrip(eva, idp);
    const { id } = (await eva.get<{ id: string }>('/api/auth/me')).body;
    const bob = await anyUserWith(service, admin);
    for (const userId of [id, bob.id]) await admin.post(`${path}/members`, { user_id: userId, role_ids: [] });
    expect((await eva.get(path)).status).toBe(200);
    expectProblem(await bob.client.get(path), 403, 'login_method_not_accepted');
  });

  it('is offered with a button on login pages of its organization, if that accepts it by name', async () => {
    const requests = service.app.get(InteractionsService, { strict: false });
    const { name, branding: values } = (await service.client().get<Shown>('/api/info')).body;
    const branding = { name, ...values };
    const shownWith = async (...loginMethods: string[]) => {
      jest.spyOn(requests, 'organizationOf').mockResolvedValueOnce({ id: acme.id, branding, loginMethods });
      const { oauth_providers: shown, identifier_first: isAskedFirst } = await service.app
        .get(InfoService, { strict: false })
        .describeFor('the-request');
      return [shown.map((provider) => provider.name), isAskedFirst];
    };
    expect(await shownWith('oauth:acme', 'passkey')).toEqual([['acme'], false]);
    expect(await shownWith('password')).toEqual([[], true]);
  });

  it('speaks for nobody as soon as the organization loses the domain', async () => {
    await own(acme, 'lost.example');
    arrive('bob@lost.example');
    expect((await roundTrip(service.client(), idp)).body.status).toBe('logged_in');
    const client = service.client();
    const state = await begin(client, idp);
    await service.query(`UPDATE organization_domain SET verified_at = NULL WHERE domain = 'lost.example'`);
    await own(other, 'lost.example');
    await expectNothingCame(service, () => comeBack(client, idp, state), 'email_domain_not_allowed');
    expect(await identify('bob@lost.example')).toEqual({ provider: null });
  });
});

it('opens no link for an address of a domain that was lost meanwhile', async () => {
  await own(acme, 'gone.example');
  const asking = providers.add({ name: 'asking', organizationId: acme.id });
  asking.person('asking', { emailVerified: true, email: 'ann@gone.example' });
  const client = service.client();
  const { body } = await roundTrip(client, asking);
  expect(body.status).toBe('bind_required');
  await service.query(`UPDATE organization_domain SET verified_at = NULL WHERE domain = 'gone.example'`);
  const registration = { temp_token: body.temp_token, username: 'from_gone_domain' };
  expectProblem(await client.post('/api/oauth/bind/register', registration), 401, 'temp_token_invalid');
});

describe('the configuration of a provider for an organization', () => {
  let admin: TestClient;
  const body = (more: object = {}): object => ({
    name: `org-idp-${++made}`,
    template: 'oidc',
    issuer: 'https://idp.acme.example',
    client_id: 'castellan',
    client_secret: 'a secret of the provider',
    organization_id: acme.id,
    ...more,
  });
  const create = (more: object = {}): Promise<Answer<{ id: string; organization_id?: string }>> =>
    admin.post('/api/oauth/provider', body(more));

  beforeAll(async () => {
    FakeProviders.removeFrom(service);
    admin = await service.admin();
  });

  it('keeps the organization, which cannot be deleted meanwhile', async () => {
    const organization = await storeOrganization(service);
    const { body: provider, status } = await create({ organization_id: organization.id });
    expect([status, provider.organization_id]).toEqual([201, organization.id]);
    const path = `/api/oauth/provider/${provider.id}`;
    expectProblem(await admin.patch(path, { organization_id: null }), 400, 'validation_failed');
    expect((await admin.patch(path, { label: 'New' })).body).toMatchObject({ organization_id: organization.id });
    expectProblem(await admin.delete(`/api/organization/${organization.id}`), 409, 'in_use');
    expect((await admin.delete(path)).status).toBe(204);
    expect((await admin.delete(`/api/organization/${organization.id}`)).status).toBe(204);
  });

  it('keeps its name, and stays, while an organization lists it', async () => {
    const organization = await storeOrganization(service);
    const { body: provider } = await create({ name: 'listed', organization_id: organization.id });
    const [path, settings] = [`/api/oauth/provider/${provider.id}`, `/api/organization/${organization.id}/settings`];
    expect((await admin.patch(settings, { login_methods: ['oauth:listed', 'password'] })).status).toBe(200);
    expectProblem(await admin.patch(path, { name: 'renamed' }), 409, 'in_use');
    expectProblem(await admin.delete(path), 409, 'in_use');
    expectProblem(await admin.delete(`${path}?force=true`), 409, 'in_use');
    expect((await admin.patch(path, { name: 'listed', label: 'New' })).status).toBe(200);
    expect((await admin.patch(settings, { login_methods: ['password'] })).status).toBe(200);
    expect((await admin.patch(path, { name: 'renamed' })).status).toBe(200);
    expect((await admin.delete(`${path}?force=true`)).status).toBe(204);
  });

  it('is not listed by a name that it has just lost', async () => {
    const organization = await storeOrganization(service);
    const { body: provider } = await create({ name: 'fleeting', organization_id: organization.id });
    const settings = `/api/organization/${organization.id}/settings`;
    // This instance knows the providers for a second.
    expect((await admin.get(settings)).text).toContain('oauth:fleeting');
    await service.query(`UPDATE oauth_provider SET name = 'moved' WHERE id = $1`, [provider.id]);
    const answer = await admin.patch<Problem>(settings, { login_methods: ['password', 'oauth:fleeting'] });
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ field: 'login_methods[1]', code: 'unknown_login_method' }]);
  });

  it('is either renamed or listed when both requests race', async () => {
    const organization = await storeOrganization(service);
    const { body: provider } = await create({ name: 'racer-0', organization_id: organization.id });
    const settings = `/api/organization/${organization.id}/settings`;
    for (let round = 0; round < 4; round++) {
      const [renamed, listed] = await Promise.all([
        admin.patch(`/api/oauth/provider/${provider.id}`, { name: `racer-${round + 1}` }),
        admin.patch(settings, { login_methods: ['password', `oauth:racer-${round}`] }),
      ]);
      expect([
        [200, 400],
        [409, 200],
      ]).toContainEqual([renamed.status, listed.status]);
      await admin.patch(settings, { login_methods: null });
      await admin.patch(`/api/oauth/provider/${provider.id}`, { name: `racer-${round + 1}` });
    }
  });

  it.each([
    [{ organization_id: newId() }, 'unknown_organization'],
    [{ organization_id: 'acme' }, 'id'],
    [{ template: 'github', issuer: undefined }, 'openid_template'],
  ])('rejects %j', async (more, code) => {
    const answer = await admin.post('/api/oauth/provider', body(more));
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'organization_id', code }] } });
  });

  it('needs full authority', async () => {
    const { client } = await anyUserWith(service, admin, 'oauth_provider:create');
    expectProblem(await client.post('/api/oauth/provider', body()), 403, 'escalation_denied');
  });
});
