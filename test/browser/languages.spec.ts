import { ADMIN, PASSWORD } from '../support/service/test-service';
import { chooseLanguage, openAs, settingField } from './people';
import { pageForEach, serveForAll } from './stage';
import { complaintsOf } from './watch';

const served = serveForAll();
const seen = pageForEach(390);

/** A reload removes this mark. */
const MARK = 'globalThis.stillTheSame = true';
const isTheSame = (): Promise<boolean> => seen.page.evaluate<boolean>('"stillTheSame" in globalThis');

async function openAt(path: string): Promise<void> {
  await seen.page.goto(served.address + path);
  await seen.page.waitForSelector('h1');
  await seen.page.evaluate(MARK);
}

const createError = (detail: string) => ({
  status: 503,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: 'x', status: 503, code: 'unavailable', detail }),
});

/** Delays the service's response until the returned function is called. */
async function holdBack(url: string): Promise<() => Promise<void>> {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await seen.page.route(url, async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  return async () => {
    const arrived = seen.page.waitForResponse(url);
    letGo();
    await (await arrived).finished();
  };
}

const speakChinese = () => seen.page.selectOption('footer select', 'zh');

describe('language change on the login pages', () => {
  it.each<{ path: string; heading: string; typed: Record<string, string> }>([
    {
      path: '/login',
      heading: '登录',
      typed: { 'input[autocomplete^="username"]': 'half_filled', 'input[autocomplete="current-password"]': PASSWORD },
    },
    {
      path: '/register',
      heading: '注册账号',
      typed: {
        'input[autocomplete="username"]': 'half_filled',
        'input[autocomplete="new-password"]': PASSWORD,
        'input[type="email"]': 'half@example.com',
      },
    },
    {
      path: '/reset-password',
      heading: '重置密码',
      typed: { 'input[type="email"]': 'half@example.com', 'input[autocomplete="new-password"]': PASSWORD },
    },
  ])('keeps the input on $path', async ({ path, heading, typed }) => {
    const complaints = complaintsOf(seen.page);
    await openAt(path);
    for (const [field, text] of Object.entries(typed)) await seen.page.fill(field, text);
    await speakChinese();
    await seen.page.waitForSelector(`h1:text-is("${heading}")`);
    for (const [field, text] of Object.entries(typed)) expect(await seen.page.inputValue(field)).toBe(text);
    expect(await seen.page.title()).toBe(`${heading} · Castellan`);
    expect(await seen.page.getAttribute('html', 'lang')).toBe('zh');
    expect(await isTheSame()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('keeps the chosen login method and shows errors in the new language', async () => {
    await openAt('/login');
    await seen.page.getByRole('tab', { name: 'E-mail' }).click();
    await seen.page.fill('input[type="email"]', 'half@example.com');
    await seen.page.uncheck('input[type="checkbox"]');
    await speakChinese();
    await seen.page.waitForSelector('h1:text-is("登录")');
    expect(await seen.page.inputValue('input[type="email"]')).toBe('half@example.com');
    expect(await seen.page.isChecked('input[type="checkbox"]')).toBe(false);
    await seen.page.fill('input[autocomplete="one-time-code"]', '000000');
    await seen.page.click('button[type="submit"]');
    expect(await seen.page.textContent('[role="alert"] p')).toMatch(/\p{Script=Han}/u);
  });

  it('removes error messages in the previous language', async () => {
    await openAt('/register');
    await seen.page.fill('input[autocomplete="username"]', 'a b');
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForSelector('[aria-invalid="true"]');
    await speakChinese();
    await seen.page.waitForSelector('h1:text-is("注册账号")');
    await seen.page.waitForSelector('[aria-invalid="true"]', { state: 'detached' });
    expect(await seen.page.locator('[role="alert"] p').count()).toBe(0);
    expect(await seen.page.inputValue('input[autocomplete="username"]')).toBe('a b');
  });

  it('ignores a late error in the previous language', async () => {
    await openAt('/register');
    const answer = await holdBack('**/api/auth/register?*');
    await seen.page.fill('input[autocomplete="username"]', 'a b');
    await seen.page.click('button[type="submit"]');
    await speakChinese();
    await seen.page.waitForSelector('h1:text-is("注册账号")');
    await answer();
    await seen.page.waitForSelector('button[type="submit"]:enabled');
    expect(await seen.page.locator('[aria-invalid="true"], [role="alert"] p').count()).toBe(0);
  });

  it('ignores a late error of a code in the previous language', async () => {
    await openAt('/reset-password');
    const answer = await holdBack('**/api/auth/codes?*');
    await seen.page.fill('input[type="email"]', 'not an address');
    await seen.page.getByRole('button', { name: 'Send code' }).click();
    await speakChinese();
    await seen.page.waitForSelector('h1:text-is("重置密码")');
    await answer();
    await seen.page.waitForSelector('button:enabled:has-text("发送验证码")');
    expect(await seen.page.locator('p[role="status"]').textContent()).toBe('');
  });

  it('repeats a failed request in the new language', async () => {
    await seen.page.route('**/api/oauth/interaction/**', (route) => {
      const isChinese = new URL(route.request().url()).searchParams.get('lang') === 'zh';
      return route.fulfill(createError(isChinese ? '现在太忙。' : 'Too busy just now.'));
    });
    await openAt(`/consent?interaction=${'u'.repeat(32)}`);
    await seen.page.waitForSelector('text=Too busy just now.');
    await speakChinese();
    await seen.page.waitForSelector('text=现在太忙。');
    await seen.page.getByRole('button', { name: '重试' }).waitFor();
    expect(await seen.page.textContent('main')).not.toContain('Too busy');
  });

  it('translates the notice that a code was sent', async () => {
    await openAt('/reset-password');
    await seen.page.fill('input[type="email"]', 'half@example.com');
    await seen.page.getByRole('button', { name: 'Send code' }).click();
    await seen.page.waitForSelector('text=We sent a code to half@example.com');
    await speakChinese();
    await seen.page.waitForSelector('text=验证码已发往 half@example.com');
    expect(await seen.page.textContent('main')).not.toContain('We sent a code');
  });

  it('reloads the page if its texts are gone from the service', async () => {
    await openAt('/login');
    // Wait for the page's own requests: the route below must intercept the texts only.
    await seen.page.waitForLoadState('networkidle');
    await seen.page.route('**/assets/*', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await speakChinese();
    await seen.page.waitForSelector('h1:text-is("登录")');
    expect(await isTheSame()).toBe(false);
  });
});

it('shows the consent page in the new language', async () => {
  await served.service.register('asked_in_english');
  const said = async (route: { request(): { url(): string } }): Promise<object> => {
    const isChinese = new URL(route.request().url()).searchParams.get('lang') === 'zh';
    return {
      ...{ uid: 'u'.repeat(32), kind: 'consent', user: { name: 'Ann' }, client: { name: 'Wiki', logo: null } },
      scopes: [{ name: 'email', description: isChinese ? '您的邮箱' : 'Your e-mail' }],
    };
  };
  await seen.page.route('**/api/oauth/interaction/**', async (route) => route.fulfill({ json: await said(route) }));
  await openAt(`/consent?interaction=${'u'.repeat(32)}`);
  await seen.page.waitForSelector('text=Your e-mail');
  await speakChinese();
  await seen.page.waitForSelector('text=您的邮箱');
  expect(await isTheSame()).toBe(true);
});

describe('language change in the console', () => {
  const choose = async (): Promise<void> => {
    await seen.page.evaluate(MARK);
    await chooseLanguage(seen.page, 'zh');
  };

  beforeEach(() => seen.page.setViewportSize({ width: 1280, height: 900 }));

  it('loads the texts of the opened areas only', async () => {
    const areas: string[] = [];
    seen.page.on('request', (request) => {
      areas.push(...(/\/assets\/console_(\w+)-/.exec(request.url())?.slice(1) ?? []));
    });
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/users');
    await seen.page.getByRole('link', { name: 'Create user', exact: true }).waitFor();
    expect(areas).toEqual(['users']);
    await choose();
    await seen.page.getByRole('link', { name: '创建用户', exact: true }).waitFor();
    await seen.page.getByRole('link', { name: '角色', exact: true }).click();
    await seen.page.getByText('角色的成员拥有该角色的全部权限。').waitFor();
    expect(areas).toEqual(['users', 'users', 'roles']);
    expect(await isTheSame()).toBe(true);
  });

  it("keeps the input and shows the service's texts in the new language", async () => {
    const complaints = complaintsOf(seen.page);
    const admin = await served.service.admin();
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/settings');
    await seen.page.getByRole('button', { name: 'Audit log', exact: true }).click();
    const days = settingField(seen.page, 'audit.retention_days');
    await days.fill('91');
    await choose();
    await seen.page.waitForSelector('h1:text-is("设置")');
    await seen.page.getByText('审计日志').first().waitFor();
    expect(await days.inputValue()).toBe('91');
    expect(await seen.page.title()).toBe('设置 · Castellan');
    expect(await isTheSame()).toBe(true);
    expect((await admin.get<{ locale: string }>('/api/auth/me')).body.locale).toBe('zh');
    await admin.patch('/api/auth/me', { locale: null });
    expect(complaints).toEqual([]);
  });

  it('removes field errors in the previous language', async () => {
    await served.service.register('mistypes');
    await openAs(seen.page, served.address, 'mistypes', PASSWORD, '/account/security');
    await seen.page.getByLabel('Current password', { exact: true }).fill('not it at all');
    await seen.page.getByLabel('New password', { exact: true }).fill('another good password');
    await seen.page.getByRole('button', { name: 'Save', exact: true }).click();
    await seen.page.waitForSelector('[aria-invalid="true"]');
    await choose();
    await seen.page.waitForSelector('h1:text-is("密码与账号")');
    await seen.page.waitForSelector('[aria-invalid="true"]', { state: 'detached' });
    expect(await seen.page.getByLabel('新密码', { exact: true }).inputValue()).toBe('another good password');
  });

  it('ignores a late field error in the previous language', async () => {
    await served.service.register('too_late');
    await openAs(seen.page, served.address, 'too_late', PASSWORD, '/account/security');
    const answer = await holdBack('**/api/auth/me/password?*');
    await seen.page.getByLabel('Current password', { exact: true }).fill('not it at all');
    await seen.page.getByLabel('New password', { exact: true }).fill('another good password');
    await seen.page.getByRole('button', { name: 'Save', exact: true }).click();
    await choose();
    await seen.page.waitForSelector('h1:text-is("密码与账号")');
    await answer();
    await seen.page.getByRole('alert').waitFor();
    expect(await seen.page.locator('[aria-invalid="true"]').count()).toBe(0);
  });

  it('formats times for the new language', async () => {
    await served.service.register('tells_time');
    await openAs(seen.page, served.address, 'tells_time', PASSWORD, '/account/sessions');
    await seen.page.waitForSelector('text=This device');
    await choose();
    await seen.page.waitForSelector('h1:text-is("登录设备")');
    expect(await seen.page.textContent('main')).toMatch(/\d{4}年\d{1,2}月\d{1,2}日/);
  });
});
