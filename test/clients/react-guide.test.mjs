// From `npm create vite` to a page with <Can>, by the lines of the guide.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { administrator, api, ISSUER, PASSWORD, person } from './service.mjs';
import { blocksOf, Desk, obstacle, TEN_MINUTES } from './documented.mjs';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

const skip = obstacle('create-vite') || (!existsSync(executablePath) && `there is no browser at ${executablePath}`);
const desk = new Desk();

before(() => {
  if (skip) return;
  desk.pack('packages/client', 'dist/index.js', 'build:react');
  desk.pack('packages/react', 'dist/forms.js', 'build:react');
});
after(() => desk.clear());

test('the guide leads from `npm create vite` to a page with <Can>', { skip, timeout: TEN_MINUTES }, async () => {
  const [create, config, main, start] = blocksOf('docs/guides/react.md', 'A page in two files');
  assert.deepEqual([config.file, main.file, start.text], ['vite.config.ts', 'src/main.tsx', 'npm run dev\n']);
  desk.run(create.text);
  desk.write(config.file, config.text.replace('http://127.0.0.1:4000', ISSUER));
  desk.write(main.file, main.text);
  // The types are right, too.
  desk.run('npm run build');
  const url = await desk.start(start.text, /Local:\s+(http:\S+)/, { NO_COLOR: '1', FORCE_COLOR: '0' });

  const { username } = await person();
  const admin = await administrator();
  const { items } = await api(admin, 'GET', `/api/user?keyword=${username}`);
  const give = (change) => api(admin, 'PATCH', `/api/user/${items[0].id}/permissions`, change);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ locale: 'en-GB' });
    await page.goto(url);
    await page.fill('input[name="username"]', username);
    await page.fill('input[type="password"]', PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('You cannot read orders.').waitFor();
    await give({ add: [{ permission_id: 'shop:order:read' }] });
    await page.getByText('Here are the orders.').waitFor({ timeout: 1_000 });
    await give({ remove: ['shop:order:read'] });
    await page.getByText('You cannot read orders.').waitFor({ timeout: 1_000 });
  } finally {
    await browser.close();
  }
});
