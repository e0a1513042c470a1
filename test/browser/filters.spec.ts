import type { CDPSession } from 'playwright-core';
import { ADMIN, eventually } from '../support/service/test-service';
import { openAs } from './people';
import { pageForAll, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForAll(1280);
let devtools: CDPSession;

beforeAll(async () => {
  devtools = await seen.context.newCDPSession(seen.page);
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/users');
  const admin = await served.service.admin();
  for (let count = 1; count <= 21; count += 1) await admin.post('/api/role', { name: `helper-${count}` });
});

const boxes = [
  { path: '/admin/users', label: 'Search', name: 'keyword' },
  { path: '/admin/roles', label: 'Search', name: 'keyword' },
  { path: '/admin/permissions', label: 'Search', name: 'keyword' },
  { path: '/admin/deliveries', label: 'Provider', name: 'provider' },
  { path: '/admin/audit', label: 'Action', name: 'action' },
];

const box = (label: string) => seen.page.locator('main').getByLabel(label, { exact: true });

/** Waits until the address contains the text. */
const isInAddress = (name: string, text: string): Promise<void> =>
  seen.page.waitForURL((url) => (url.searchParams.get(name) ?? '') === text);

describe.each(boxes)('filter "$label" of $path', ({ path, label, name }) => {
  beforeEach(async () => {
    await seen.page.goto(served.address + path);
    await box(label).click();
  });

  it('accepts input method composition and sends no partial text', async () => {
    const asked: string[] = [];
    const note = (request: { url(): string }): number => asked.push(request.url());
    seen.page.on('request', note);
    for (const text of ['z', 'zh', 'zhi']) {
      await devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    }
    await seen.page.waitForTimeout(400);
    expect(await box(label).inputValue()).toBe('zhi');
    expect(new URL(seen.page.url()).search).toBe('');
    await devtools.send('Input.insertText', { text: '支' });
    await isInAddress(name, '支');
    expect(await box(label).inputValue()).toBe('支');
    expect(asked.filter((url) => url.includes('=z'))).toEqual([]);
    seen.page.off('request', note);
  });

  it('keeps every character and the cursor position', async () => {
    await seen.page.keyboard.type('helper.1');
    await isInAddress(name, 'helper.1');
    for (let step = 0; step < 4; step += 1) await seen.page.keyboard.press('ArrowLeft');
    await seen.page.keyboard.type('-abcd-', { delay: 90 });
    await isInAddress(name, 'help-abcd-er.1');
    expect(await box(label).inputValue()).toBe('help-abcd-er.1');
  });
});

it('updates a filter when the address changes elsewhere', async () => {
  const isInBox = (text: string): Promise<string> =>
    eventually(
      () => box('Search').inputValue(),
      (value) => value === text,
    );
  await seen.page.goto(`${served.address}/admin/roles?keyword=helper-2`);
  await seen.page.getByRole('link', { name: 'helper-2', exact: true }).waitFor();
  await seen.page.locator('nav a[href="/admin/roles"]').click();
  await isInAddress('keyword', '');
  await isInBox('');
  await seen.page.goBack();
  await isInAddress('keyword', 'helper-2');
  await isInBox('helper-2');
});

it('drops a pending filter when the user leaves the page', async () => {
  await seen.page.goto(`${served.address}/admin/roles`);
  await box('Search').fill('helper-3');
  await seen.page.locator('nav a[href="/admin/permissions"]').click();
  await seen.page.waitForURL(`${served.address}/admin/permissions`);
  await seen.page.waitForTimeout(400);
  expect(new URL(seen.page.url()).search).toBe('');
});

it('applies two filters that are filled at once', async () => {
  await seen.page.goto(`${served.address}/admin/audit`);
  await box('Action').fill('role.create');
  await box('Target type').fill('role');
  await seen.page.waitForURL((url) => url.searchParams.has('action') && url.searchParams.has('target_type'));
});

it('returns to the first page after a new search', async () => {
  await seen.page.goto(`${served.address}/admin/roles?page=2`);
  await seen.page.getByRole('button', { name: 'Page 2', exact: true }).waitFor();
  await box('Search').fill('helper-7');
  await seen.page.getByRole('link', { name: 'helper-7', exact: true }).waitFor();
  expect(new URL(seen.page.url()).search).toBe('?keyword=helper-7');
});
