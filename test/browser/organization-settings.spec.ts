import { createHash } from 'node:crypto';
import { termsVersion } from '../../src/users';
import { createRole, userWith } from '../support/accounts/holders';
import { invited } from '../support/organizations/invitations';
import {
  changeSettings,
  OrganizationSettingsAnswer,
  settingsPath,
} from '../support/organizations/organization-settings';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { requireTerms, resetTerms } from '../support/accounts/terms';
import { TestClient } from '../support/service/test-client';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { openAs } from './people';
import { pageForEach, serveIssuerForAll } from './stage';
import { complaintsOf } from './watch';

const CALLBACK = 'https://app.example.com/callback';

const served = serveIssuerForAll();
const seen = pageForEach(1280);
let complaints: string[];
let admin: TestClient;
let clientId: string;

beforeAll(async () => {
  admin = await served.service.admin();
  const client = { name: 'Payroll', redirect_uris: [CALLBACK], scopes: ['openid', 'organization'] };
  clientId = (await admin.post<{ client_id: string }>('/api/oauth/client', client)).body.client_id;
});

beforeEach(() => {
  // Visitors ask whether there is a login. The other statuses are what tests are about.
  complaints = complaintsOf(seen.page, /status of 40[013]/);
});

afterEach(() => {
  expect(complaints).toEqual([]);
});

const look = () => seen.page.locator('section:has(h2:text-is("Login pages and login methods"))');
const stored = async (organization: OrganizationAnswer): Promise<OrganizationSettingsAnswer> =>
  (await admin.get<OrganizationSettingsAnswer>(settingsPath(organization))).body;

async function save(): Promise<number> {
  const saved = seen.page.waitForResponse((response) => response.request().method() === 'PATCH');
  await look().getByRole('button', { name: 'Save', exact: true }).click();
  return (await saved).status();
}

/** Goes where an application sends a browser for a login. */
const begin = ({ slug }: OrganizationAnswer, client = clientId): Promise<unknown> =>
  seen.page.goto(
    `${served.address}/api/oauth/authorize?${new URLSearchParams({
      client_id: client,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid organization',
      organization: slug,
      state: 'the-state',
      code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString()}`,
  );

it('sets the look of the login pages and takes it back', async () => {
  const acme = await createOrganization(admin, 'look-acme');
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/organizations/${acme.id}`);
  const name = look().getByLabel('Displayed name');
  expect(await name.getAttribute('placeholder')).toBe('Castellan');
  await name.fill('Acme Portal');
  await look().getByLabel('Main colour').fill('#8b1e3f');
  expect(await save()).toBe(200);
  expect(await stored(acme)).toMatchObject({ name: 'Acme Portal', primary_color: '#8b1e3f', logo: null });
  await expectGoodLooks(seen.page);
  await look().getByLabel('Main colour').fill('red');
  expect(await save()).toBe(400);
  await look().getByText('Must be a colour').waitFor();
  await look().getByLabel('Main colour').fill('');
  expect(await save()).toBe(200);
  expect(await stored(acme)).toMatchObject({ name: 'Acme Portal', primary_color: null });
});

it('lets an administrator of one organization choose the login methods, but not without the own one', async () => {
  const acme = await createOrganization(admin, 'look-methods');
  const owner = await createRole(admin, 'look_owner', 'organization:update');
  const ann = await userWith(served.service, admin, 'look_ann');
  await addMember(admin, acme, ann, owner);
  await openAs(seen.page, served.address, ann.username, PASSWORD, `/account/organizations/${acme.id}`);
  await look().getByLabel('Accept every login method').click();
  await look().getByLabel('Password', { exact: true }).click();
  expect(await save()).toBe(400);
  await look().getByText('You would lock yourself out').waitFor();
  await look().getByLabel('Password', { exact: true }).click();
  await look().getByLabel('SMS code').click();
  expect(await save()).toBe(200);
  const { login_methods: methods } = await stored(acme);
  expect([methods?.includes('password'), methods?.includes('sms')]).toEqual([true, false]);
  await expectGoodLooks(seen.page);
});

it('leads a member who logged in another way to a new login', async () => {
  const acme = await createOrganization(admin, 'look-strict');
  const ann = await userWith(served.service, admin, 'look_strict_ann');
  await addMember(admin, acme, ann);
  await changeSettings(admin, acme, { login_methods: ['email'] });
  const path = `/account/organizations/${acme.id}`;
  await openAs(seen.page, served.address, ann.username, PASSWORD, path);
  await seen.page.getByText('does not accept the way you logged in').waitFor();
  await expectGoodLooks(seen.page);
  await seen.page.getByRole('link', { name: 'Log in again' }).click();
  await seen.page.waitForURL(`${served.address}/login?redirect=*`);
});

it('shows the login page of an application with the look and the accepted methods only', async () => {
  const acme = await createOrganization(admin, 'look-login');
  await changeSettings(admin, acme, {
    name: 'Acme Portal',
    primary_color: '#8b1e3f',
    support: 'https://acme.example.com/help',
    login_methods: ['email'],
  });
  await begin(acme);
  await seen.page.getByLabel('E-mail').waitFor();
  expect(await seen.page.getByText('Acme Portal').count()).toBe(0);
  const client = { name: 'Portal', redirect_uris: [CALLBACK], scopes: ['openid', 'organization'] };
  const tied = await admin.post<{ client_id: string }>('/api/oauth/client', { ...client, organization_id: acme.id });
  await begin(acme, tied.body.client_id);
  await seen.page.locator('header').getByText('Acme Portal').waitFor();
  await seen.page.locator('header').getByText('Castellan').waitFor();
  expect(await seen.page.title()).toContain('Castellan');
  await seen.page.getByLabel('E-mail').waitFor();
  expect(await seen.page.locator('input[type="password"]').count()).toBe(0);
  const help = seen.page.locator('footer a[href="https://acme.example.com/help"]');
  expect(await help.getAttribute('rel')).toContain('noopener');
  const accent = await seen.page.evaluate<string>('document.documentElement.style.getPropertyValue("--accent")');
  expect(accent).toBe('#8b1e3f');
  await expectGoodLooks(seen.page);
  await seen.page.goto(`${served.address}/login`);
  await seen.page.locator('header').getByText('Castellan').waitFor();
  expect(await seen.page.locator('input[type="password"]').count()).toBe(1);
});

it('shows invitations with the look', async () => {
  const acme = await createOrganization(admin, 'look-invitation');
  await changeSettings(admin, acme, { name: 'Acme Portal', primary_color: '#8b1e3f' });
  const token = await invited(served.service, admin, acme, 'look-guest@example.com');
  await seen.page.goto(`${served.address}/invitation#${token}`);
  await seen.page.locator('header').getByText('Acme Portal').waitFor();
  const accent = await seen.page.evaluate<string>('document.documentElement.style.getPropertyValue("--accent")');
  expect(accent).toBe('#8b1e3f');
  await expectGoodLooks(seen.page);
});

describe('terms of an organization', () => {
  afterEach(() => resetTerms(served.service));

  it('stay on its registration page when the version changes meanwhile', async () => {
    const acme = await createOrganization(admin, 'own-terms');
    await changeSettings(admin, acme, { name: 'Acme Inc', terms: 'https://acme.test/terms' });
    await requireTerms(served.service);
    const { body: tied } = await admin.post<{ client_id: string }>('/api/oauth/client', {
      name: 'Tied',
      redirect_uris: [CALLBACK],
      scopes: ['openid', 'organization'],
      organization_id: acme.id,
    });
    await begin(acme, tied.client_id);
    await seen.page.click('a[href^="/register"]');
    await seen.page.getByLabel('Username').fill('agrees_at_acme');
    await seen.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    const box = seen.page.getByLabel('I agree to the terms of use');
    await box.check();
    await served.service.set(termsVersion, '2026-02');
    await seen.page.click('button[type="submit"]');
    await box.and(seen.page.locator(':not(:checked)')).waitFor();
    const read = seen.page.getByRole('link', { name: 'Read the terms of use' });
    expect(await read.getAttribute('href')).toBe('/terms');
    expect(await seen.page.locator('header').textContent()).toContain('Acme Inc');
  });
});
