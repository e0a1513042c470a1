import { ADMIN, PASSWORD } from '../support/service/test-service';
import { chooseLanguage, openAs } from './people';
import { pageForEach, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForEach(1280);

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });

describe('field errors', () => {
  const invalid = () => seen.page.locator('[aria-invalid="true"]');
  const isFocused = () => seen.page.locator('[aria-invalid="true"]:focus').waitFor();
  /** Text that a screen reader announces for the invalid field. */
  const description = (): Promise<string> =>
    seen.page.evaluate<string>(`document
      .querySelector('[aria-invalid="true"]')
      .getAttribute('aria-describedby')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ')`);

  it.each([
    { language: 'en', create: 'Create user', message: 'Fill in this field.' },
    { language: 'zh', create: '创建用户', message: '请填写此项。' },
  ] as const)(
    'reports an empty required field in the language of the page: $language',
    async ({ language, create, message }) => {
      await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/users/new');
      await chooseLanguage(seen.page, language);
      await button(create).click();
      await isFocused();
      expect(await invalid().count()).toBe(1);
      expect(await description()).toContain(message);
      await chooseLanguage(seen.page, 'en');
      await seen.page.waitForSelector('h1:text-is("Create user")');
    },
  );

  it.each([
    { typed: '1e', language: 'zh', message: '请输入整数。' },
    { typed: '1.5', language: 'zh', message: '请输入整数。' },
  ] as const)('reports "$typed" as no integer in $language without a request', async (given) => {
    const name = `counted-${given.typed.length}`;
    const admin = await served.service.admin();
    const secrets = { client_id: 'an-id', client_secret: 'a-secret' };
    const provider = { name, label: name, template: 'github', ...secrets };
    const { id } = (await admin.post<{ id: string }>('/api/oauth/provider', provider)).body;
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/providers/${id}`);
    await chooseLanguage(seen.page, given.language);
    const place = seen.page.locator('input[type="number"]');
    await place.fill('');
    await place.pressSequentially(given.typed);
    await place.press('Enter');
    await isFocused();
    expect(await description()).toContain(given.message);
  });

  it('shows the error of the service for an invalid address', async () => {
    await served.service.register('writes_nonsense');
    await openAs(seen.page, served.address, 'writes_nonsense', PASSWORD);
    await seen.page.click('text="Change" >> nth=0');
    await seen.page.fill('input[type="email"]', 'nonsense');
    await seen.page.click('form:has(input[type="email"]) button[type="submit"]');
    await isFocused();
    expect(await description()).not.toBe('');
  });

  it('focuses the invalid field in a browser that does not focus clicked buttons', async () => {
    await served.service.register('on_safari');
    await openAs(seen.page, served.address, 'on_safari', PASSWORD, '/account/security');
    await seen.page.getByLabel('Current password', { exact: true }).fill('not it at all');
    await seen.page.getByLabel('New password', { exact: true }).fill('another good password');
    await seen.page.evaluate(`
      document.activeElement.blur();
      addEventListener('mousedown', (event) => event.preventDefault(), true);
    `);
    await button('Save').click();
    await isFocused();
  });
});
