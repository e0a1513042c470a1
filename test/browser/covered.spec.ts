import type { TestClient } from '../support/service/test-client';
import { ADMIN } from '../support/service/test-service';
import { comeBack, dialogOf, endOthers, fieldOf, logInBeside } from './ended-login';
import { openAs } from './people';
import { pageForEach, serveForAll } from './stage';
import { untilTrue } from './until-true';
import { isSettled } from './watch';

const ME = /\/api\/auth\/me(\?|$)/;

const served = serveForAll();
const seen = pageForEach(1280);
let admin: TestClient;

beforeAll(async () => {
  admin = await served.service.admin();
});

const field = (label: string) => fieldOf(seen, label);
const dialog = (name?: string) => dialogOf(seen, name);

/** Text that can be read, searched and copied. */
const shown = (): Promise<string> => seen.page.evaluate<string>('document.body.innerText');

/** Ends the page's session and waits until the page notices. */
async function end(): Promise<void> {
  await endOthers(admin, seen);
  await comeBack(seen.page);
  await dialog().waitFor();
}

async function typeAndEnd(at: string): Promise<void> {
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, at);
  await field('Display name').fill('Half filled');
  await end();
}

describe('page with unsaved input after its session has ended', () => {
  it('hides its content until the user logs in again', async () => {
    await typeAndEnd('/admin/users/new');
    expect(await shown()).not.toContain('Create user');
    expect(await field('Display name').isVisible()).toBe(false);
  });

  it('hides the tab title until the user logs in again', async () => {
    await typeAndEnd('/admin/users/new');
    expect(await seen.page.title()).toBe('Castellan');
    // As a page does after a response or on Back.
    await seen.page.evaluate(`document.title = 'Ann · Castellan'`);
    await untilTrue(seen.page, `document.title === 'Castellan'`);
    await logInBeside(seen, dialog(), ADMIN.username, ADMIN.password);
    await dialog().waitFor({ state: 'detached' });
    expect(await seen.page.title()).toBe('Ann · Castellan');
  });

  it('stays covered while the service cannot say who is logged in', async () => {
    await typeAndEnd('/admin/users/new');
    const busy = { type: 'about:blank', title: 'x', status: 503, code: 'service_unavailable' };
    await seen.page.route(ME, (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(busy) }),
    );
    // React Query retries a 503 once.
    for (const ask of [() => comeBack(seen.page), () => Promise.resolve()]) {
      const answered = seen.page.waitForResponse(ME);
      await ask();
      await (await answered).finished();
    }
    await isSettled(seen.page);
    expect(await dialog().isVisible()).toBe(true);
    expect(await shown()).not.toContain('Create user');
  });

  it('hides an open confirmation dialog', async () => {
    const user = await admin.post<{ id: string }>('/api/user', { username: 'about_to_go' });
    const at = `/admin/users/${user.body.id}`;
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, at);
    await field('Display name').fill('Kept as it was');
    await seen.page.getByRole('button', { name: 'Delete user', exact: true }).click();
    const question = dialog('Delete user');
    await question.waitFor();
    await isSettled(seen.page);
    await end();
    expect(await question.count()).toBe(0);
    expect(await shown()).not.toContain('Delete user');
    await logInBeside(seen, dialog(), ADMIN.username, ADMIN.password);
    await question.waitFor();
  });

  it('redirects to the login after 15 minutes', async () => {
    await seen.page.clock.install();
    await typeAndEnd('/admin/users/new');
    await seen.page.clock.fastForward('14:00');
    expect(await dialog().isVisible()).toBe(true);
    await seen.page.clock.fastForward('01:00');
    await seen.page.waitForURL(`${served.address}/login?redirect=%2Fadmin%2Fusers%2Fnew&ended=`);
  });
});
