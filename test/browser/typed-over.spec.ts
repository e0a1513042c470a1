import { eventually } from '../support/service/eventually';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import type { TestClient } from '../support/service/test-client';
import { agree, openAccountMenu, openAs } from './people';
import { pageForEach, serveForAll } from './stage';
import { untilTrue } from './until-true';

const served = serveForAll();
const seen = pageForEach(1280);
let admin: TestClient;

beforeAll(async () => {
  admin = await served.service.admin();
});

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });
const field = (label: string) => seen.page.getByLabel(label, { exact: true });
/** Waits for a field with this value. Neither its attribute nor its content changes with the value. */
const untilShown = (text: string) =>
  untilTrue(
    seen.page,
    `[...document.querySelectorAll('input, textarea')].some(({ value }) => value === ${JSON.stringify(text)})`,
  );

describe('concurrent edits', () => {
  /** Makes React Query refetch, as after a later return to the page. */
  const lookAgain = async (path: string): Promise<void> => {
    const answered = seen.page.waitForResponse((answer) => new URL(answer.url()).pathname === path);
    await seen.page.clock.fastForward(60_000);
    await seen.page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await answered;
  };
  const secrets = { client_id: 'demo', client_secret: 'demo' };

  it.each([
    {
      api: '/api/user',
      page: '/admin/users',
      made: { username: 'typed_over' },
      mine: { label: 'E-mail address', name: 'email', value: 'mine@example.com' },
      theirs: { label: 'Display name', name: 'nickname', value: 'Theirs' },
    },
    {
      api: '/api/role',
      page: '/admin/roles',
      made: { name: 'typed_over' },
      mine: { label: 'Description', name: 'description', value: 'Mine' },
      theirs: { label: 'Name', name: 'name', value: 'theirs' },
    },
    {
      api: '/api/oauth/client',
      page: '/admin/clients',
      made: { name: 'Typed over', redirect_uris: ['https://app.example.com/callback'], scopes: ['openid'] },
      mine: { label: 'Description', name: 'description', value: 'Mine' },
      theirs: { label: 'Logo', name: 'logo', value: 'https://app.example.com/theirs.png' },
    },
    {
      api: '/api/oauth/provider',
      page: '/admin/providers',
      made: { name: 'typed-over', label: 'Typed over', template: 'github', ...secrets },
      mine: { label: 'Label', name: 'label', value: 'Mine' },
      theirs: { label: 'Icon', name: 'icon', value: 'https://idp.example.com/theirs.png' },
    },
  ])('keep the input after another field has changed: $page', async ({ api, page: list, made, mine, theirs }) => {
    const { body } = await admin.post<{ id: string }>(api, made);
    const one = `${api}/${body.id}`;
    await seen.page.clock.install();
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `${list}/${body.id}`);
    await field(mine.label).fill(mine.value);
    expect((await admin.patch(one, { [theirs.name]: theirs.value })).status).toBe(200);
    await lookAgain(one);
    await untilShown(theirs.value);
    expect(await field(mine.label).inputValue()).toBe(mine.value);
    await seen.page
      .locator('form', { has: field(mine.label) })
      .getByRole('button', { name: 'Save', exact: true })
      .click();
    await seen.page.waitForSelector('text="Saved"');
    const stored = await admin.get(one);
    expect(stored.body).toMatchObject({ [mine.name]: mine.value, [theirs.name]: theirs.value });
  });

  it('drop an input that was reverted and keep other claims of the provider', async () => {
    const { body } = await admin.post<{ id: string; pkce: boolean }>('/api/oauth/provider', {
      ...{ name: 'typed-back', label: 'Typed back', template: 'github', ...secrets },
    });
    const one = `/api/oauth/provider/${body.id}`;
    await seen.page.clock.install();
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/providers/${body.id}`);
    await button('Endpoints, scopes and claims').click();
    const pkce = seen.page.getByRole('switch', { name: /PKCE/ });
    await pkce.press('Space');
    await pkce.press('Space');
    await field('Display name').fill('login');
    const theirs = { pkce: !body.pkce, mapping: { email: 'mail' } };
    expect((await admin.patch(one, theirs)).status).toBe(200);
    await lookAgain(one);
    await untilShown('mail');
    await seen.page
      .locator('form', { has: field('Label') })
      .getByRole('button', { name: 'Save', exact: true })
      .click();
    await seen.page.waitForSelector('text="Saved"');
    const { body: stored } = await admin.get<{ mapping: object }>(one);
    expect(stored).toMatchObject({ pkce: !body.pkce, mapping: { email: 'mail', nickname: 'login' } });
  });

  it('switch userinfo of an OpenID Connect provider off, and on again', async () => {
    const { body } = await admin.post<{ id: string }>('/api/oauth/provider', {
      ...{ name: 'token-alone', label: 'Token alone', template: 'oidc', issuer: 'https://idp.example', ...secrets },
    });
    const one = `/api/oauth/provider/${body.id}`;
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/providers/${body.id}`);
    await button('Endpoints, scopes and claims').click();
    const alone = seen.page.getByRole('switch', { name: 'Read users from the ID token alone' });
    for (const without_userinfo of [true, false]) {
      await alone.press('Space');
      expect(await field('UserInfo endpoint').isDisabled()).toBe(without_userinfo);
      const saved = seen.page.waitForResponse((response) => response.request().method() === 'PATCH');
      await seen.page
        .locator('form', { has: field('Label') })
        .getByRole('button', { name: 'Save', exact: true })
        .click();
      expect((await saved).status()).toBe(200);
      expect((await admin.get<object>(one)).body).toMatchObject({ userinfo_url: null, without_userinfo });
    }
  });

  it('keep the text of a message after its subject has changed', async () => {
    const one = '/api/message-template/email/login/en';
    const { body } = await admin.get<{ text: string; version: number }>(one);
    await seen.page.clock.install();
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/templates/email.login.en');
    await field('Text').fill('Mine {code}');
    const theirs = { subject: 'Theirs', text: body.text, version: body.version };
    expect((await admin.put(one, theirs)).status).toBe(200);
    await lookAgain(one);
    await untilShown('Theirs');
    expect(await field('Text').inputValue()).toBe('Mine {code}');
    await field('Reason (for the history)').fill('because');
    await button('Save').click();
    await seen.page.waitForSelector('text="Saved"');
    expect((await admin.get(one)).body).toMatchObject({ subject: 'Theirs', text: 'Mine {code}' });
    expect(await button('Save').isDisabled()).toBe(true);
    expect(await field('Reason (for the history)').inputValue()).toBe('');
  });

  it('reject the text of a message if the same text has changed', async () => {
    const one = '/api/message-template/email/reset_password/en';
    const { body } = await admin.get<{ subject: string; version: number }>(one);
    await seen.page.clock.install();
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/templates/email.reset_password.en');
    await field('Text').fill('Mine {code}');
    const theirs = { subject: 'Theirs', text: 'Theirs {code}', version: body.version };
    expect((await admin.put(one, theirs)).status).toBe(200);
    await lookAgain(one);
    await untilShown('Theirs');
    await button('Save').click();
    await seen.page.waitForSelector('text=Someone else changed this in the meantime');
    expect((await admin.get(one)).body).toMatchObject({ text: 'Theirs {code}' });
    expect(await field('Text').inputValue()).toBe('Mine {code}');
    await button('Discard').click();
    expect(await field('Text').inputValue()).toBe('Theirs {code}');
  });

  it('keep the input while the user is disabled', async () => {
    const { body } = await admin.post<{ id: string }>('/api/user', { username: 'half_filled' });
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/users/${body.id}`);
    await field('Display name').fill('Half filled');
    await button('Disable').click();
    await agree(seen.page, 'Disable');
    await button('Enable').waitFor();
    expect(await field('Display name').inputValue()).toBe('Half filled');
  });
});

describe('confirmation dialogs', () => {
  it('ask before a role is removed from a user', async () => {
    const role = await admin.post<{ id: string }>('/api/role', { name: 'taken_away' });
    const user = await admin.post<{ id: string }>('/api/user', { username: 'keeps_role' });
    await admin.post(`/api/user/${user.body.id}/roles`, { role_ids: [role.body.id] });
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/users/${user.body.id}?tab=access`);
    await button('Remove the role taken_away').click();
    await seen.page
      .getByRole('dialog')
      .getByText('keeps_role loses the permissions of the role taken_away immediately.')
      .waitFor();
    await agree(seen.page, 'Remove');
    await button('Remove the role taken_away').waitFor({ state: 'detached' });
  });

  it('ask before a message is rolled back', async () => {
    const path = '/api/message-template/sms/login/en';
    for (const [version, text] of ['First {code}', 'Second {code}'].entries()) {
      expect((await admin.put(path, { text, version })).status).toBe(200);
    }
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/templates/sms.login.en');
    await seen.page.locator('tr', { hasText: 'First {code}' }).getByRole('button', { name: 'Roll back' }).click();
    await seen.page.getByRole('dialog').getByText('returns to the text of version 1').waitFor();
    await agree(seen.page, 'Roll back');
    await eventually(
      () => field('Text').inputValue(),
      (text) => text.includes('First {code}'),
    );
  });
});

it('shows an error on the setup page and retries on Reload', async () => {
  await seen.page.route('**/api/setting?*', (route) => route.abort());
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/setup');
  await seen.page.getByRole('alert').getByText('The service cannot be reached').waitFor();
  await seen.page.unroute('**/api/setting?*');
  await button('Reload').click();
  await seen.page.waitForSelector('text="1. Choose your own password"');
});

describe('audit log', () => {
  beforeEach(async () => {
    await served.service.signUp('leaves_traces');
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/audit');
  });

  const onlyTheirTraces = () =>
    eventually(
      () => seen.page.locator('tbody tr td:nth-child(3)').allTextContents(),
      (actors) => actors.length > 0 && actors.every((actor) => actor === 'leaves_traces'),
    );

  it('filters by actor name or by click, and reports an unknown name', async () => {
    await field('Actor (name, e-mail or ID)').fill('Leaves_Traces');
    await onlyTheirTraces();
    await field('Actor (name, e-mail or ID)').fill('nobody_has_it');
    await seen.page.waitForSelector('text=There is no user with this name or address');
    await button('Export CSV').click();
    await seen.page.getByRole('alert').getByText('There is no user with this name or address').waitFor();
    await field('Actor (name, e-mail or ID)').fill('');
    await button('Only what leaves_traces did').first().click();
    await seen.page.waitForURL(/actor_id=[\da-f-]{36}$/);
    await onlyTheirTraces();
  });
});

it('marks a wrong password and lets the keyboard show the password', async () => {
  await served.service.register('types_wrong');
  await openAs(seen.page, served.address, 'types_wrong', PASSWORD, '/account/security');
  await field('Current password').fill('not this one');
  await seen.page.keyboard.press('Tab');
  await seen.page.keyboard.press('Enter');
  expect(await field('Current password').getAttribute('type')).toBe('text');
  await field('New password').fill('another good long one');
  await button('Save').click();
  await seen.page.locator('input[autocomplete="current-password"][aria-invalid="true"]').waitFor();
});

it.each([
  {
    who: { username: 'has_nothing', password: PASSWORD },
    path: '/account/mfa',
    calls: '**/api/auth/mfa/totp?*',
    act: 'Add an authenticator app',
  },
  { who: ADMIN, path: '/admin/users/new', calls: '**/api/user?*', act: 'Create user' },
])('offers a new login to a user who cannot reauthenticate: $path', async ({ who, path, calls, act }) => {
  if (who !== ADMIN) await served.service.register(who.username);
  await seen.page.route('**/api/auth/me?*', async (route) => {
    const response = await route.fetch();
    const me = (await response.json()) as object;
    await route.fulfill({ response, json: { ...me, has_password: false, email_verified: false } });
  });
  await seen.page.route(calls, (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'about:blank', title: 'x', status: 401, code: 'reauthentication_required' }),
    }),
  );
  await openAs(seen.page, served.address, who.username, who.password, path);
  if (who === ADMIN) await seen.page.getByRole('textbox', { name: 'Username' }).fill('needs_a_proof');
  await button(act).click();
  const way = seen.page.getByRole('dialog').getByRole('link', { name: 'Log in again' });
  expect(await way.getAttribute('href')).toBe(`/login?redirect=${encodeURIComponent(path)}`);
});

it('shows an error if the language cannot be stored', async () => {
  await served.service.register('speaks_two');
  await openAs(seen.page, served.address, 'speaks_two', PASSWORD);
  await openAccountMenu(seen.page);
  await seen.page.route('**/api/auth/me?*', (route) => route.abort());
  await seen.page.locator('header select').first().selectOption('zh');
  await seen.page.waitForSelector('text=The service cannot be reached');
});
