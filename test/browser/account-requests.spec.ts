import { PASSWORD } from '../support/service/test-service';
import { comeBack } from './ended-login';
import { openAccountMenu, openAs } from './people';
import { pageForEach, serveForAll } from './stage';

const CONSENTS = '**/api/oauth/consent?*';
const NONE = 'text=You have not connected any application yet.';
const served = serveForAll();
const seen = pageForEach(1280);

async function open(path: string): Promise<void> {
  await served.service.register('asks_a_lot').catch(() => undefined);
  await openAs(seen.page, served.address, 'asks_a_lot', PASSWORD, path);
}

it('repeats a request once after a server error', async () => {
  let count = 0;
  await seen.page.route(CONSENTS, (route) => {
    count += 1;
    return count === 1 ? route.fulfill({ status: 503 }) : route.fallback();
  });
  await open('/account/applications');
  await seen.page.waitForSelector(NONE);
  expect(count).toBe(2);
});

it('shows an error after an answer of a proxy without a body, and loads again once the network is back', async () => {
  await seen.page.route(CONSENTS, (route) => route.fulfill({ status: 502 }));
  await open('/account/applications');
  await seen.page.getByRole('alert').getByText('The service cannot be reached').waitFor();
  await seen.page.unroute(CONSENTS);
  await seen.context.setOffline(true);
  await seen.context.setOffline(false);
  await seen.page.waitForSelector(NONE);
});

it('shows an error if the account cannot be loaded, and loads it once the network is back', async () => {
  await open('/account');
  await seen.page.waitForSelector('h1');
  await seen.page.route('**/api/auth/me?*', (route) => route.fulfill({ status: 502 }));
  await seen.page.reload();
  await seen.page.getByRole('alert').getByText('The service cannot be reached').waitFor();
  await seen.page.unroute('**/api/auth/me?*');
  await seen.context.setOffline(true);
  await seen.context.setOffline(false);
  await seen.page.waitForSelector('h1:text-is("Profile")');
});

it('ignores an answer about the account that is older than a change', async () => {
  await open('/account');
  await seen.page.waitForLoadState('networkidle');
  const name = seen.page.getByLabel('Display name', { exact: true });
  const save = seen.page.getByRole('button', { name: 'Save', exact: true }).first();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await seen.page.route('**/api/auth/me?*', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    await released;
    return route.fulfill({ response });
  });
  const fetched = seen.page.waitForRequest('**/api/auth/me?*');
  await comeBack(seen.page);
  await fetched;
  await name.fill('After');
  await save.click();
  await seen.page.locator('.person strong:text-is("After")').waitFor();
  const answered = seen.page.waitForResponse(
    (response) => response.url().includes('/api/auth/me?') && response.request().method() === 'GET',
  );
  release();
  await (await answered).finished();
  await openAccountMenu(seen.page);
  expect(await seen.page.locator('.account-panel strong').textContent()).toBe('After');
});
