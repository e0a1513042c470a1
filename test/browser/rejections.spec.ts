import { randomUUID } from 'node:crypto';
import type { Route } from 'playwright-core';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { openAccountMenu, openAs } from './people';
import { pageForEach, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForEach(1280);

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });

const createError = (status: number, code: string, detail: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: code, status, code, detail }),
});
const BUSY = 'Too busy just now.';
const busy = (route: Route): Promise<void> => route.fulfill(createError(503, 'unavailable', BUSY));
const cut = (route: Route): Promise<void> => route.abort();
const UNREACHABLE = 'The service cannot be reached.';

describe('settings that changed during an edit', () => {
  /** Makes React Query refetch, as after a later return to the page. */
  const lookAgain = async (): Promise<void> => {
    const answered = seen.page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/setting');
    await seen.page.clock.fastForward(60_000);
    await seen.page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await answered;
  };

  it.each([
    { path: '/admin/settings', key: 'app.name', label: 'Service name', mine: 'Mine', theirs: 'Theirs' },
    { path: '/admin/setup', key: 'email.smtp.port', label: 'Port', mine: '2525', theirs: 26 },
  ])('rejects the save instead of overwriting the other change: $path', async ({ path, key, label, mine, theirs }) => {
    await seen.page.clock.install();
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, path);
    if (path === '/admin/settings') await seen.page.click('text="Service and branding"');
    await seen.page.getByLabel(label, { exact: true }).fill(mine);
    const admin = await served.service.admin();
    expect(await admin.put('/api/setting', { updates: [{ key, value: theirs }] })).toMatchObject({ status: 200 });
    await lookAgain();
    expect(await seen.page.getByLabel(label, { exact: true }).inputValue()).toBe(mine);
    await seen.page.locator(`form:has-text("${label}"), .in-sight`).getByRole('button', { name: 'Save' }).click();
    await seen.page.waitForSelector('text=Someone else changed this in the meantime');
    const { body } = await admin.get<{ items: { key: string; value: unknown }[] }>('/api/setting');
    expect(body.items.find((setting) => setting.key === key)?.value).toBe(theirs);
  });
});

describe('logout', () => {
  const LOGOUT = '**/api/auth/logout*';
  const logOut = async (): Promise<void> => {
    await openAccountMenu(seen.page);
    await button('Log out').click();
  };

  beforeEach(async () => {
    await served.service.register('stays_in').catch(() => undefined);
    await openAs(seen.page, served.address, 'stays_in', PASSWORD);
  });

  it.each([
    { name: 'is rejected', answer: busy, message: BUSY },
    { name: 'fails on the network', answer: cut, message: UNREACHABLE },
  ])('shows an error and stays retryable if the request $name', async ({ answer, message }) => {
    await seen.page.route(LOGOUT, answer);
    await logOut();
    await seen.page.waitForSelector(`text=${message}`);
    expect(seen.page.url()).toBe(`${served.address}/account`);
    await seen.page.unroute(LOGOUT);
    await button('Close').click();
    await logOut();
    await seen.page.waitForURL(`${served.address}/login`);
  });

  it('redirects to the login once, even if the page notices the ended session first', async () => {
    const { page } = seen;
    const visited: string[] = [];
    await page.waitForSelector('h1');
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) visited.push(request.url());
    });
    await page.route(LOGOUT, async (route) => {
      const response = await route.fetch();
      const refused = page.waitForResponse('**/api/auth/me?*');
      await page.evaluate(`dispatchEvent(new Event('focus'))`);
      expect((await refused).status()).toBe(401);
      await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`);
      await route.fulfill({ response });
    });
    await logOut();
    await page.waitForSelector('h1:text-is("Log in")');
    expect(visited).toEqual([`${served.address}/login`]);
  });

  it('redirects to the login if the session has already ended', async () => {
    await seen.page.route(LOGOUT, (route) => route.fulfill(createError(401, 'unauthenticated', 'Log in first.')));
    await logOut();
    await seen.page.waitForURL(`${served.address}/login`);
  });
});

it('shows an error if the signed-in user cannot be loaded, and retries on Reload', async () => {
  await served.service.register('who_am_i');
  await openAs(seen.page, served.address, 'who_am_i', PASSWORD);
  await seen.page.route('**/api/auth/me*', busy);
  await seen.page.reload();
  await seen.page.waitForSelector(`text=${BUSY}`);
  expect(await seen.page.locator('.mantine-Loader-root').count()).toBe(0);
  await seen.page.unroute('**/api/auth/me*');
  await button('Reload').click();
  await seen.page.waitForSelector('h1:has-text("Profile")');
});

describe('adding members by name', () => {
  const LOOK_UP = '**/api/auth/users*';
  const field = () => seen.page.getByLabel('Add members');
  const add = () => button('Add').last();

  /** Opens the page of a role without members. */
  const openRole = async (name: string): Promise<void> => {
    const { body } = await (await served.service.admin()).post<{ id: string }>('/api/role', { name });
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/roles/${body.id}`);
  };

  it('keeps the names that were not added after an error', async () => {
    const [first, second, third] = ['paste_one', 'paste_two', 'paste_three'] as const;
    for (const username of [first, second, third]) await served.service.register(username);
    await openRole('pasted_into');
    let calls = 0;
    await seen.page.route('**/api/user/*/roles*', (route) => (calls++ === 1 ? busy(route) : route.fallback()));
    await field().fill(`${first} nobody_has_it ${second} ${third}`);
    await add().click();
    await seen.page.waitForSelector(`text=${BUSY}`);
    await seen.page.waitForSelector(`.member:has-text("${first}")`);
    expect(await field().inputValue()).toBe([second, third, 'nobody_has_it'].join('\n'));
    await add().click();
    await seen.page.waitForSelector(`.member:has-text("${third}")`);
    expect(await field().inputValue()).toBe('nobody_has_it');
  });

  it.each([
    { name: 'is rejected', answer: busy, message: BUSY },
    { name: 'fails on the network', answer: cut, message: UNREACHABLE },
  ])('reports no unknown names if the lookup $name', async ({ name, answer, message }) => {
    await openRole(`pasted_${name.length}`);
    await seen.page.route(LOOK_UP, answer);
    await field().fill('paste_one paste_two');
    await add().click();
    await seen.page.waitForSelector(`text=${message}`);
    expect(await field().inputValue()).toBe('paste_one paste_two');
    expect(await seen.page.getByText('There is no user named').count()).toBe(0);
  });

  it('keeps names beyond the batch limit and puts them first', async () => {
    await openRole('pasted_many');
    await seen.page.route(LOOK_UP, (route) => route.fulfill({ json: [] }));
    const pasted = Array.from({ length: 52 }, (_, index) => `pasted_${index}`);
    await field().fill(pasted.join(', '));
    await add().click();
    await seen.page.waitForSelector('text=There is no user named');
    expect(await field().inputValue()).toBe([...pasted.slice(50), ...pasted.slice(0, 50)].join('\n'));
  });
});

it('reports no unknown user in a permission check if the lookup fails', async () => {
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/permissions');
  await seen.page.route('**/api/auth/users*', busy);
  const why = seen.page.locator('form:has-text("Check a permission")');
  await why.getByLabel('Username').fill('paste_one');
  await why.getByLabel('Permission').fill('role:update');
  await why.getByRole('button', { name: 'Check' }).click();
  await seen.page.waitForSelector(`text=${BUSY}`);
  expect(await why.locator('[aria-invalid="true"]').count()).toBe(0);
});

describe.each([
  {
    entry: 'the account pages',
    who: { username: 'proves_again', password: PASSWORD },
    path: '/account/mfa',
    calls: '**/api/auth/mfa/totp*',
    act: 'Add an authenticator app',
  },
  { entry: 'the console', who: ADMIN, path: '/admin/users/new', calls: '**/api/user?*', act: 'Create user' },
])('reauthentication on $entry', ({ who, path, calls, act }) => {
  /** Opens the dialog with an action that requires reauthentication. */
  const openProof = async (): Promise<void> => {
    if (who !== ADMIN) await served.service.register(who.username).catch(() => undefined);
    await openAs(seen.page, served.address, who.username, who.password, path);
    if (who === ADMIN) await seen.page.getByRole('textbox', { name: 'Username' }).fill('needs_a_proof');
    const wanted = createError(401, 'reauthentication_required', 'Prove it again.');
    await seen.page.route(calls, (route) => route.fulfill(wanted));
    await button(act).click();
    await seen.page.getByRole('dialog').waitFor();
  };

  it('can be retried after a network error', async () => {
    await openProof();
    await seen.page.route('**/api/auth/reauthenticate*', cut);
    await seen.page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(who.password);
    await button('Confirm').click();
    await seen.page.getByRole('dialog').getByText(UNREACHABLE).waitFor();
    await seen.page.unroute('**/api/auth/reauthenticate*');
    await button('Confirm').click();
    await seen.page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('focuses the field with a wrong password', async () => {
    await openProof();
    const password = seen.page.getByRole('dialog').getByRole('textbox', { name: 'Password' });
    await password.fill('not this one');
    await button('Confirm').click();
    await seen.page.getByRole('dialog').locator('input[aria-invalid="true"]:focus').waitFor();
  });

  it('shows why the passkey options could not be loaded', async () => {
    const passkey = { id: randomUUID(), type: 'passkey', name: 'Key', created_at: new Date().toISOString() };
    await seen.page.route('**/api/auth/mfa?*', (route) =>
      route.fulfill({ json: { required: false, items: [{ ...passkey, last_used_at: null }] } }),
    );
    await openProof();
    await seen.page.route('**/api/auth/reauthenticate/options*', busy);
    await button('Confirm').click();
    await seen.page.getByRole('dialog').getByText(BUSY).waitFor();
  });
});

describe('code for a new e-mail address', () => {
  const CODES = '**/api/auth/codes*';

  beforeEach(async () => {
    await served.service.register('wants_code').catch(() => undefined);
    await openAs(seen.page, served.address, 'wants_code', PASSWORD);
    await seen.page.click('text="Change" >> nth=0');
    await seen.page.fill('input[type="email"]', 'wants_code@example.com');
  });

  it('is sent once on a double click', async () => {
    let sent = 0;
    await seen.page.route(CODES, async (route) => {
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.fulfill({ json: { resend_after: 60, expires_in: 300 } });
    });
    await button('Send code').dblclick();
    await seen.page.waitForSelector('text=We sent a code to');
    expect(sent).toBe(1);
    await seen.page.getByRole('button', { name: /^Resend in \d+ s$/ }).waitFor();
  });

  it('can be requested again after a network error', async () => {
    await seen.page.route(CODES, cut);
    await button('Send code').click();
    await seen.page.waitForSelector(`text=${UNREACHABLE}`);
    await seen.page.unroute(CODES);
    await button('Send code').click();
    await seen.page.waitForSelector('text=We sent a code to');
  });
});

describe('pending authorization and link requests', () => {
  const UID = 'u'.repeat(32);
  const CONSENT = { path: `/consent?interaction=${UID}`, route: '**/api/oauth/interaction/*' };
  const BIND = { path: '/bind', route: '**/api/oauth/bind?*' };
  const asked = {
    uid: UID,
    kind: 'consent',
    client: { client_id: 'wiki', name: 'Team wiki', logo: null },
    scopes: [{ name: 'openid', description: 'Know who you are' }],
    user: { name: 'ann' },
  };
  const offer = { provider: 'sim', label: 'Simulation', profile: { nickname: 'Ann' } };

  it.each([
    { ...CONSENT, found: asked, title: 'Team wiki wants access to your account' },
    { ...BIND, found: offer, title: 'One more step' },
  ])('are loaded again after an error: $path', async ({ path, route, found, title }) => {
    await seen.page.route(route, cut);
    await seen.page.goto(`${served.address}${path}`);
    await seen.page.getByRole('alert').getByText(UNREACHABLE).waitFor();
    await seen.page.route(route, busy);
    await button('Try again').click();
    await seen.page.getByRole('alert').getByText(BUSY).waitFor();
    expect(seen.page.url()).toBe(`${served.address}${path}`);
    await seen.page.route(route, (asking) => asking.fulfill({ json: found }));
    await button('Try again').click();
    await seen.page.waitForSelector(`main:has(h1:text-is("${title}")) form, main:has(h1:text-is("${title}")) .scopes`);
  });

  it.each([
    { ...CONSENT, query: `code=interaction_ended&interaction=${UID}` },
    { ...BIND, query: 'code=temp_token_invalid' },
  ])('redirect to the error page after they have ended: $path', async ({ path, query }) => {
    await seen.page.goto(`${served.address}${path}`);
    await seen.page.waitForURL(`${served.address}/error?${query}`);
  });

  it('continue after an error without a second login', async () => {
    await served.service.register('goes_on').catch(() => undefined);
    let logins = 0;
    await seen.page.route('**/api/auth/login?*', (route) => {
      logins += 1;
      return route.fallback();
    });
    await seen.page.route(CONSENT.route, busy);
    await seen.page.goto(`${served.address}/login?interaction=${UID}`);
    await seen.page.fill('input[autocomplete^="username"]', 'goes_on');
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await seen.page.getByRole('alert').getByText(BUSY).waitFor();
    await seen.page.route(CONSENT.route, (route) => route.fulfill({ json: { redirect: '/account/security' } }));
    await button('Try again').click();
    await seen.page.waitForURL(`${served.address}/account/security`);
    expect(logins).toBe(1);
  });

  it('redirect to the error page if they ended during the login', async () => {
    await served.service.register('comes_late').catch(() => undefined);
    await seen.page.goto(`${served.address}/login?interaction=${UID}`);
    await seen.page.fill('input[autocomplete^="username"]', 'comes_late');
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForURL(`${served.address}/error?code=interaction_ended&interaction=${UID}`);
  });
});
