import { createRole, userWith } from '../support/accounts/holders';
import {
  addMember,
  createOrganization,
  OrganizationAnswer,
  OrganizationMemberAnswer,
} from '../support/organizations/organizations';
import { TestClient } from '../support/service/test-client';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { agree, logIn, openAs } from './people';
import { pageForEach, serveForAll } from './stage';
import { complaintsOf } from './watch';

const served = serveForAll();
const seen = pageForEach(1280);
let complaints: string[];
let admin: TestClient;

beforeAll(async () => {
  admin = await served.service.admin();
});

beforeEach(() => {
  complaints = complaintsOf(seen.page);
});

afterEach(() => {
  expect(complaints).toEqual([]);
});

const section = (title: string) => seen.page.locator(`section:has(h2:text-is("${title}"))`);
const button = (name: string) => seen.page.getByRole('button', { name, exact: true });
const open = (path: string) => openAs(seen.page, served.address, ADMIN.username, ADMIN.password, path);

async function rolesOf({ id }: OrganizationAnswer, username: string): Promise<string[] | undefined> {
  const { body } = await admin.get<{ items: OrganizationMemberAnswer[] }>(`/api/organization/${id}/members`);
  return body.items.find((member) => member.username === username)?.role_ids;
}

it('creates an organization with a suggested short name, and changes it', async () => {
  await open('/admin/organizations');
  await section('New organization').getByLabel('Name', { exact: true }).fill('Müller & Söhne');
  expect(await seen.page.getByLabel('Short name').inputValue()).toBe('muller-sohne');
  await button('Add').click();
  await seen.page.waitForSelector('h1:has-text("Müller & Söhne")');
  const id = new URL(seen.page.url()).pathname.split('/').at(-1)!;
  await seen.page.getByLabel('Short name').fill('msc');
  await seen.page.getByLabel('Attributes').fill('tier = gold\nregion = eu = west');
  // The message of the creation may still be there.
  const saved = seen.page.waitForResponse((response) => response.request().method() === 'PATCH');
  await section('General').getByRole('button', { name: 'Save', exact: true }).click();
  expect((await saved).status()).toBe(200);
  expect((await admin.get(`/api/organization/${id}`)).body).toMatchObject({
    slug: 'msc',
    name: 'Müller & Söhne',
    attributes: { tier: 'gold', region: 'eu = west' },
  });
  await expectGoodLooks(seen.page);
});

it('adds a member with a role, takes the role and the member away', async () => {
  const organization = await createOrganization(admin, 'with-members');
  const role = await createRole(admin, 'writes_there', 'thing:read');
  await served.service.register('joins_there');
  await open(`/admin/organizations/${organization.id}`);
  const members = section('Members');
  await members.getByLabel('Add a member').fill('joins_there');
  await members.getByLabel('Add role').selectOption({ label: 'iam · writes_there' });
  await members.getByRole('button', { name: 'Add', exact: true }).click();
  const member = members.getByRole('group', { name: 'joins_there' });
  await member.waitFor();
  expect(await rolesOf(organization, 'joins_there')).toEqual([role.id]);
  await member.getByRole('button', { name: 'Remove the role iam · writes_there' }).click();
  await member.getByRole('button', { name: 'Remove the role iam · writes_there' }).waitFor({ state: 'detached' });
  expect(await rolesOf(organization, 'joins_there')).toEqual([]);
  await member.getByRole('button', { name: 'Remove joins_there from the organization' }).click();
  await agree(seen.page, 'Remove');
  await member.waitFor({ state: 'detached' });
  expect(await rolesOf(organization, 'joins_there')).toBeUndefined();
});

it('gives a member a permission that holds there only, and takes it away', async () => {
  const organization = await createOrganization(admin, 'with-grants');
  const member = await userWith(served.service, admin, 'granted_there', 'thing:everywhere');
  await addMember(admin, organization, member);
  const direct = async (): Promise<object[]> =>
    (await admin.get<{ direct: object[] }>(`/api/user/${member.id}/permissions`)).body.direct;
  await open(`/admin/organizations/${organization.id}`);
  const row = section('Members').getByRole('group', { name: 'granted_there' });
  const name = 'Direct permissions of granted_there in this organization';
  await row.getByRole('button', { name }).click();
  await row.getByText('None.').waitFor();
  await row.getByLabel('Permission', { exact: true }).fill('audit:read');
  await row.getByRole('button', { name: 'Add', exact: true }).click();
  const remove = row.getByRole('button', { name: 'Remove audit:read' });
  await remove.waitFor();
  expect(await direct()).toHaveLength(2);
  expect(await direct()).toMatchObject([
    { permission_id: 'thing:everywhere' },
    { permission_id: 'audit:read', organization_id: organization.id },
  ]);
  await expectGoodLooks(seen.page);
  await remove.click();
  await agree(seen.page, 'Remove');
  await remove.waitFor({ state: 'detached' });
  expect(await direct()).toMatchObject([{ permission_id: 'thing:everywhere' }]);
});

it('claims a domain and shows the record to publish', async () => {
  const organization = await createOrganization(admin, 'with-domain');
  await open(`/admin/organizations/${organization.id}`);
  const domains = section('Domains');
  await domains.getByLabel('New domain').fill('with-domain.example');
  await domains.getByRole('button', { name: 'Add', exact: true }).click();
  const claimed = domains.getByRole('group', { name: 'with-domain.example' });
  expect(await claimed.getByRole('textbox', { name: 'Name of the record' }).inputValue()).toContain(
    'with-domain.example',
  );
  await expectGoodLooks(seen.page);
});

it('shows an administrator of one organization that one only', async () => {
  const [own, other] = [await createOrganization(admin, 'own-one'), await createOrganization(admin, 'other-one')];
  const role = await createRole(admin, 'leads_there', 'organization_member:*');
  const { id, client } = await userWith(served.service, admin, 'leads_one');
  await addMember(admin, own, { id }, role);
  await addMember(admin, other, { id: (await userWith(served.service, admin, 'in_other')).id });
  expect((await client.get(`/api/organization/${other.id}`)).status).toBe(404);
  await openAs(seen.page, served.address, 'leads_one', PASSWORD, '/account/organizations');
  await seen.page.getByRole('link', { name: 'own-one' }).click();
  await section('Members').getByLabel('Add a member').waitFor();
  expect(await seen.page.getByText('other-one').count()).toBe(0);
  expect(await seen.page.getByText('in_other').count()).toBe(0);
  expect(await section('Invitations').count()).toBe(0);
  expect(await button('Delete organization').count()).toBe(0);
});

it('lets an administrator of one organization define roles and give them, without seeing the roles of the service', async () => {
  const organization = await createOrganization(admin, 'with-roles');
  const [leads, reads] = [
    await createRole(admin, 'leads_roles', 'role:*', 'organization_member:*'),
    await createRole(admin, 'reads_plans', 'plan:read'),
  ];
  await createRole(admin, 'beyond_the_lead', 'bill:read');
  const leader = await userWith(served.service, admin, 'leads_roles');
  const member = await userWith(served.service, admin, 'gets_role');
  await addMember(admin, organization, leader, leads, reads);
  await addMember(admin, organization, member);
  await logIn(seen.page, served.address, leader.username, PASSWORD, `/account/organizations/${organization.id}`);
  const roles = section('Roles');
  await roles.getByText('No roles.').waitFor();
  await roles.getByLabel('New role').fill('clerk');
  await roles.getByRole('button', { name: 'Add', exact: true }).click();
  await seen.page.waitForSelector('h1:has-text("clerk")');
  const permissions = section('Permissions');
  await permissions.getByLabel('Permission', { exact: true }).fill('plan:read');
  await permissions.getByRole('button', { name: 'Add', exact: true }).click();
  await permissions.getByRole('cell', { name: 'plan:read', exact: true }).waitFor();
  const id = new URL(seen.page.url()).pathname.split('/').at(-1)!;
  await section('Members').getByLabel('Add members').fill(member.username);
  await section('Members').getByRole('button', { name: 'Add', exact: true }).click();
  await seen.page.getByRole('button', { name: `Remove ${member.username} from the role` }).waitFor();
  expect((await admin.get(`/api/role/${id}`)).body).toMatchObject({
    organization_id: organization.id,
    name: 'clerk',
    user_count: 1,
    permissions: [{ permission_id: 'plan:read' }],
  });
  await expectGoodLooks(seen.page);

  await seen.page.getByRole('link', { name: 'Organization', exact: true }).click();
  const row = section('Members').getByRole('group', { name: member.username });
  await row.getByRole('button', { name: 'Remove the role iam · clerk' }).waitFor();
  const choice = row.getByLabel('Add role');
  expect(await choice.locator('optgroup').first().getAttribute('label')).toBe('Roles of the service');
  const offered = await choice.locator('option').allTextContents();
  expect(offered).toEqual(expect.arrayContaining(['iam · leads_roles', 'iam · reads_plans']));
  expect(offered).not.toContain('iam · beyond_the_lead');
  const adding = section('Members').getByLabel('Add role').last();
  expect(await adding.locator('optgroup').first().getAttribute('label')).toBe('Roles of the organization');
  await choice.selectOption({ label: 'iam · reads_plans' });
  await row.getByRole('button', { name: 'Remove the role iam · reads_plans' }).waitFor();
  expect((await rolesOf(organization, member.username))?.sort()).toEqual([id, reads.id].sort());

  await roles.getByRole('link', { name: 'clerk' }).click();
  await button('Delete role').click();
  await agree(seen.page, 'Delete role');
  await roles.getByText('No roles.').waitFor();
  expect((await admin.get(`/api/role/${id}`)).status).toBe(404);
  expect(await rolesOf(organization, member.username)).toEqual([reads.id]);
});

it('lets an administrator of one organization manage its groups', async () => {
  const organization = await createOrganization(admin, 'with-groups');
  const role = await createRole(admin, 'leads_groups', 'group:*', 'organization_member:read');
  const leader = await userWith(served.service, admin, 'leads_groups');
  const member = await userWith(served.service, admin, 'joins_group');
  await addMember(admin, organization, leader, role);
  await addMember(admin, organization, member);
  await logIn(seen.page, served.address, leader.username, PASSWORD, `/account/organizations/${organization.id}`);
  const groups = section('Groups');
  await groups.getByLabel('New group').fill('Sales');
  await groups.getByRole('button', { name: 'Add', exact: true }).click();
  await seen.page.waitForSelector('h1:has-text("Sales")');
  await section('Members').getByLabel('Add members').fill(member.username);
  await section('Members').getByRole('button', { name: 'Add', exact: true }).click();
  await seen.page.getByRole('button', { name: `Remove ${member.username} from the group` }).waitFor();
  const id = new URL(seen.page.url()).pathname.split('/').at(-1)!;
  expect((await admin.get(`/api/group/${id}`)).body).toMatchObject({
    organization_id: organization.id,
    name: 'Sales',
    member_count: 1,
  });
  await seen.page.getByLabel('Description').fill('Sells');
  await button('Save').click();
  await seen.page.waitForSelector('text="Saved"');
  await expectGoodLooks(seen.page);
  await button('Delete group').click();
  await agree(seen.page, 'Delete group');
  await groups.getByText('No groups.').waitFor();
  expect((await admin.get(`/api/group/${id}`)).status).toBe(404);
});
