import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { ADMIN, TestService } from '../support/service/test-service';
import { TestClient } from '../support/service/test-client';
import { openAs } from './people';
import { pageForEach, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForEach(1280);
let admin: TestClient;

beforeAll(async () => {
  admin = await served.service.admin();
});

interface Documented {
  readonly clicks: number;
  readonly steps: readonly string[];
  readonly logto: number;
}

/** The table of docs/console.md, by task. */
const documented = new Map(
  Array.from(
    readFileSync(join(__dirname, '../../docs/console.md'), 'utf8').matchAll(
      /^\| ([^|]+) \| (\d+) \| ([^|]+) \| (\d+) \(/gm,
    ),
    ([, task = '', clicks, steps = '', logto]): [string, Documented] => [
      task,
      { clicks: Number(clicks), steps: steps.split(' · '), logto: Number(logto) },
    ],
  ),
);

const MAX_TABS = 300;
const MAX_OPTIONS = 50;

/** Uses a page by keyboard alone, and counts what would be clicks. */
class Hands {
  clicks = 0;

  constructor(private readonly page: Page) {}

  /** Moves the focus there with Tab. */
  async reach(target: Locator): Promise<void> {
    await target.waitFor();
    const focused = target.and(this.page.locator(':focus'));
    for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
      if ((await focused.count()) > 0) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab never reaches ${String(target)}`);
  }

  async press(target: Locator, key = 'Enter'): Promise<void> {
    await this.reach(target);
    await this.page.keyboard.press(key);
    this.clicks += 1;
  }

  async type(target: Locator, text: string): Promise<void> {
    await this.reach(target);
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
  }

  /** Chooses with arrow keys, as in selects, radio buttons and tabs. */
  async choose(start: Locator, key: string, isChosen: () => Promise<boolean>): Promise<void> {
    await this.reach(start);
    for (let tried = 0; !(await isChosen()); tried += 1) {
      if (tried === MAX_OPTIONS) throw new Error(`${key} never chooses the option`);
      await this.page.keyboard.press(key);
    }
    this.clicks += 1;
  }

  async link(name: string): Promise<void> {
    await this.press(this.page.getByRole('link', { name, exact: true }));
  }

  /** Opens a page of the menu. The page may link to it, too. */
  async menu(name: string): Promise<void> {
    await this.press(this.page.getByRole('navigation').getByRole('link', { name, exact: true }));
  }

  async button(name: string, within: Locator | Page = this.page): Promise<void> {
    await this.press(within.getByRole('button', { name, exact: true }));
  }

  async confirm(name: string): Promise<void> {
    const dialog = this.page.getByRole('dialog');
    await this.button(name, dialog);
    await dialog.waitFor({ state: 'detached' });
  }

  /** Opens what the search finds first. */
  async search(text: string, found: string): Promise<void> {
    await this.button('Search');
    const dialog = this.page.getByRole('dialog');
    await this.type(dialog.getByRole('searchbox'), text);
    await dialog.getByRole('link', { name: found, exact: true }).waitFor();
    await this.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  }

  async see(text: string): Promise<void> {
    await this.page.getByText(text, { exact: true }).first().waitFor();
  }
}

type Walk = (hands: Hands, page: Page, service: TestService) => Promise<void>;

const idOf = async (username: string): Promise<string> =>
  (await served.service.query<{ id: string }>('SELECT id FROM user_account WHERE username = $1', [username]))[0]!.id;

const columnOf = async (sql: string, values: readonly unknown[]): Promise<unknown[]> =>
  (await served.service.query<{ value: unknown }>(sql, [...values])).map(({ value }) => value);

const walks: Readonly<Record<string, Walk>> = {
  'Find a user and end all sessions': async (hands, _, service) => {
    const client = await service.signUp('ends_sessions');
    await hands.search('ends_sessions', 'ends_sessions');
    await hands.button('End all sessions');
    await hands.confirm('End all sessions');
    await hands.see('The device has been logged out.');
    expect((await client.get('/api/auth/me')).status).toBe(401);
  },

  'Disable a user': async (hands, page) => {
    await admin.post('/api/user', { username: 'is_disabled' });
    await hands.search('is_disabled', 'is_disabled');
    await hands.button('Disable');
    await hands.confirm('Disable');
    await page.getByRole('button', { name: 'Enable', exact: true }).waitFor();
    const sql = 'SELECT status AS value FROM user_account WHERE username = $1';
    expect(await columnOf(sql, ['is_disabled'])).toEqual(['disabled']);
  },

  'Create a user who sets the password': async (hands, page) => {
    await hands.menu('Users');
    await hands.link('Create user');
    await hands.type(page.locator('input[name="username"]'), 'is_invited');
    await hands.type(page.locator('input[name="email"]'), 'is_invited@example.com');
    await hands.press(page.getByRole('checkbox', { name: 'Send a code, so that the user sets a password' }), 'Space');
    await hands.button('Create user');
    await page.waitForSelector('h1:text-is("is_invited")');
    const sql = `SELECT purpose AS value FROM message_delivery WHERE user_id = $1`;
    expect(await columnOf(sql, [await idOf('is_invited')])).toEqual(['reset_password']);
  },

  'Give a user a role': async (hands, page) => {
    const { body: role } = await admin.post<{ id: string }>('/api/role', { name: 'given_role' });
    await admin.post('/api/user', { username: 'gets_role' });
    await hands.search('gets_role', 'gets_role');
    const tab = page.getByRole('tab', { name: 'Roles and permissions', exact: true });
    await hands.choose(page.getByRole('tab', { selected: true }), 'ArrowRight', async () => {
      return (await tab.getAttribute('aria-selected')) === 'true';
    });
    const select = page.getByLabel('Add role', { exact: true });
    await select.locator(`option[value="${role.id}"]`).waitFor({ state: 'attached' });
    await hands.choose(select, 'ArrowDown', async () => (await select.inputValue()) === role.id);
    await hands.button('Add', page.locator('section').filter({ has: select }));
    await page.getByText('iam · given_role', { exact: true }).first().waitFor();
    await hands.see('Saved');
    const sql = 'SELECT role_id AS value FROM user_role WHERE user_id = $1';
    expect(await columnOf(sql, [await idOf('gets_role')])).toEqual([role.id]);
  },

  'Create a role with a permission': async (hands, page) => {
    await hands.link('Roles');
    const name = page.getByLabel('New role', { exact: true });
    await hands.type(name, 'new_role');
    await hands.button('Add', page.locator('form').filter({ has: name }));
    await page.waitForSelector('h1:text-is("new_role")');
    const permission = page.getByLabel('Permission', { exact: true });
    await hands.type(permission, 'audit:read');
    await hands.button('Add', page.locator('form').filter({ has: permission }));
    await page.getByRole('cell').getByText('audit:read').first().waitFor();
    const sql = 'SELECT permission_id AS value FROM role_grant JOIN role ON role.id = role_id WHERE name = $1';
    expect(await columnOf(sql, ['new_role'])).toEqual(['audit:read']);
  },

  'Register a single-page application and get code': async (hands, page) => {
    await hands.link('Applications');
    await hands.link('Register application');
    const kind = page.getByRole('radio', { name: 'Single-page app' });
    await hands.choose(page.getByRole('radio', { checked: true }), 'ArrowUp', () => kind.isChecked());
    await hands.type(page.getByRole('textbox', { name: 'Name', exact: true }), 'Shop');
    await hands.type(
      page.getByRole('textbox', { name: 'Redirect URIs', exact: true }),
      'https://shop.example.com/callback',
    );
    await hands.button('Register application');
    await page.waitForSelector('h1:text-is("Shop")');
    expect(await page.locator('pre').textContent()).toContain("redirect_uri: 'https://shop.example.com/callback'");
  },

  'Add a login provider': async (hands, page) => {
    await hands.link('Login providers');
    await hands.link('Add provider');
    await hands.link('GitHub');
    await hands.type(page.locator('[name="client_id"]'), 'an-id');
    await hands.type(page.locator('[name="client_secret"]'), 'a-secret');
    await hands.button('Add provider');
    await page.waitForSelector('h1:text-is("GitHub")');
    const { body } = await admin.get<{ oauth_providers: { name: string }[] }>('/api/info');
    expect(body.oauth_providers).toMatchObject([{ name: 'github' }]);
  },

  'Change the colour of the login pages': async (hands, page) => {
    await hands.search('main colour', 'Main colour · app.primary_color');
    await hands.type(page.locator('input[name="app.primary_color"]'), '#0b6e4f');
    await hands.button('Save');
    await hands.see('Saved');
    const { body } = await admin.get<{ branding: { primary_color: string } }>('/api/info');
    expect(body.branding.primary_color).toBe('#0b6e4f');
  },

  'Look up what a user did': async (hands, page, service) => {
    const client = await service.signUp('did_something');
    await client.patch('/api/auth/me', { nickname: 'Somebody' });
    await hands.link('Audit log');
    await hands.type(page.getByLabel('Actor (name, e-mail or ID)'), 'did_something');
    await page.waitForURL(/actor_id=did_something/);
    const rows = page.locator('tbody tr');
    await rows.filter({ hasNotText: 'did_something' }).first().waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'User changed' }).first().waitFor();
  },

  'Reset the second factor of a user': async (hands, page, service) => {
    await admin.post('/api/user', { username: 'lost_phone' });
    await service.query(
      `INSERT INTO mfa_totp (id, user_id, secret, confirmed_at)
       SELECT gen_random_uuid(), id, 'x', now() FROM user_account WHERE username = 'lost_phone'`,
    );
    await hands.search('lost_phone', 'lost_phone');
    await hands.button('Reset two-step verification');
    await hands.confirm('Reset two-step verification');
    await page.getByText('Not set up.').waitFor();
    expect(await columnOf('SELECT id AS value FROM mfa_totp WHERE user_id = $1', [await idOf('lost_phone')])).toEqual(
      [],
    );
  },
};

describe('the frequent tasks of docs/console.md', () => {
  it('are ten, each of them tested, and take no more clicks than in Logto', () => {
    expect([...documented.keys()].sort()).toEqual(Object.keys(walks).sort());
    expect(documented.size).toBe(10);
    const odd = [...documented].filter(([, { clicks, steps, logto }]) => steps.length !== clicks || clicks > logto);
    expect(odd).toEqual([]);
  });

  it.each(Object.keys(walks))('by keyboard, with the clicks that the table names: %s', async (task) => {
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin');
    await seen.page.waitForSelector('h1');
    const hands = new Hands(seen.page);
    await walks[task]!(hands, seen.page, served.service);
    expect(hands.clicks).toBe(documented.get(task)?.clicks);
  });
});
