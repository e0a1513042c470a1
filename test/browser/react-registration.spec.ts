import type { Page } from 'playwright-core';
import { termsVersion } from '../../src/users';
import { storedUser } from '../support/accounts/accounts';
import { requireTerms, resetTerms } from '../support/accounts/terms';
import type { TestClient } from '../support/service/test-client';
import { PASSWORD } from '../support/service/test-service';
import { REACT_VERSIONS, serveReactExample } from './react-example';
import { pageForEach } from './stage';
import { accessibilityFaults, complaintsOf } from './watch';

const BIRTHDAY = '1990-05-17';

/** One attribute of each kind of input. */
const ATTRIBUTES = [
  {
    name: 'team',
    type: 'choice',
    label: { en: 'Team', zh: '团队' },
    description: { en: 'Where you work', zh: '您所在的团队' },
    choices: [{ value: 'sales', label: { en: 'Sales', zh: '销售部' } }, '4711'],
  },
  { name: 'birthday', type: 'date', label: { en: 'Birthday', zh: '生日' }, max: '2020-12-31' },
  { name: 'badge', type: 'text', label: { en: 'Badge', zh: '工牌' }, pattern: '[A-Z]{2}[0-9]{4}' },
  { name: 'grade', type: 'number', label: { en: 'Grade', zh: '级别' }, min: 1 },
];

const LANGUAGES = [
  {
    language: 'en',
    texts: { user: 'Username', send: 'Register', sales: 'Sales', help: 'Where you work', choose: 'Choose' },
    wrong: 'Does not have the required form.',
    number: 'Must be a number.',
  },
  {
    language: 'zh',
    texts: { user: '用户名', send: '注册', sales: '销售部', help: '您所在的团队', choose: '请选择' },
    wrong: '格式不符合要求',
    number: '必须是数字',
  },
] as const;

describe.each(REACT_VERSIONS)('<RegisterForm> with $name', ({ name, config }) => {
  const served = serveReactExample(config);
  const seen = pageForEach(1280);
  const suffix = name.toLowerCase().replace(' ', '_');
  let admin: TestClient;

  beforeAll(async () => {
    admin = await served.service.admin();
  });

  const define = async (attribute: object): Promise<void> => {
    const body = { ...attribute, owner: 'write', required: 'registration' };
    expect((await admin.post('/api/attribute', body)).status).toBe(201);
  };

  afterEach(async () => {
    await resetTerms(served.service);
    const { items } = (await admin.get<{ items: { name: string }[] }>('/api/attribute')).body;
    for (const { name: one } of items) await admin.delete(`/api/attribute/${one}`);
  });

  async function openForm(language = 'en'): Promise<Page> {
    const page = await seen.context.newPage();
    await page.goto(served.url);
    await page.getByRole('button', { name: 'Create an account' }).waitFor();
    await page.evaluate(`document.documentElement.lang = '${language}'`);
    await page.getByRole('button', { name: 'Create an account' }).click();
    return page;
  }

  it('shows terms that change while a registration is open, and keeps what was typed', async () => {
    const { service } = served;
    await requireTerms(service);
    const page = await openForm();
    await page.getByLabel('Username').fill(`new_${suffix}`);
    await page.fill('input[type="password"]', PASSWORD);
    const box = page.getByRole('checkbox');
    await box.check();
    await service.set(termsVersion, '2026-02');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('This is not the current version of the terms.').waitFor();
    await box.and(page.locator(':not(:checked)')).check();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('button', { name: 'Create an account' }).waitFor();
    expect(await storedUser(service, `new_${suffix}`)).toMatchObject({ terms_version: '2026-02' });
  });

  it('shows terms that become required while a registration is open', async () => {
    const { service } = served;
    const page = await openForm();
    await page.getByLabel('Username').fill(`later_${suffix}`);
    await page.fill('input[type="password"]', PASSWORD);
    await requireTerms(service);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Please agree to continue.').waitFor();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('button', { name: 'Create an account' }).waitFor();
    expect(await storedUser(service, `later_${suffix}`)).toMatchObject({ terms_version: '2026-01' });
  });

  it.each(LANGUAGES)('asks for required attributes in $language', async ({ language, texts, wrong, number }) => {
    for (const attribute of ATTRIBUTES) await define(attribute);
    const page = await openForm(language);
    const complaints = complaintsOf(page, /400/);
    const labelled = (attribute: string): string =>
      ATTRIBUTES.find((one) => one.name === attribute)?.label[language] ?? '';
    const field = (attribute: string) => page.getByLabel(labelled(attribute), { exact: true });
    const send = () => page.getByRole('button', { name: texts.send }).click();
    const username = `asked_in_${language}_${suffix}`;
    await field('team').waitFor();
    await page.getByLabel(texts.user).fill(username);
    await page.fill('input[type="password"]', PASSWORD);
    await page.getByText(texts.help).waitFor();
    expect(await field('team').locator('option').allTextContents()).toEqual([texts.choose, texts.sales, '4711']);
    expect(await field('birthday').getAttribute('type')).toBe('date');
    // The browser itself asks for what is missing.
    await send();
    expect(await page.locator(':focus').getAttribute('name')).toBe('attributes.team');
    await field('team').selectOption(texts.sales);
    await field('birthday').fill(BIRTHDAY);
    await field('badge').fill('ab1');
    await field('grade').fill('Infinity');
    await send();
    await page.getByText(wrong).waitFor();
    await page.getByText(number).waitFor();
    expect(await field('badge').getAttribute('aria-invalid')).toBe('true');
    expect(await accessibilityFaults(page)).toEqual([]);
    await field('badge').fill('AB1234');
    await field('grade').fill('7');
    await send();
    await page.getByRole('button', { name: 'Create an account' }).waitFor();
    const attributes = { team: 'sales', birthday: BIRTHDAY, badge: 'AB1234', grade: 7 };
    expect((await storedUser(served.service, username))?.['attributes']).toEqual(attributes);
    expect(complaints).toEqual([]);
  });

  it('shows an attribute that becomes required while it is open, and keeps what was typed', async () => {
    const page = await openForm();
    const username = `late_attribute_${suffix}`;
    await page.getByLabel('Username').fill(username);
    await page.fill('input[type="password"]', PASSWORD);
    await define({ name: 'desk', type: 'text', label: { en: 'Desk', zh: '工位' } });
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByLabel('Desk').fill('12');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('button', { name: 'Create an account' }).waitFor();
    expect((await storedUser(served.service, username))?.['attributes']).toEqual({ desk: '12' });
  });
});
