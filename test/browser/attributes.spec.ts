import type { Page } from 'playwright-core';
import { storedUser } from '../support/accounts/accounts';
import { userWith } from '../support/accounts/holders';
import { register } from '../support/oauth/oauth';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { agree, logIn, openAs } from './people';
import { openViewer, pageForEach, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForEach(1280);

const BIRTHDAY = '1990-05-17';

/** Other specs share the service, and a required attribute would stop their users. */
afterEach(async () => {
  const admin = await served.service.admin();
  await admin.patch('/api/auth/me', { attributes: { birthday: BIRTHDAY } });
  const { items } = (await admin.get<{ items: { name: string }[] }>('/api/attribute')).body;
  for (const { name } of items) await admin.delete(`/api/attribute/${name}`);
});

interface Definition {
  readonly name: string;
  readonly label: readonly [en: string, zh: string];
  readonly type: string;
  readonly more?: (page: Page) => Promise<unknown>;
}

async function define(page: Page, { name, label: [en, zh], type, more }: Definition): Promise<void> {
  await page.getByRole('link', { name: 'Define attribute', exact: true }).click();
  await page.locator('[name="name"]').fill(name);
  await page.locator('[name="label.en"]').fill(en);
  await page.locator('[name="label.zh"]').fill(zh);
  await page.getByLabel('Type', { exact: true }).selectOption(type);
  await more?.(page);
  await page.getByRole('button', { name: 'Define attribute', exact: true }).click();
}

const listed = (page: Page): Promise<string[]> => page.locator('ol.attributes code').allTextContents();

/** Gives the birthday on the page that asks for it after a login. */
async function giveBirthday(page: Page): Promise<void> {
  await page.waitForSelector('h1:has-text("One more thing")');
  await page.getByLabel('Birthday').fill(BIRTHDAY);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

/** Defines the attributes of the issue: two that administrators write, and one that users must give. */
async function defineAll(page: Page): Promise<void> {
  await define(page, {
    name: 'employee_no',
    label: ['Employee number', '工号'],
    type: 'Text',
    more: async () => {
      await page.getByLabel('Unique', { exact: true }).check();
      await page.getByLabel('Searchable', { exact: true }).check();
      await page.getByLabel('The user', { exact: true }).selectOption('sees it');
    },
  });
  await page.waitForSelector('ol.attributes li:has-text("employee_no")');
  await define(page, {
    name: 'cost_centre',
    label: ['Cost centre', '成本中心'],
    type: 'Choice',
    more: () => page.getByLabel('Options').fill('berlin | Berlin | 柏林\n4711'),
  });
  await page.waitForSelector('ol.attributes li:has-text("cost_centre")');
  await define(page, {
    name: 'birthday',
    label: ['Birthday', '生日'],
    type: 'Date',
    more: async () => {
      await page.getByLabel('The user', { exact: true }).selectOption('sees and changes it');
      await page.getByLabel('Required', { exact: true }).selectOption('At login');
    },
  });
}

/** Maps a claim of an application from an attribute, which then cannot be deleted. */
async function claimCostCentre(page: Page): Promise<void> {
  const admin = await served.service.admin();
  const { id } = await register(admin, { name: 'Cost report', scopes: ['openid'] });
  await page.goto(`${served.address}/admin/clients/${id}`);
  await page.getByRole('button', { name: 'Add claim', exact: true }).click();
  await page.locator('[name="claims[0].name"]').fill('cost_centre');
  await page.getByLabel('From', { exact: true }).selectOption('attribute');
  await page.getByLabel('Value', { exact: true }).selectOption({ label: 'Cost centre (cost_centre)' });
  await page.getByRole('button', { name: 'Save claims', exact: true }).click();
  await page.waitForSelector('text="Saved"');
  const { body } = await admin.get<{ claims: object[] }>(`/api/oauth/client/${id}`);
  expect(body.claims).toMatchObject([{ name: 'cost_centre', from: 'attribute', value: 'cost_centre' }]);
  expect((await admin.delete('/api/attribute/cost_centre')).status).toBe(409);
  await admin.delete(`/api/oauth/client/${id}`);
}

const idOf = async (username: string): Promise<string> => String((await storedUser(served.service, username))?.['id']);

describe('attributes of users', () => {
  it('are defined in the console, given at login, and shown to the user and to administrators', async () => {
    const { page } = seen;
    await served.service.register('walks_with_attributes');
    const id = await idOf('walks_with_attributes');
    await openAs(page, served.address, ADMIN.username, ADMIN.password, '/admin/attributes');
    await page.waitForSelector('text=There are no attributes yet');
    await expectGoodLooks(page);
    await defineAll(page);
    // The administrator has to give it, too, and comes back to the list.
    await giveBirthday(page);
    await page.waitForURL(/\/admin\/attributes/);
    await page.waitForSelector('ol.attributes');
    expect(await listed(page)).toEqual(['employee_no', 'cost_centre', 'birthday']);
    await page.getByRole('button', { name: 'Move up: Birthday' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role="status"]:has-text("Birthday is now at place 2.")', { state: 'attached' });
    expect(await listed(page)).toEqual(['employee_no', 'birthday', 'cost_centre']);
    await expectGoodLooks(page);
    await page.reload();
    await page.waitForSelector('ol.attributes');
    expect(await listed(page)).toEqual(['employee_no', 'birthday', 'cost_centre']);
    await page.locator('li:has-text("employee_no")').dragTo(page.locator('li:has-text("cost_centre")'));
    await page.waitForSelector('[role="status"]:has-text("Employee number is now at place 3.")', { state: 'attached' });

    const viewer = await openViewer(1280, { locale: 'en-GB' });
    const user = await viewer.context.newPage();
    await user.goto(`${served.address}/login?redirect=%2Faccount%2Fsessions`);
    await user.fill('input[autocomplete^="username"]', 'walks_with_attributes');
    await user.fill('input[autocomplete="current-password"]', PASSWORD);
    await user.click('button[type="submit"]');
    await user.waitForSelector('h1:has-text("One more thing")');
    await user.getByRole('button', { name: 'Continue', exact: true }).click();
    await user.locator('.field .error').waitFor();
    await expectGoodLooks(user);
    await giveBirthday(user);
    await user.waitForURL(`${served.address}/account/sessions`);

    await page.goto(`${served.address}/admin/users/${id}`);
    await page.getByLabel('Employee number').fill('AB1234');
    await page.getByLabel('Cost centre').selectOption('Berlin');
    expect(await page.getByLabel('Birthday').inputValue()).toBe(BIRTHDAY);
    await expectGoodLooks(page);
    await page.locator('section:has(h2:text-is("Attributes"))').getByRole('button', { name: 'Save' }).click();
    await page.waitForSelector('text="Saved"');
    await page.goto(`${served.address}/admin/users`);
    await page.getByLabel('Attribute', { exact: true }).selectOption('Employee number');
    await page.getByLabel('Employee number', { exact: true }).fill('ab1234');
    await page.waitForURL(/attribute=employee_no%3Aab1234/);
    await page.waitForSelector('text=1 user');
    await page.waitForSelector('td[data-column="Employee number"]:has-text("AB1234")');
    await expectGoodLooks(page);

    await claimCostCentre(page);
    const exported = await page.request.get(`${served.address}/api/user/export?keyword=walks_with_attributes`);
    expect(await exported.text()).toMatch(/,berlin,AB1234\r\n$/);

    await user.goto(`${served.address}/account`);
    await user.waitForSelector('dd:has-text("AB1234")');
    expect(await user.getByLabel('Birthday').inputValue()).toBe(BIRTHDAY);
    expect(await user.getByText('Cost centre').count()).toBe(0);
    await expectGoodLooks(user);
    await viewer.close();
  });

  it('are moved by one request, unless there is no room between two others', async () => {
    const { page } = seen;
    const admin = await served.service.admin();
    for (const name of ['one', 'two', 'three', 'four']) {
      const label = { en: name, zh: name };
      expect((await admin.post('/api/attribute', { name, type: 'text', label })).status).toBe(201);
    }
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(new URL(request.url()).pathname.slice('/api/attribute/'.length));
    });
    await openAs(page, served.address, ADMIN.username, ADMIN.password, '/admin/attributes');
    const stored = async (): Promise<string[]> =>
      (await admin.get<{ items: { name: string }[] }>('/api/attribute')).body.items.map(({ name }) => name);
    const move = async (step: 'up' | 'down', name: string, place: number): Promise<string[]> => {
      sent.length = 0;
      const reloaded = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/attribute');
      await page.getByRole('button', { name: `Move ${step}: ${name}`, exact: true }).click();
      await page.waitForSelector(`[role="status"]:has-text("${name} is now at place ${place}.")`, {
        state: 'attached',
      });
      await reloaded;
      expect(await listed(page)).toEqual(await stored());
      return [...sent];
    };
    expect(await move('up', 'four', 3)).toEqual(['four']);
    expect(await move('up', 'two', 1)).toEqual(['two']);
    expect(await move('down', 'four', 4)).toEqual(['four']);
    expect(await stored()).toEqual(['two', 'one', 'three', 'four']);
    for (const name of await stored()) await admin.patch(`/api/attribute/${name}`, { position: 7 });
    await page.reload();
    await page.waitForSelector('ol.attributes');
    expect(await stored()).toEqual(['four', 'one', 'three', 'two']);
    expect(await move('up', 'two', 3)).toEqual(['four', 'one', 'two', 'three']);
    expect(await stored()).toEqual(['four', 'one', 'two', 'three']);
    expect(await move('up', 'two', 2)).toEqual(['two']);
  });

  it('of a user are shown to those who administer users but define no attributes', async () => {
    const { page } = seen;
    const { service, address } = served;
    const admin = await service.admin();
    const choices = [{ value: 'berlin', label: { en: 'Berlin', zh: '柏林' } }];
    const label = { en: 'Office', zh: '办公地点' };
    const definition = { name: 'office', type: 'choice', label, choices, searchable: true };
    expect((await admin.post('/api/attribute', definition)).status).toBe(201);
    await service.register('sits_in_berlin');
    const id = await idOf('sits_in_berlin');
    await admin.patch(`/api/user/${id}`, { attributes: { office: 'berlin' } });
    const helper = await userWith(service, admin, 'helps_users', 'user:admin', 'profile:*');
    await openAs(page, address, helper.username, PASSWORD, `/admin/users/${id}`);
    await page.getByLabel('Office').waitFor();
    expect(await page.getByLabel('Office').inputValue()).toBe('berlin');
    await page.goto(`${address}/admin/users?attribute=office%3Aberlin`);
    await page.waitForSelector('text=1 user');
    await page.waitForSelector('td[data-column="Office"]:has-text("Berlin")');
    await expectGoodLooks(page);
  });

  it('show the errors of a definition beside its fields, and are deleted after a question', async () => {
    const { page } = seen;
    await openAs(page, served.address, ADMIN.username, ADMIN.password, '/admin/attributes');
    const again = { name: 'badge', label: ['Badge', '工牌'], type: 'Text' } as const;
    await define(page, { ...again, name: 'Email' });
    await page.waitForSelector('text=Use lower-case letters, digits and underscores');
    await expectGoodLooks(page);
    await page.locator('[name="name"]').fill('badge');
    await page.getByRole('button', { name: 'Define attribute', exact: true }).click();
    await page.waitForSelector('ol.attributes li:has-text("badge")');
    const admin = await served.service.admin();
    await admin.patch('/api/auth/me', { attributes: {} });
    const created = await admin.post('/api/user', { username: 'has_a_badge', attributes: { badge: '7' } });
    expect(created.status).toBe(201);
    await page.getByRole('link', { name: 'Badge' }).click();
    await page.getByLabel('Type', { exact: true }).selectOption('Number');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.mantine-InputWrapper-error').waitFor();
    await page.getByRole('button', { name: 'Delete attribute', exact: true }).click();
    await page.waitForSelector('text=its values are deleted after a day');
    await agree(page, 'Delete attribute');
    await page.waitForSelector('text=There are no attributes yet');
  });

  it('are asked for in Chinese at registration', async () => {
    const admin = await served.service.admin();
    const definition = {
      name: 'team',
      type: 'choice',
      label: { en: 'Team', zh: '团队' },
      description: { en: 'Where you work', zh: '您所在的团队' },
      choices: [{ value: 'sales', label: { en: 'Sales', zh: '销售部' } }],
      owner: 'write',
      required: 'registration',
    };
    expect((await admin.post('/api/attribute', definition)).status).toBe(201);
    const viewer = await openViewer(390, { locale: 'zh-CN' });
    const page = await viewer.context.newPage();
    await page.goto(`${served.address}/register`);
    await page.fill('input[autocomplete="username"]', 'registers_with_team');
    await page.fill('input[autocomplete="new-password"]', PASSWORD);
    await page.click('button[type="submit"]');
    await page.locator('.field .error').waitFor();
    await expectGoodLooks(page);
    await page.getByLabel('团队').selectOption('销售部');
    await page.click('button[type="submit"]');
    await page.waitForURL(`${served.address}/account`);
    await page.waitForSelector('h2:has-text("更多资料")');
    expect(await page.getByLabel('团队').inputValue()).toBe('sales');
    await expectGoodLooks(page);
    await logIn(page, served.address, ADMIN.username, ADMIN.password, '/admin/attributes');
    await page.waitForSelector('h1:has-text("用户属性")');
    await page.getByRole('link', { name: '团队' }).click();
    await page.waitForSelector('h1:has-text("团队")');
    expect(await page.getByLabel('必填', { exact: true }).inputValue()).toBe('registration');
    await expectGoodLooks(page);
    await viewer.close();
  });
});
