import type { Frame } from 'playwright-core';
import { registrationFirstField } from '../../src/auth';
import {
  appBackgroundColor,
  appBackgroundImage,
  appCornerRadius,
  appCustomCss,
  appLogo,
  appLogoDark,
} from '../../src/settings';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { openAs, settingField } from './people';
import { pageForEach, serveForAll } from './stage';
import { untilTrue } from './until-true';
import { complaintsOf } from './watch';

const served = serveForAll();
const seen = pageForEach(1280);

const LOGO = '/api/avatar/light.svg';
const DARK_LOGO = '/api/avatar/dark.svg';

afterEach(async () => {
  const { service } = served;
  for (const setting of [appBackgroundColor, appBackgroundImage, appCustomCss, appLogo, appLogoDark]) {
    await service.set(setting, '');
  }
  await service.set(appCornerRadius, appCornerRadius.defaultValue);
  await service.set(registrationFirstField, registrationFirstField.defaultValue);
});

const styleOf = (selector: string, property: string, frame: Frame = seen.page.mainFrame()): Promise<string> =>
  frame.evaluate(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue(${JSON.stringify(property)})`,
  );

describe('the login pages', () => {
  it('have the look of the settings, in both colour schemes and with no violation of the policy', async () => {
    const { service } = served;
    await service.set(appLogo, LOGO);
    await service.set(appLogoDark, DARK_LOGO);
    await service.set(appBackgroundColor, '#204060');
    await service.set(appCornerRadius, 0);
    await service.set(appCustomCss, 'main { outline: 3px dashed rgb(1, 2, 3) }');
    const complaints = complaintsOf(seen.page);
    for (const path of ['/login', '/register', '/reset-password', '/invitation', '/error?code=other']) {
      await seen.page.goto(served.address + path);
      await seen.page.waitForSelector('h1');
      expect(await styleOf('.frame', 'background-color')).toBe('rgb(32, 64, 96)');
      expect(await styleOf('main', 'border-radius')).toBe('0px');
      expect(await styleOf('main', 'outline-color')).toBe('rgb(1, 2, 3)');
      expect(await styleOf('footer select', 'color')).toBe(await styleOf('main', 'color'));
      await expectGoodLooks(seen.page);
    }
    const isShown = (logo: string): Promise<void> =>
      untilTrue(seen.page, `document.querySelector('header img').currentSrc.includes('${logo}')`);
    await seen.page.emulateMedia({ colorScheme: 'light' });
    await isShown(LOGO);
    await seen.page.emulateMedia({ colorScheme: 'dark' });
    await isShown(DARK_LOGO);
    expect(complaints).toEqual([]);
  });

  it('put their texts on a surface over a background picture', async () => {
    await served.service.set(appBackgroundImage, LOGO);
    await seen.page.goto(`${served.address}/login`);
    await seen.page.waitForSelector('h1');
    expect(await styleOf('.frame', 'background-image')).toContain(LOGO);
    expect(await styleOf('header', 'background-color')).toBe(await styleOf('main', 'background-color'));
    await expectGoodLooks(seen.page);
  });

  it('link custom CSS before the first paint', async () => {
    await served.service.set(appCustomCss, 'main { color: red }');
    const html = await (await seen.page.request.get(`${served.address}/login`)).text();
    expect(html).toMatch(/<link id="brand" rel="stylesheet" href="\/api\/branding\/[\w-]{43}\.css"><\/head>/);
  });

  it.each(['username', 'email', 'phone'] as const)('ask for %s first where that is set', async (field) => {
    await served.service.set(registrationFirstField, field);
    await seen.page.goto(`${served.address}/register`);
    const first = seen.page.locator('form input').first();
    await first.waitFor();
    const autocomplete = { username: 'username', email: 'email', phone: 'tel' }[field];
    expect(await first.getAttribute('autocomplete')).toBe(autocomplete);
    await untilTrue(seen.page, `document.activeElement === document.querySelector('form input')`);
  });

  it('say which rules a password still breaks', async () => {
    await seen.page.goto(`${served.address}/register`);
    await seen.page.getByLabel('Username').fill('ann_of_hints');
    const password = seen.page.getByLabel('Password', { exact: true });
    await password.fill('seven77');
    await seen.page.waitForSelector('text=1 more character is needed.');
    await password.fill('Ann_of_Hints');
    await seen.page.waitForSelector('text=Do not use your username.');
    await password.fill(PASSWORD);
    await seen.page.waitForSelector('text=Good length.');
    await password.fill('password');
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForSelector('.error:has-text("Too easy to guess")');
  });
});

it.each(['/admin', '/account'])('%s shows the logo of the colour scheme in its header', async (path) => {
  await served.service.set(appLogo, LOGO);
  await served.service.set(appLogoDark, DARK_LOGO);
  for (const [colorScheme, logo] of [
    ['light', LOGO],
    ['dark', DARK_LOGO],
  ] as const) {
    await seen.page.emulateMedia({ colorScheme });
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, path);
    await seen.page.waitForSelector('header .brand img:visible');
    const shown = await seen.page.evaluate(
      `[...document.querySelectorAll('header .brand img')].filter((one) => one.checkVisibility()).map((one) => new URL(one.currentSrc).pathname)`,
    );
    expect(shown).toEqual([logo]);
  }
});

describe('the sign-in page of the console', () => {
  const open = (): Promise<void> => openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/sign-in');
  const preview = async (): Promise<Frame> => {
    const handle = await seen.page.waitForSelector('iframe');
    const frame = await handle.contentFrame();
    if (!frame) throw new Error('The preview has no frame');
    await frame.waitForSelector('h1');
    return frame;
  };
  const choose = (name: string) => seen.page.locator('.stays').getByText(name, { exact: true }).click();

  it('shows unsaved changes on the real pages, in both schemes and widths, and saves nothing', async () => {
    const complaints = complaintsOf(seen.page);
    await open();
    const frame = await preview();
    await settingField(seen.page, 'app.name').fill('House of Keys');
    await settingField(seen.page, 'app.background_color').fill('#204060');
    await settingField(seen.page, 'app.custom_css').fill(
      '@media (prefers-color-scheme: dark) { h1 { color: rgb(9, 8, 7) } }',
    );
    await frame.waitForSelector('header:has-text("House of Keys")');
    expect(await styleOf('.frame', 'background-color', frame)).toBe('rgb(32, 64, 96)');
    expect(await styleOf('h1', 'color', frame)).not.toBe('rgb(9, 8, 7)');
    const light = await styleOf('main', 'background-color', frame);
    await choose('Dark');
    await untilTrue(frame, `getComputedStyle(document.querySelector('h1')).color === 'rgb(9, 8, 7)'`);
    expect(await styleOf('main', 'background-color', frame)).not.toBe(light);
    await choose('Light');
    await untilTrue(frame, `getComputedStyle(document.querySelector('h1')).color !== 'rgb(9, 8, 7)'`);
    await choose('Registration');
    await frame.waitForSelector('h1:has-text("Create an account")');
    await settingField(seen.page, 'register.terms_required').check();
    await frame.waitForSelector('label:has-text("I agree to") input[type="checkbox"]');
    await choose('Desktop');
    await untilTrue(frame, 'innerWidth === 1280');
    expect(await frame.evaluate(`document.querySelector('[inert] button[type=submit]') !== null`)).toBe(true);
    await expectGoodLooks(seen.page);
    expect(complaints).toEqual([]);
    const { body } = await served.service.client().get<{ name: string }>('/api/info');
    expect(body.name).not.toBe('House of Keys');
  });

  it('previews no CSS and no address that the service would reject', async () => {
    const asked: string[] = [];
    seen.page.on('request', (request) => asked.push(request.url()));
    await open();
    const frame = await preview();
    const css = settingField(seen.page, 'app.custom_css');
    await css.fill('h1 { color: rgb(9, 8, 7) }');
    await untilTrue(frame, `getComputedStyle(document.querySelector('h1')).color === 'rgb(9, 8, 7)'`);
    await css.fill('h1 { color: rgb(1, 1, 1); background: url(https://elsewhere.example/css) }');
    await settingField(seen.page, 'app.background_image').fill('https://user:secret@elsewhere.example/picture');
    await settingField(seen.page, 'app.name').fill('Judged');
    await frame.waitForSelector('header:has-text("Judged")');
    expect(await styleOf('h1', 'color', frame)).toBe('rgb(9, 8, 7)');
    expect(await styleOf('.frame', 'background-image', frame)).toBe('none');
    expect(asked.filter((url) => url.includes('elsewhere.example'))).toEqual([]);
  });

  it('keeps the last valid colour while one is typed', async () => {
    await open();
    const frame = await preview();
    await settingField(seen.page, 'app.background_color').fill('#204060');
    await untilTrue(frame, `getComputedStyle(document.querySelector('.frame')).backgroundColor === 'rgb(32, 64, 96)'`);
    await settingField(seen.page, 'app.name').fill('Typing');
    await settingField(seen.page, 'app.background_color').fill('#20406');
    await frame.waitForSelector('header:has-text("Typing")');
    expect(await styleOf('.frame', 'background-color', frame)).not.toContain('NaN');
  });

  it('saves all changes at once, names a rejected one, and takes the save back', async () => {
    await open();
    await preview();
    await settingField(seen.page, 'app.logo').fill(LOGO);
    await settingField(seen.page, 'app.custom_css').fill('main { background: url(https://evil.example/x) }');
    const save = seen.page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await seen.page.waitForSelector('.in-sight li:has-text("app.custom_css")');
    await settingField(seen.page, 'app.custom_css').fill('main { padding: 3rem }');
    await save.click();
    const undo = seen.page.getByRole('button', { name: 'Undo', exact: true });
    await undo.waitFor();
    const branding = async (): Promise<{ logo: string; stylesheet: string }> =>
      (await served.service.client().get<{ branding: { logo: string; stylesheet: string } }>('/api/info')).body
        .branding;
    expect(await branding()).toMatchObject({ logo: LOGO, stylesheet: expect.stringContaining('.css') as string });
    await undo.click();
    await save.click();
    await save.waitFor({ state: 'detached' });
    expect(await branding()).toMatchObject({ logo: '', stylesheet: '' });
  });

  it('does not take back what someone else has changed since the save', async () => {
    await open();
    await preview();
    await settingField(seen.page, 'app.logo').fill(LOGO);
    await settingField(seen.page, 'app.background_color').fill('#204060');
    const save = seen.page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    const undo = seen.page.getByRole('button', { name: 'Undo', exact: true });
    await undo.waitFor();
    const admin = await served.service.admin();
    const updates = [{ key: appLogo.key, value: DARK_LOGO }];
    expect((await admin.put('/api/setting', { updates })).status).toBe(200);
    await seen.page.clock.setFixedTime(Date.now() + 60_000);
    await seen.page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await seen.page.getByText('Undo leaves out what was changed again since: Logo.').waitFor();
    await undo.click();
    await save.click();
    await save.waitFor({ state: 'detached' });
    const { body } = await served.service.client().get<{ branding: object }>('/api/info');
    expect(body.branding).toMatchObject({ logo: DARK_LOGO, background_color: '' });
  });

  it('lets only one of two administrators change a setting that both have seen', async () => {
    await open();
    await preview();
    await settingField(seen.page, 'app.logo').fill(LOGO);
    const save = seen.page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    const undo = seen.page.getByRole('button', { name: 'Undo', exact: true });
    await undo.waitFor();
    const admin = await served.service.admin();
    await admin.put('/api/setting', { updates: [{ key: appLogo.key, value: DARK_LOGO }] });
    await undo.click();
    await save.click();
    await seen.page.waitForSelector('.in-sight li:has-text("app.logo")');
    const { body } = await served.service.client().get<{ branding: object }>('/api/info');
    expect(body.branding).toMatchObject({ logo: DARK_LOGO });
  });
});

describe('the preview', () => {
  it('may be framed by the service only, sends nothing and shows nothing by itself', async () => {
    const answer = await seen.page.request.get(`${served.address}/sign-in-preview`);
    const policy = answer.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toContain("form-action 'none'");
    expect(policy).not.toContain('connect-src');
    expect(answer.headers()['x-frame-options']).toBe('SAMEORIGIN');
    await seen.page.goto(`${served.address}/sign-in-preview`);
    await seen.page.evaluate(`postMessage({ branding: {} }, '*')`);
    expect(await seen.page.locator('form').count()).toBe(0);
    const login = await seen.page.request.get(`${served.address}/login`);
    expect(login.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  });
});
