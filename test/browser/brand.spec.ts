import { appName, appPrimaryColor } from '../../src/settings';
import { ADMIN } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { openAs, settingField } from './people';
import { pageForEach, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForEach(1280);

const open = (path: string) => openAs(seen.page, served.address, ADMIN.username, ADMIN.password, path);

/** Background and text colour of the first filled button. */
const colorsOf = (selector: string): Promise<string> =>
  seen.page.evaluate(`(() => {
    const { backgroundColor, color } = getComputedStyle(document.querySelector('${selector}'));
    return backgroundColor + ' ' + color;
  })()`);

afterEach(async () => {
  await served.service.set(appName, appName.defaultValue);
  await served.service.set(appPrimaryColor, appPrimaryColor.defaultValue);
});

it.each(['#ffd400', '#2f6fed', '#101820'])('gives the login page and the console one palette: %s', async (color) => {
  await served.service.set(appPrimaryColor, color);
  await seen.page.goto(`${served.address}/login`);
  await seen.page.waitForSelector('button.primary');
  const onLogin = await colorsOf('button.primary');
  await open('/admin/users/new');
  await seen.page.waitForSelector('main button[type=submit]');
  expect(onLogin).toMatch(/^rgb\(.*rgb\(/);
  expect(await colorsOf('main button[type=submit]')).toBe(onLogin);
  await expectGoodLooks(seen.page);
});

it('shows a new name at once', async () => {
  await open('/admin/settings');
  await seen.page.getByRole('button', { name: 'Service and branding', exact: true }).click();
  await settingField(seen.page, 'app.name').fill('House of Keys');
  await seen.page.getByRole('button', { name: 'Save', exact: true }).click();
  await seen.page.locator('header').getByText('House of Keys').waitFor();
  expect(await seen.page.title()).toContain('House of Keys');
});

it.each(['/admin/users/a/b/c', '/account/a/b'])('reports the unknown address %s in the frame', async (path) => {
  await open(path);
  await seen.page.waitForSelector('h1:has-text("Page not found")');
});

it.each(['/', '/login', '/account'])('has a favicon on %s', async (path) => {
  await seen.page.goto(served.address + path);
  const icon = await seen.page.locator('link[rel="icon"]').getAttribute('href');
  expect(icon).toMatch(/^data:image\/svg\+xml,%3Csvg.*%3EC%3C%2Ftext/);
});

it('leads from an ended request of an application to no login of the service', async () => {
  await seen.page.goto(`${served.address}/error?code=interaction_ended`);
  await seen.page.waitForSelector('text=Go back to the application');
  expect(await seen.page.locator('main a').count()).toBe(0);
});

it('shows rows as cards on a phone', async () => {
  await open('/admin/roles');
  await seen.page.waitForSelector('td a');
  await seen.page.setViewportSize({ width: 390, height: 900 });
  const widths = await seen.page.evaluate<number[]>(
    `(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.scrolls-x'))`,
  );
  expect(widths[0]).toBeLessThanOrEqual(widths[1]!);
});
