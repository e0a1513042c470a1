import type { Page } from 'playwright-core';
import { PASSWORD, TestService } from '../support/test-service';
import { openBrowser, Viewer } from './browser';
import { accessibilityFaults } from './watch';

let service: TestService;
let address: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.app.listen(0, '127.0.0.1');
  address = await service.app.getUrl();
});

afterAll(() => service.stop());

it.each([
  { locale: 'en-GB', heading: 'Log in' },
  { locale: 'zh-CN', heading: '登录' },
])('the login speaks the language of the browser: $locale', async ({ locale, heading }) => {
  const browser = await openBrowser(390, { locale });
  try {
    const page = await browser.context.newPage();
    await page.goto(`${address}/login`);
    expect(await page.textContent('h1')).toBe(heading);
    expect(await page.title()).toBe(`${heading} · Castellan`);
  } finally {
    await browser.close();
  }
});

describe('logging in', () => {
  let browser: Viewer;
  let page: Page;

  beforeEach(async () => {
    browser = await openBrowser(1280, { locale: 'en-GB' });
    page = await browser.context.newPage();
  });

  afterEach(() => browser.close());

  it('works by keyboard alone, from making the account to being logged in', async () => {
    await page.goto(`${address}/register`);
    await page.waitForSelector('h1');
    await page.keyboard.type('keyboard_ann');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Welcome, keyboard_ann');
    await page.goto(`${address}/login`);
    await page.waitForSelector('h1');
    await page.keyboard.type('keyboard_ann');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${address}/account`);
    const cookies = await browser.context.cookies();
    expect(cookies.filter(({ name }) => /_(access|refresh)$/.test(name)).every(({ httpOnly }) => httpOnly)).toBe(true);
    expect(cookies.map(({ name }) => name)).toContain('iam_access');
  });

  it('says what is wrong and keeps what was typed', async () => {
    await page.goto(`${address}/login`);
    await page.fill('input[autocomplete^="username"]', 'nobody_here');
    await page.fill('input[autocomplete="current-password"]', 'wrong');
    await page.click('button[type="submit"]');
    await page.waitForSelector('[role="alert"] p');
    expect(await page.inputValue('input[autocomplete^="username"]')).toBe('nobody_here');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('puts the problem of a field beside the field', async () => {
    await page.goto(`${address}/register`);
    await page.fill('input[autocomplete="username"]', 'a b');
    await page.fill('input[autocomplete="new-password"]', 'short');
    await page.click('button[type="submit"]');
    await page.waitForSelector('[aria-invalid="true"]');
    const described = await page.getAttribute('input[autocomplete="username"]', 'aria-describedby');
    const [errorId = ''] = described?.split(' ') ?? [];
    expect(await page.textContent(`[id="${errorId}"]`)).toContain('letters');
  });

  it('makes an account without the e-mail that was taken back, whatever was typed as its code', async () => {
    await page.goto(`${address}/register`);
    await page.fill('input[autocomplete="username"]', 'takes_back');
    await page.fill('input[autocomplete="new-password"]', PASSWORD);
    await page.fill('input[type="email"]', 'takes.back@example.com');
    await page.fill('input[autocomplete="one-time-code"]', '123456');
    await page.fill('input[type="email"]', '');
    await page.click('button[type="submit"]');
    await page.waitForSelector('text=Welcome, takes_back');
  });

  it('keeps the language that was chosen', async () => {
    await page.goto(`${address}/login`);
    await page.selectOption('footer select', 'zh');
    await page.waitForSelector('h1:has-text("登录")');
    await page.goto(`${address}/register`);
    expect(await page.textContent('h1')).toBe('注册账号');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', '/%2F/../\t/evil'])(
    'never leads away: ?redirect=%s',
    async (redirect) => {
      await service.register(`led${redirect.length}_${redirect.charCodeAt(1)}`);
      await page.goto(`${address}/login?redirect=${encodeURIComponent(redirect)}`);
      await page.fill('input[autocomplete^="username"]', `led${redirect.length}_${redirect.charCodeAt(1)}`);
      await page.fill('input[autocomplete="current-password"]', PASSWORD);
      await page.click('button[type="submit"]');
      await page.waitForURL((url) => url.pathname !== '/login');
      expect(new URL(page.url()).origin).toBe(address);
    },
  );

  it('goes on to the own page it was asked for', async () => {
    await service.register('bound_for');
    await page.goto(`${address}/login?redirect=${encodeURIComponent('/api/auth/me?lang=en')}`);
    await page.fill('input[autocomplete^="username"]', 'bound_for');
    await page.fill('input[autocomplete="current-password"]', PASSWORD);
    await page.click('button[type="submit"]');
    await page.waitForURL(`${address}/api/auth/me?lang=en`);
    expect(await page.textContent('body')).toContain('bound_for');
  });

  it('is sent once by an impatient double click, which meets nothing else either', async () => {
    await service.register('clicks_twice');
    const admin = await service.admin();
    const secrets = { client_id: 'demo', client_secret: 'demo' };
    await admin.post('/api/oauth/provider', { name: 'github', label: 'GitHub', template: 'github', ...secrets });
    await page.goto(`${address}/login`);
    await page.fill('input[autocomplete^="username"]', 'clicks_twice');
    await page.fill('input[autocomplete="current-password"]', 'wrong');
    await page.click('button[type="submit"]');
    await page.waitForSelector('[role="alert"] p');
    const asked: string[] = [];
    await page.route(/\/api\/auth\/(login|sessions)(\?|$)/, async (route) => {
      asked.push(new URL(route.request().url()).pathname);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await page.fill('input[autocomplete="current-password"]', PASSWORD);
    const { x, y, width, height } = (await page.locator('button[type="submit"]').boundingBox())!;
    for (let click = 0; click < 6; click += 1) {
      await page.mouse.click(x + width / 2, y + height / 2);
      await page.waitForTimeout(80);
    }
    await page.waitForURL(`${address}/account`);
    expect(asked.filter((path) => path.endsWith('/login'))).toHaveLength(1);
  });

  it('asks for a new password first where one is due', async () => {
    const admin = await service.admin();
    await admin.post('/api/user', { username: 'must_change', password: PASSWORD, must_change_password: true });
    await page.goto(`${address}/login`);
    await page.fill('input[autocomplete^="username"]', 'must_change');
    await page.fill('input[autocomplete="current-password"]', PASSWORD);
    await page.click('button[type="submit"]');
    await page.waitForSelector('text=Choose a new password');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.fill('input[autocomplete="new-password"]', 'another good long one');
    await page.click('button[type="submit"]');
    await page.waitForURL(`${address}/account`);
  });
});
