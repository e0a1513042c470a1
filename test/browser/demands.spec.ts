import { codeOf } from '../support/accounts/second-factors';
import { PASSWORD } from '../support/service/test-service';
import { openAs } from './people';
import { pageForEach, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForEach(1280);

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });

it('keeps a user who must change the password on the password page until it is changed', async () => {
  const admin = await served.service.admin();
  await admin.post('/api/user', { username: 'changes_later', password: PASSWORD, must_change_password: true });
  await seen.page.goto(`${served.address}/login`);
  await seen.page.fill('input[autocomplete^="username"]', 'changes_later');
  await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
  await seen.page.click('button[type="submit"]');
  await seen.page.waitForSelector('text=Choose a new password');
  for (const path of ['/admin', '/account']) {
    await seen.page.goto(served.address + path);
    await seen.page.waitForURL(`${served.address}/account/security`);
  }
  const notice = seen.page.getByRole('alert').getByText('Change your password before you continue.');
  await notice.waitFor();
  await seen.page.getByLabel('Current password').fill('not the one it is');
  await seen.page.getByLabel('New password').fill('another good long one');
  await button('Save').click();
  await seen.page.waitForSelector('.error:has-text("The current password is wrong")');
  await seen.page.getByLabel('Current password').fill(PASSWORD);
  await seen.page.getByLabel('New password').fill('another good long one');
  await button('Save').click();
  await notice.waitFor({ state: 'detached' });
  await seen.page.click('nav >> text="Devices"');
  await seen.page.waitForSelector('text=This device');
});

it('keeps a user who must set up a second factor on the MFA page and shows recovery codes', async () => {
  await served.service.register('enrols_later');
  await openAs(seen.page, served.address, 'enrols_later', PASSWORD, '/account/sessions');
  const admin = await served.service.admin();
  const updates = [{ key: 'mfa.policy', value: 'required' }];
  expect(await admin.put('/api/setting', { updates })).toMatchObject({ status: 200 });
  await seen.page.reload();
  await seen.page.waitForURL(`${served.address}/account/mfa`);
  await button('Add an authenticator app').click();
  const secret = await seen.page.getByLabel('Key', { exact: true }).inputValue();
  const link = await seen.page.getByRole('link', { name: 'Open in an app' }).getAttribute('href');
  expect([link?.startsWith('otpauth://totp/'), link?.includes(secret)]).toEqual([true, true]);
  await seen.page.getByLabel('Code from the app').fill('000000');
  await button('Confirm').click();
  await seen.page.waitForSelector('input[autocomplete="one-time-code"][aria-invalid="true"]');
  const code = codeOf(secret);
  await seen.page.getByLabel('Code from the app').fill(` ${code.slice(0, 3)} ${code.slice(3)} `);
  await button('Confirm').click();
  await seen.page.waitForSelector('.codes');
  await button('I have saved my codes').click();
  await seen.page.waitForSelector('.codes', { state: 'detached' });
  await seen.page.click('nav >> text="Devices"');
  await seen.page.waitForSelector('text=This device');
});
