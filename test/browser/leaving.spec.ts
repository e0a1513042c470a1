import { text } from 'node:stream/consumers';
import { deletionGraceDays } from '../../src/auth';
import { proveContacts } from '../support/accounts/accounts';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { agree, logIn, openAs } from './people';
import { pageForEach, serveForAll } from './stage';
import { complaintsOf, isSettled } from './watch';

const SECURITY = '/account/security';
const served = serveForAll();
let made = 0;

async function person(): Promise<string> {
  const username = `leaver_${++made}`;
  await served.service.register(username, { email: `${username}@example.com` });
  await proveContacts(served.service, username);
  return username;
}

describe.each([390, 1280])('at %i px', (width) => {
  const seen = pageForEach(width);
  const button = (name: string) => seen.page.getByRole('button', { name, exact: true });

  beforeEach(() => served.service.set(deletionGraceDays, 7));
  afterEach(() => served.service.set(deletionGraceDays, 0));

  it('deletes an account after days of grace, in which a login offers to keep it', async () => {
    const complaints = complaintsOf(seen.page);
    const username = await person();
    await openAs(seen.page, served.address, username, PASSWORD, SECURITY);
    await seen.page.getByText('The account is deleted after 7 days').waitFor();
    await isSettled(seen.page);
    await expectGoodLooks(seen.page);
    await button('Delete the account').click();
    await agree(seen.page, 'Delete the account');
    await seen.page.waitForURL(`${served.address}/login?deletion_due`);
    await seen.page.getByText('To keep it, log in before then').waitFor();

    await seen.page.fill('input[autocomplete^="username"]', username);
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await seen.page.getByRole('heading', { name: 'Keep your account?' }).waitFor();
    await expectGoodLooks(seen.page);
    await button('Continue without keeping it').click();
    await seen.page.waitForURL(`${served.address}/account`);
    await seen.page.getByText('Your account will be deleted on').waitFor();
    await isSettled(seen.page);
    await expectGoodLooks(seen.page);
    await button('Keep my account').click();
    await seen.page.getByText('Your account stays.').waitFor();
    await button('Keep my account').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('keeps the account on the way from the login', async () => {
    const username = await person();
    expect((await (await served.service.logIn(username)).delete('/api/auth/me')).status).toBe(202);
    await seen.page.goto(`${served.address}/login?redirect=${SECURITY}`);
    await seen.page.fill('input[autocomplete^="username"]', username);
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await button('Keep my account').click();
    await seen.page.waitForURL(served.address + SECURITY);
    await button('Delete the account').waitFor();
    expect(await button('Keep my account').count()).toBe(0);
  });

  it('saves the own data as a file', async () => {
    const username = await person();
    await openAs(seen.page, served.address, username, PASSWORD, SECURITY);
    const saved = seen.page.waitForEvent('download');
    await button('Export your data').click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('my-data.json');
    const { profile } = JSON.parse(await text(await file.createReadStream())) as { profile: object };
    expect(profile).toMatchObject({ username });
  });

  it('shows an administrator who asked for it, who cancels it', async () => {
    const username = await person();
    const client = await served.service.logIn(username);
    const { body } = await client.get<{ id: string }>('/api/auth/me');
    await client.delete('/api/auth/me');
    await logIn(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/users/${body.id}`);
    await seen.page.getByText('Deletion on').waitFor();
    await isSettled(seen.page);
    await expectGoodLooks(seen.page);
    await button('Cancel the deletion').click();
    await agree(seen.page, 'Cancel the deletion');
    await seen.page.getByText('Deletion on').waitFor({ state: 'detached' });
  });
});
