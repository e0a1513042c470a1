import { ADMIN, PASSWORD } from '../support/service/test-service';
import { openAs, settingField } from './people';
import { pageForEach, serveForAll } from './stage';
import { accessibilityFaults, fitsWidth, isSettled } from './watch';

const served = serveForAll();
const seen = pageForEach(390);

const dialog = () => seen.page.getByRole('dialog');
const search = async (text: string): Promise<void> => {
  await seen.page.waitForSelector('h1');
  await seen.page.keyboard.press('Control+k');
  await dialog().getByRole('searchbox').fill(text);
};

it('finds users, roles, groups, organizations, applications, settings and pages', async () => {
  const admin = await served.service.admin();
  await admin.post('/api/user', { username: 'wiki_reader', nickname: '维基' });
  await admin.post('/api/role', { name: 'wiki-writer' });
  await admin.post('/api/group', { name: 'wiki-team' });
  await admin.post('/api/organization', { name: 'Wiki Ltd', slug: 'wiki-ltd' });
  const redirects = ['https://wiki.example.com/callback'];
  await admin.post('/api/oauth/client', { name: 'Team wiki', redirect_uris: redirects, scopes: ['openid'] });
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/users');
  await search('wiki');
  for (const name of ['wiki_reader · 维基', 'wiki-writer', 'wiki-team', 'Wiki Ltd', 'Team wiki']) {
    await dialog().getByText(name).waitFor();
  }
  await isSettled(seen.page);
  expect(await fitsWidth(seen.page)).toBe(true);
  expect(await accessibilityFaults(seen.page)).toEqual([]);
  await dialog().getByRole('searchbox').fill('audit.ret');
  await dialog().getByText('audit.retention_days').click();
  await seen.page.waitForURL(`${served.address}/admin/settings?keyword=audit.retention_days`);
  await settingField(seen.page, 'audit.retention_days').waitFor();
  await search('signing');
  await dialog().getByText('Signing keys').waitFor();
  await dialog().getByRole('searchbox').press('Enter');
  await seen.page.waitForURL(`${served.address}/admin/signing-keys`);
});

it('offers only pages that the user may open', async () => {
  await served.service.register('finds_little');
  await openAs(seen.page, served.address, 'finds_little', PASSWORD, '/admin');
  await search('e');
  await dialog().getByText('Devices').waitFor();
  expect(await dialog().locator('a[href^="/admin"]').count()).toBe(0);
});

it('moves through the results with the arrow keys, and does not open over a dialog', async () => {
  const admin = await served.service.admin();
  await admin.post('/api/user', { username: 'arrow_target' });
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/login-methods');
  await search('arrow_target');
  await dialog().getByRole('link', { name: 'arrow_target', exact: true }).waitFor();
  await seen.page.keyboard.press('ArrowDown');
  expect(await seen.page.evaluate('document.activeElement.textContent')).toBe('arrow_target');
  await seen.page.keyboard.press('ArrowUp');
  expect(await seen.page.evaluate('document.activeElement.type')).toBe('search');
  await seen.page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });

  await seen.page.getByRole('switch', { name: 'Passkey' }).click();
  await seen.page.getByRole('dialog', { name: 'Turn off Passkey?' }).waitFor();
  await seen.page.keyboard.press('Control+k');
  expect(await dialog().count()).toBe(1);
  expect(await dialog().getByRole('searchbox').count()).toBe(0);
  expect(await accessibilityFaults(seen.page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await seen.page.getByRole('switch', { name: 'Passkey', checked: true }).waitFor({ timeout: 5_000 });
});
