import { createRole, userWith } from '../support/accounts/holders';
import { register } from '../support/oauth/oauth';
import { ADMIN } from '../support/service/test-service';
import { openAs } from './people';
import { photograph } from './photographs';
import { pageForAll, serveForAll } from './stage';
import { accessibilityFaults, complaintsOf } from './watch';

const served = serveForAll();
const seen = pageForAll(1280);

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });
const field = (name: string) => seen.page.getByRole('textbox', { name, exact: true });

async function patched(name: string): Promise<number> {
  const saved = seen.page.waitForResponse((response) => response.request().method() === 'PATCH');
  await button(name).click();
  return (await saved).status();
}

it('limits an application to a role and a user, maps a claim, and previews both with reasons', async () => {
  const admin = await served.service.admin();
  const { id } = await register(admin, { name: 'Team wiki', scopes: ['openid', 'profile', 'permissions'] });
  const writers = await createRole(admin, 'wiki-writer');
  const ann = await userWith(served.service, admin, 'ann');
  const bob = await userWith(served.service, admin, 'bob');
  await admin.post(`/api/role/${writers.id}/users`, { user_ids: [ann.id] });
  // A reserved name makes the service return 400, which the browser logs.
  const complaints = complaintsOf(seen.page, /status of 400/);
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/clients/${id}`);

  await seen.page.getByRole('radio', { name: 'Only these roles and users' }).click();
  await seen.page.getByLabel('Add role').selectOption(writers.id);
  await field('Users').fill('nobody_here');
  await button('Save access').click();
  await seen.page.waitForSelector('text=There is no user named nobody_here.');
  await field('Users').fill('bob');
  expect(await patched('Save access')).toBe(200);

  await button('Add claim').click();
  await field('Claim').fill('sub');
  await field('Begins with').fill('wiki-');
  expect(await patched('Save claims')).toBe(400);
  await seen.page.waitForSelector('text=The protocol or this service uses this name.');
  await field('Claim').fill('groups');
  expect(await patched('Save claims')).toBe(200);
  const { body } = await admin.get(`/api/oauth/client/${id}`);
  expect(body).toMatchObject({
    access: { mode: 'restricted', role_ids: [writers.id], user_ids: [bob.id] },
    claims: [{ name: 'groups', from: 'roles', filter: 'wiki-', in: ['id_token', 'userinfo'] }],
  });

  await button('Check').click();
  await seen.page.waitForSelector("text=The application's access admits neither");
  await field('Username').fill('ann');
  await button('Check').click();
  await seen.page.waitForSelector('text=Has the role iam:wiki-writer.');
  await seen.page.waitForSelector('text=groups: ["wiki-writer"]');
  await photograph(seen.page, 1280, 'light');
  await seen.page.setViewportSize({ width: 390, height: 844 });
  await photograph(seen.page, 390, 'light');
  expect(await seen.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(complaints).toEqual([]);
});

it.each([
  ['en', 'You may not use this application. Ask its administrator for access'],
  ['zh', '您无权使用此应用。请联系其管理员开通权限'],
])('explains to a user in %s that the application admits others only', async (language, sentence) => {
  await seen.page.setViewportSize({ width: 390, height: 844 });
  // The page that `error_uri` of the rejected authorization request names.
  await seen.page.goto(`${served.address}/error?code=application_access&lang=${language}`);
  await seen.page.getByText(sentence).waitFor();
  expect(await accessibilityFaults(seen.page)).toEqual([]);
});
