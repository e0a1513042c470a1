import { PASSWORD } from '../support/service/test-service';
import { openViewer, pageForEach, serveForAll } from './stage';
import { accessibilityFaults } from './watch';

const served = serveForAll();

it.each([
  { locale: 'en-GB', heading: 'Log in' },
  { locale: 'zh-CN', heading: '登录' },
])('shows the login in the language of the browser: $locale', async ({ locale, heading }) => {
  const browser = await openViewer(390, { locale });
  try {
    const page = await browser.context.newPage();
    await page.goto(`${served.address}/login`);
    expect(await page.textContent('h1')).toBe(heading);
    expect(await page.title()).toBe(`${heading} · Castellan`);
  } finally {
    await browser.close();
  }
});

describe('login', () => {
  const seen = pageForEach(1280);

  it('works by keyboard only, from registration to login', async () => {
    await seen.page.goto(`${served.address}/register`);
    await seen.page.waitForSelector('h1');
    await seen.page.keyboard.type('keyboard_ann');
    await seen.page.keyboard.press('Tab');
    await seen.page.keyboard.type(PASSWORD);
    await seen.page.keyboard.press('Enter');
    await seen.page.waitForURL(`${served.address}/account`);
    // The console would lead to the login itself.
    await seen.page.goto('about:blank');
    await seen.context.clearCookies();
    await seen.page.goto(`${served.address}/login`);
    await seen.page.waitForSelector('h1');
    await seen.page.keyboard.type('keyboard_ann');
    await seen.page.keyboard.press('Tab');
    await seen.page.keyboard.type(PASSWORD);
    await seen.page.keyboard.press('Enter');
    await seen.page.waitForURL(`${served.address}/account`);
    const cookies = await seen.context.cookies();
    expect(cookies.filter(({ name }) => /_(access|refresh)$/.test(name)).every(({ httpOnly }) => httpOnly)).toBe(true);
    expect(cookies.map(({ name }) => name)).toContain('iam_access');
  });

  it('sends names without the space around them, and passwords as typed', async () => {
    const sent: Record<string, unknown>[] = [];
    seen.page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postDataJSON() as Record<string, unknown>);
    });
    const password = ` ${PASSWORD} `;
    await seen.page.goto(`${served.address}/register`);
    await seen.page.fill('input[autocomplete="username"]', '  spaced_ann ');
    await seen.page.fill('input[autocomplete="new-password"]', password);
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForURL(`${served.address}/account`);
    expect(sent.map((body) => [body['username'], body['password']])).toEqual([
      ['spaced_ann', password],
      ['spaced_ann', password],
    ]);
  });

  it('shows an error and keeps the input', async () => {
    await seen.page.goto(`${served.address}/login`);
    await seen.page.fill('input[autocomplete^="username"]', 'nobody_here');
    await seen.page.fill('input[autocomplete="current-password"]', 'wrong');
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForSelector('[role="alert"] p');
    expect(await seen.page.inputValue('input[autocomplete^="username"]')).toBe('nobody_here');
    expect(await accessibilityFaults(seen.page)).toEqual([]);
  });

  it('shows a field error beside its field', async () => {
    await seen.page.goto(`${served.address}/register`);
    await seen.page.fill('input[autocomplete="username"]', 'a b');
    await seen.page.fill('input[autocomplete="new-password"]', 'short');
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForSelector('[aria-invalid="true"]');
    const described = await seen.page.getAttribute('input[autocomplete="username"]', 'aria-describedby');
    const [errorId = ''] = described?.split(' ') ?? [];
    expect(await seen.page.textContent(`[id="${errorId}"]`)).toContain('letters');
  });

  it('registers an account without the e-mail address that was removed, ignoring its code', async () => {
    await seen.page.goto(`${served.address}/register`);
    await seen.page.fill('input[autocomplete="username"]', 'takes_back');
    await seen.page.fill('input[autocomplete="new-password"]', PASSWORD);
    await seen.page.fill('input[type="email"]', 'takes.back@example.com');
    await seen.page.fill('input[autocomplete="one-time-code"]', '123456');
    await seen.page.fill('input[type="email"]', '');
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForURL(`${served.address}/account`);
  });

  it('follows a registration, and leads to the requested page', async () => {
    await seen.page.goto(`${served.address}/register?redirect=%2Faccount%2Fsessions`);
    await seen.page.fill('input[autocomplete="username"]', 'straight_in');
    await seen.page.fill('input[autocomplete="new-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForURL(`${served.address}/account/sessions`);
    await seen.page.waitForSelector('h1:text-is("Devices")');
  });

  it('keeps the chosen language', async () => {
    await seen.page.goto(`${served.address}/login`);
    await seen.page.selectOption('footer select', 'zh');
    await seen.page.waitForSelector('h1:has-text("登录")');
    await seen.page.goto(`${served.address}/register`);
    expect(await seen.page.textContent('h1')).toBe('注册账号');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', '/%2F/../\t/evil'])(
    'never redirects to another origin: ?redirect=%s',
    async (redirect) => {
      await served.service.register(`led${redirect.length}_${redirect.charCodeAt(1)}`);
      await seen.page.goto(`${served.address}/login?redirect=${encodeURIComponent(redirect)}`);
      await seen.page.fill('input[autocomplete^="username"]', `led${redirect.length}_${redirect.charCodeAt(1)}`);
      await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
      await seen.page.click('button[type="submit"]');
      await seen.page.waitForURL((url) => url.pathname !== '/login');
      expect(new URL(seen.page.url()).origin).toBe(served.address);
    },
  );

  it('redirects to the requested page', async () => {
    await served.service.register('bound_for');
    await seen.page.goto(`${served.address}/login?redirect=${encodeURIComponent('/api/auth/me?lang=en')}`);
    await seen.page.fill('input[autocomplete^="username"]', 'bound_for');
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForURL(`${served.address}/api/auth/me?lang=en`);
    expect(await seen.page.textContent('body')).toContain('bound_for');
  });

  it('sends one request on a double click, which hits no other control', async () => {
    await served.service.register('clicks_twice');
    const admin = await served.service.admin();
    const secrets = { client_id: 'demo', client_secret: 'demo' };
    await admin.post('/api/oauth/provider', { name: 'github', label: 'GitHub', template: 'github', ...secrets });
    await seen.page.goto(`${served.address}/login`);
    await seen.page.fill('input[autocomplete^="username"]', 'clicks_twice');
    await seen.page.fill('input[autocomplete="current-password"]', 'wrong');
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForSelector('[role="alert"] p');
    const asked: string[] = [];
    await seen.page.route(/\/api\/auth\/(login|sessions)(\?|$)/, async (route) => {
      asked.push(new URL(route.request().url()).pathname);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    const { x, y, width, height } = (await seen.page.locator('button[type="submit"]').boundingBox())!;
    for (let click = 0; click < 6; click += 1) {
      await seen.page.mouse.click(x + width / 2, y + height / 2);
      await seen.page.waitForTimeout(80);
    }
    await seen.page.waitForURL(`${served.address}/account`);
    expect(asked.filter((path) => path.endsWith('/login'))).toHaveLength(1);
  });

  it('asks for a new password if the user must change it', async () => {
    const admin = await served.service.admin();
    await admin.post('/api/user', { username: 'must_change', password: PASSWORD, must_change_password: true });
    await seen.page.goto(`${served.address}/login`);
    await seen.page.fill('input[autocomplete^="username"]', 'must_change');
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForSelector('text=Choose a new password');
    expect(await accessibilityFaults(seen.page)).toEqual([]);
    await seen.page.fill('input[autocomplete="new-password"]', 'another good long one');
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForURL(`${served.address}/account`);
  });
});
