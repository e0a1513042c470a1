import type { GroupAnswer } from '../support/accounts/groups';
import { createGroup, createTree, joinGroup } from '../support/accounts/groups';
import { createRole } from '../support/accounts/holders';
import { TestClient } from '../support/service/test-client';
import { ADMIN } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { agree, openAs } from './people';
import { pageForAll, serveForAll } from './stage';
import { complaintsOf } from './watch';

const served = serveForAll();
const seen = pageForAll(1280);
let complaints: string[];
let admin: TestClient;

beforeAll(async () => {
  complaints = complaintsOf(seen.page);
  admin = await served.service.admin();
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/groups');
});

afterEach(() => {
  expect(complaints).toEqual([]);
});

const section = (title: string) => seen.page.locator(`section:has(h2:text-is("${title}"))`);
const open = (path: string) => seen.page.goto(`${served.address}${path}`);
const stored = async (id: string): Promise<GroupAnswer> => (await admin.get<GroupAnswer>(`/api/group/${id}`)).body;

it('creates a group, describes it and moves it below another', async () => {
  await createGroup(admin, 'Whole company');
  await open('/admin/groups');
  await seen.page.getByLabel('New group').fill('Press office');
  await seen.page.getByRole('button', { name: 'Add', exact: true }).click();
  await seen.page.waitForSelector('h1:has-text("Press office")');
  await seen.page.getByLabel('Description').fill('Writes news');
  await seen.page.getByLabel('Parent group').fill('nowhere');
  await seen.page.getByRole('button', { name: 'Save', exact: true }).click();
  await seen.page.waitForSelector('text=There is no group named nowhere.');
  await seen.page.getByLabel('Parent group').fill('whole company');
  await seen.page.getByRole('button', { name: 'Save', exact: true }).click();
  await seen.page.waitForSelector('text="Whole company / Press office"');
  const id = new URL(seen.page.url()).pathname.split('/').at(-1)!;
  expect(await stored(id)).toMatchObject({ description: 'Writes news', path: ['Whole company', 'Press office'] });
  await expectGoodLooks(seen.page);
});

it('gives a group a role and members, and takes them away', async () => {
  const role = await createRole(admin, 'audit_reader', { permission_id: 'audit:read', level: 1 });
  const group = await createGroup(admin, 'Auditors');
  const client = await served.service.signUp('audits_things');
  await open(`/admin/groups/${group.id}`);
  await section('Roles').getByLabel('Add role').selectOption({ label: 'iam · audit_reader' });
  await section('Roles').getByRole('button', { name: 'Add', exact: true }).click();
  const takeRole = section('Roles').getByRole('button', { name: 'Remove the role iam · audit_reader' });
  await takeRole.waitFor();
  expect((await stored(group.id)).role_ids).toEqual([role.id]);
  const members = section('Members');
  await members.getByLabel('Add members').fill('audits_things');
  await members.getByRole('button', { name: 'Add', exact: true }).click();
  const removal = members.getByRole('button', { name: 'Remove audits_things from the group' });
  await removal.waitFor();
  expect((await client.get('/api/audit')).status).toBe(200);
  await takeRole.click();
  await agree(seen.page, 'Remove');
  await takeRole.waitFor({ state: 'detached' });
  expect((await client.get('/api/audit')).status).toBe(403);
  await removal.click();
  await agree(seen.page, 'Remove');
  await removal.waitFor({ state: 'detached' });
  expect((await stored(group.id)).member_count).toBe(0);
});

it('shows the groups below a group and those with a role, and deletes a group', async () => {
  const role = await createRole(admin, 'of_groups', 'thing:read');
  const [top, below] = await createTree(admin, 'Upper floor', 'Lower floor');
  await admin.patch(`/api/group/${top!.id}`, { role_ids: [role.id] });
  await open(`/admin/roles/${role.id}`);
  await section('Groups').getByRole('link', { name: 'Upper floor' }).click();
  await section('Subgroups').getByRole('link', { name: 'Upper floor / Lower floor' }).click();
  await seen.page.waitForSelector('h1:has-text("Lower floor")');
  await seen.page.getByRole('button', { name: 'Delete group' }).click();
  await agree(seen.page, 'Delete group');
  await seen.page.waitForURL('**/admin/groups');
  expect((await admin.get(`/api/group/${below!.id}`)).status).toBe(404);
});

it('explains a permission by the group that gives it', async () => {
  const role = await createRole(admin, 'explains', { permission_id: 'audit:read', level: 1 });
  const [top, below] = await createTree(admin, 'Explaining', 'Explained');
  await admin.patch(`/api/group/${top!.id}`, { role_ids: [role.id] });
  const { id } = (await (await served.service.signUp('is_explained')).get<{ id: string }>('/api/auth/me')).body;
  await joinGroup(admin, below!.id, id);
  await open('/admin/permissions');
  await seen.page.getByLabel('Username').fill('is_explained');
  await seen.page.getByLabel('Permission', { exact: true }).fill('audit:read');
  await seen.page.getByRole('button', { name: 'Check', exact: true }).click();
  await seen.page.waitForSelector('text=Through the role explains of the group Explaining (Explaining / Explained):');
});
