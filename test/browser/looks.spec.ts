import { createRole } from '../support/accounts/holders';
import { enrolTotp } from '../support/accounts/second-factors';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { agree, openAccountMenu, openAs } from './people';
import { pageForEach, serveForAll } from './stage';
import { untilTrue } from './until-true';
import { fitsWidth } from './watch';

/** Checks pages with error messages or long content. */
const served = serveForAll();

describe('in English', () => {
  const seen = pageForEach(1280);

  it('shows an error beside a field', async () => {
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/clients/new');
    await seen.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wiki');
    await seen.page
      .getByRole('textbox', { name: 'Redirect URIs', exact: true })
      .fill('http://wiki.example.com/callback');
    await seen.page.getByRole('button', { name: 'Register application', exact: true }).click();
    await seen.page.waitForSelector('[aria-invalid="true"]');
    await expectGoodLooks(seen.page);
  });

  it('shows the account menu, and keeps the colour scheme chosen there', async () => {
    await served.service.register('prefers_dark');
    await openAs(seen.page, served.address, 'prefers_dark', PASSWORD);
    await openAccountMenu(seen.page);
    await expectGoodLooks(seen.page);
    await seen.page.getByLabel('Colour scheme').selectOption('dark');
    await seen.page.emulateMedia({ colorScheme: 'light' });
    await seen.page.waitForSelector('html[data-scheme="dark"]');
    await seen.page.reload();
    await seen.page.waitForSelector('html[data-scheme="dark"] h1');
    // The console follows the choice, too.
    await seen.page.goto(`${served.address}/account/organizations`);
    await seen.page.waitForSelector('html[data-mantine-color-scheme="dark"] h1');
    await openAccountMenu(seen.page);
    await seen.page.getByLabel('Colour scheme').press('Escape');
    await seen.page.waitForSelector('.account-button[aria-expanded="false"]:focus');
  });

  it('shows new recovery codes', async () => {
    const client = await served.service.signUp('prints_codes');
    await enrolTotp(client);
    await seen.context.addCookies([...client.jar].map(([name, value]) => ({ name, value, url: served.address })));
    await seen.page.goto(`${served.address}/account/mfa`);
    await seen.page.getByRole('button', { name: 'New recovery codes', exact: true }).click();
    await agree(seen.page, 'New recovery codes');
    await seen.page.waitForSelector('.codes');
    await expectGoodLooks(seen.page);
  });

  it.each([320, 390])('fits the login pages into %d px with all fields', async (width) => {
    await seen.page.setViewportSize({ width, height: 900 });
    for (const path of ['/login', '/register', '/reset-password']) {
      await seen.page.goto(served.address + path);
      await seen.page.waitForSelector('h1');
      if (path === '/login') await seen.page.getByRole('tab', { name: 'E-mail code' }).click();
      if (path === '/register') await seen.page.fill('input[type="email"]', 'ann@example.com');
      // The card does not clip its content, so content that is too wide overflows the card without widening the page.
      const widest = await seen.page.evaluate<number>(
        `Math.max(...[...document.querySelectorAll('main *')].map((one) => one.getBoundingClientRect().right))`,
      );
      const edge = await seen.page.evaluate<number>(`document.querySelector('main').getBoundingClientRect().right`);
      expect({ path, isInside: widest <= edge, fits: await fitsWidth(seen.page) }).toEqual({
        path,
        isInside: true,
        fits: true,
      });
    }
  });

  it('breaks a long name without spaces', async () => {
    const { body } = await (await served.service.admin()).post<{ id: string }>('/api/role', { name: 'n'.repeat(50) });
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/roles/${body.id}`);
    await seen.page.waitForSelector('h1:has-text("nnn")');
    await seen.page.setViewportSize({ width: 390, height: 900 });
    expect(await fitsWidth(seen.page)).toBe(true);
  });

  it.each(['/account/nothing', '/admin/nothing', '/admin/no/such/page'])(
    'reports an unknown address: %s',
    async (path) => {
      await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, path);
      await seen.page.waitForSelector('h1:has-text("Page not found")');
      expect(new URL(seen.page.url()).pathname).toBe(path);
    },
  );

  it('confirms the deletion of the account', async () => {
    await served.service.register('leaves_us');
    await openAs(seen.page, served.address, 'leaves_us', PASSWORD, '/account/security');
    await seen.page.getByRole('button', { name: 'Delete the account', exact: true }).click();
    await agree(seen.page, 'Delete the account');
    await seen.page.waitForSelector('text=Your account and all of its data have been deleted');
  });

  it('offers passkeys only on a host name', async () => {
    await served.service.register('calls_number');
    await openAs(seen.page, served.address, 'calls_number', PASSWORD, '/account/mfa');
    await seen.page.waitForSelector('text=Passkeys need a host name');
    expect(await seen.page.getByRole('button', { name: 'Add a passkey', exact: true }).count()).toBe(0);
  });

  it('reports an empty username as missing', async () => {
    const { body } = await (await served.service.admin()).post<{ id: string }>('/api/user', { username: 'keeps_name' });
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/users/${body.id}`);
    await seen.page.getByLabel('Username', { exact: true }).fill('');
    await seen.page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await seen.page.waitForSelector('[aria-invalid="true"]');
    expect(await seen.page.textContent('main')).not.toContain('Must be text');
  });
});

describe('the audit log', () => {
  const seen = pageForEach(1280);

  it('shows an event with what changed beside the list, and gives the focus back', async () => {
    const admin = await served.service.admin();
    const { id } = await createRole(admin, 'described');
    await admin.patch(`/api/role/${id}`, { description: 'Answers letters' });
    const path = `/admin/audit?action=role.update&target_id=${id}`;
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, path);
    const details = seen.page.getByRole('button', { name: /^Details: Role changed, / });
    await details.click();
    const drawer = seen.page.getByRole('dialog');
    await drawer.locator('ins').getByText('"Answers letters"').waitFor();
    await drawer.getByRole('cell', { name: 'role.update' }).waitFor();
    await expectGoodLooks(seen.page);
    await seen.page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await untilTrue(seen.page, `document.activeElement.textContent === 'Details'`);
  });
});

describe('in Chinese', () => {
  const seen = pageForEach(1280, { locale: 'zh-CN' });

  it('translates texts that used to be in English', async () => {
    await served.service
      .client()
      .post('/api/auth/login', { type: 'password', username: ADMIN.username, password: 'wrong' });
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/audit');
    await seen.page.locator('td').getByText('失败', { exact: true }).first().waitFor();
    await seen.page.goto(`${served.address}/admin`);
    await seen.page.getByText('显示为表格', { exact: true }).first().waitFor();
    await seen.page.goto(`${served.address}/admin/setup`);
    await seen.page.getByLabel('显示密码').first().waitFor();
    expect(await seen.page.getByLabel('Toggle password visibility').count()).toBe(0);
  });
});
