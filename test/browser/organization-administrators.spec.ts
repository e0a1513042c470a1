import { readFileSync } from 'node:fs';
import { createRole, userWith } from '../support/accounts/holders';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { TestClient } from '../support/service/test-client';
import { PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { openAs } from './people';
import { pageForEach, serveForAll } from './stage';
import { complaintsOf } from './watch';

const served = serveForAll();
const seen = pageForEach(1280);
let complaints: string[];
let admin: TestClient;
let organization: OrganizationAnswer;

beforeAll(async () => {
  admin = await served.service.admin();
  organization = await createOrganization(admin, 'with-apps');
  const role = await createRole(admin, 'manages_apps', 'organization:update', 'oauth_client:admin', 'audit:read');
  await addMember(admin, organization, await userWith(served.service, admin, 'manages_apps'), role);
});

beforeEach(() => {
  complaints = complaintsOf(seen.page);
});

afterEach(() => {
  expect(complaints).toEqual([]);
});

const section = (title: string) => seen.page.locator(`section:has(h2:text-is("${title}"))`);

it('lets an administrator of an organization register and change its applications, and read its audit log', async () => {
  const path = `/account/organizations/${organization.id}`;
  await openAs(seen.page, served.address, 'manages_apps', PASSWORD, path);
  await section('Applications').getByRole('link', { name: 'Register application' }).click();
  await seen.page.locator('input[name="name"]').fill('Reports');
  await seen.page.getByLabel('Redirect URIs', { exact: true }).fill('https://reports.example.com/callback');
  await expectGoodLooks(seen.page);
  await seen.page.getByRole('button', { name: 'Register application' }).click();
  await seen.page.waitForSelector('h1:has-text("Reports")');
  await seen.page.getByRole('button', { name: 'Copy: Secret' }).click();
  await seen.page.locator(`a[href^="${path}/clients/"]`).last().click();
  await seen.page.getByText('It belongs to the organization.').waitFor();
  await seen.page.locator('input[name="name"]').fill('Better reports');
  const saved = seen.page.waitForResponse((response) => response.request().method() === 'PATCH');
  await seen.page.getByRole('button', { name: 'Save', exact: true }).click();
  expect((await saved).status()).toBe(200);
  await expectGoodLooks(seen.page);

  await seen.page.getByRole('link', { name: 'Organization', exact: true }).click();
  await section('Applications').getByRole('link', { name: 'Better reports' }).waitFor();
  await section('Audit log').getByText('Application changed').waitFor();
  for (const [format, beginning] of [
    ['CSV', 'at,'],
    ['NDJSON', '{'],
  ] as const) {
    const download = seen.page.waitForEvent('download');
    await section('Audit log')
      .getByRole('button', { name: `Export ${format}` })
      .click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`audit-with-apps.${format.toLowerCase()}`);
    const text = readFileSync(await file.path(), 'utf8');
    expect(text).toContain('oauth_client.update');
    expect(text.replace('\uFEFF', '').startsWith(beginning)).toBe(true);
  }
  await expectGoodLooks(seen.page);
  const { items } = (await admin.get<{ items: object[] }>(`/api/oauth/client?organization_id=${organization.id}`)).body;
  expect(items).toMatchObject([{ name: 'Better reports', owner_id: null }]);
});
