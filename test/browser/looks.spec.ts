import { enrolTotp } from '../support/second-factors';
import { ADMIN, PASSWORD } from '../support/test-service';
import { expectGoodLooks } from './every-page';
import { agree, logIn } from './people';
import { pageForEach, serveForAll } from './stage';
import { fitsWidth } from './watch';

/** What the pages look like while something is told or has grown. */
const served = serveForAll();

describe('in English', () => {
  const seen = pageForEach(1280);

  it('an error beside a field', async () => {
    await logIn(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/clients/new');
    await seen.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wiki');
    await seen.page
      .getByRole('textbox', { name: 'Redirect addresses', exact: true })
      .fill('http://wiki.example.com/callback');
    await seen.page.getByRole('button', { name: 'Register application', exact: true }).click();
    await seen.page.waitForSelector('[aria-invalid="true"]');
    await seen.page.getByRole('button', { name: 'Close', exact: true }).click();
    await expectGoodLooks(seen.page);
  });

  it('recovery codes that have just been made', async () => {
    const client = await served.service.signUp('prints_codes');
    await enrolTotp(client);
    await seen.context.addCookies([...client.jar].map(([name, value]) => ({ name, value, url: served.address })));
    await seen.page.goto(`${served.address}/account/mfa`);
    await seen.page.getByRole('button', { name: 'New recovery codes', exact: true }).click();
    await agree(seen.page, 'New recovery codes');
    await seen.page.waitForSelector('.codes');
    await expectGoodLooks(seen.page);
  });

  it.each([320, 390])('the way in, %d px wide, with every field it can have', async (width) => {
    await seen.page.setViewportSize({ width, height: 900 });
    for (const path of ['/login', '/register', '/reset-password']) {
      await seen.page.goto(served.address + path);
      await seen.page.waitForSelector('h1');
      if (path === '/login') await seen.page.getByRole('tab', { name: 'E-mail code' }).click();
      if (path === '/register') await seen.page.fill('input[type="email"]', 'ann@example.com');
      // The card hides nothing: what is too wide stands out of it, though the page may hold it.
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

  it('a name without a space breaks, and takes no page apart', async () => {
    const { body } = await (await served.service.admin()).post<{ id: string }>('/api/role', { name: 'n'.repeat(50) });
    await logIn(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/roles/${body.id}`);
    await seen.page.waitForSelector('h1:has-text("nnn")');
    await seen.page.setViewportSize({ width: 390, height: 900 });
    expect(await fitsWidth(seen.page)).toBe(true);
  });

  it.each(['/account/nothing', '/admin/nothing'])('an unknown served.address says so: %s', async (path) => {
    await logIn(seen.page, served.address, ADMIN.username, ADMIN.password, path);
    await seen.page.waitForSelector('h1:has-text("Page not found")');
    expect(new URL(seen.page.url()).pathname).toBe(path);
  });

  it('whoever deleted the account is told that it is gone', async () => {
    await served.service.register('leaves_us');
    await logIn(seen.page, served.address, 'leaves_us', PASSWORD, '/account/security');
    await seen.page.getByRole('button', { name: 'Delete the account', exact: true }).click();
    await agree(seen.page, 'Delete the account');
    await seen.page.waitForSelector('text=Your account and all of its data have been deleted');
  });

  it('a passkey is offered where the service is called by its name alone', async () => {
    await served.service.register('calls_number');
    await logIn(seen.page, served.address, 'calls_number', PASSWORD, '/account/mfa');
    await seen.page.waitForSelector('text=Passkeys need a host name');
    expect(await seen.page.getByRole('button', { name: 'Add a passkey', exact: true }).count()).toBe(0);
  });

  it('an emptied username is told of as what it is', async () => {
    const { body } = await (await served.service.admin()).post<{ id: string }>('/api/user', { username: 'keeps_name' });
    await logIn(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/users/${body.id}`);
    await seen.page.getByLabel('Username', { exact: true }).fill('');
    await seen.page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await seen.page.waitForSelector('[aria-invalid="true"]');
    expect(await seen.page.textContent('main')).not.toContain('Must be text');
  });
});

describe('in Chinese', () => {
  const seen = pageForEach(1280, { locale: 'zh-CN' });

  it('what was left in English is Chinese, too', async () => {
    await served.service
      .client()
      .post('/api/auth/login', { type: 'password', username: ADMIN.username, password: 'wrong' });
    await logIn(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/audit');
    await seen.page.locator('td').getByText('失败', { exact: true }).first().waitFor();
    await seen.page.goto(`${served.address}/admin`);
    await seen.page.locator('.u-legend').getByText('时间').first().waitFor();
    await seen.page.goto(`${served.address}/account/security`);
    await seen.page.getByLabel('显示密码').first().waitFor();
    expect(await seen.page.getByLabel('Toggle password visibility').count()).toBe(0);
  });
});
