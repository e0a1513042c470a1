import { eventually } from '../support/service/eventually';
import { lastCode } from '../support/receivers/inbox';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { agree, openAs, settingField } from './people';
import { pageForEach, serveForAll } from './stage';

const served = serveForAll();

describe('console', () => {
  const seen = pageForEach(1280);

  it('redirects an unauthenticated user to the login and back', async () => {
    await served.service.register('comes_back');
    await seen.page.goto(`${served.address}/account/sessions`);
    await seen.page.waitForURL(`${served.address}/login?redirect=*`);
    await seen.page.fill('input[autocomplete^="username"]', 'comes_back');
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForURL(`${served.address}/account/sessions`);
    await seen.page.waitForSelector('text=This device');
  });

  it('verifies an e-mail address with the code sent to it', async () => {
    await served.service.register('proves_mail');
    await openAs(seen.page, served.address, 'proves_mail', PASSWORD, '/account');
    await seen.page.click('text="Change" >> nth=0');
    await seen.page.fill('input[type="email"]', 'proves@example.com');
    await seen.page.click('text="Send code"');
    await seen.page.waitForSelector('text=We sent a code to');
    await seen.page.fill('input[autocomplete="one-time-code"]', '000000');
    await seen.page.click('form:has(input[type="email"]) button[type="submit"]');
    await seen.page.waitForSelector('input[autocomplete="one-time-code"][aria-invalid="true"]');
    await seen.page.fill('input[autocomplete="one-time-code"]', lastCode(served.service, 'proves@example.com'));
    await seen.page.click('form:has(input[type="email"]) button[type="submit"]');
    await seen.page.waitForSelector('text="Verified"');
  });

  it('hides administration pages from a user without permissions', async () => {
    await served.service.register('plain_user');
    await openAs(seen.page, served.address, 'plain_user', PASSWORD, '/account');
    await seen.page.waitForSelector('nav a');
    expect(await seen.page.locator('nav a[href^="/admin"]').count()).toBe(0);
    await seen.page.goto(`${served.address}/admin/users`);
    await seen.page.waitForSelector('text=This page is not available');
  });

  it('changes a setting, shows its history and rolls it back', async () => {
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/settings');
    await seen.page.click('text="Service and branding"');
    await settingField(seen.page, 'app.name').fill('House of Keys');
    await seen.page.click('text="Save"');
    await seen.page.waitForSelector('text="Saved"');
    await seen.page.click('.mantine-Accordion-panel:has-text("app.name") button:has-text("History")');
    await seen.page.waitForSelector('code:has-text("House of Keys")');
    const admin = await served.service.admin();
    const { body } = await admin.get<{ name: string }>('/api/info');
    expect(body.name).toBe('House of Keys');
    await admin.put('/api/setting', { updates: [{ key: 'app.name', value: 'Castellan' }] });
    await seen.page.reload();
    await seen.page.click('text="Service and branding"');
    await seen.page.click('.mantine-Accordion-panel:has-text("app.name") button:has-text("History")');
    await seen.page.click('tr:has(code:has-text("House of Keys")) button:has-text("Roll back") >> nth=-1');
    await agree(seen.page, 'Roll back');
    await seen.page.waitForSelector('text="Saved"');
    expect((await admin.get<{ name: string }>('/api/info')).body.name).toBe('House of Keys');
    await admin.put('/api/setting', { updates: [{ key: 'app.name', value: null }] });
  });

  it('creates a role and assigns it, and its permissions take effect', async () => {
    await served.service.register('gets_role');
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/roles');
    await seen.page.getByLabel('New role').fill('auditor');
    await seen.page.getByRole('button', { name: 'Add', exact: true }).click();
    await seen.page.waitForSelector('h1:has-text("auditor")');
    await seen.page.getByLabel('Permission', { exact: true }).fill('audit:read');
    await seen.page.getByLabel('Level', { exact: true }).selectOption('1');
    await seen.page.getByRole('button', { name: 'Add', exact: true }).first().click();
    await seen.page.waitForSelector('td code:has-text("audit:read")');
    await seen.page.getByLabel('Add members').fill('gets_role nobody_of_this_name');
    await seen.page.getByRole('button', { name: 'Add', exact: true }).last().click();
    await seen.page.waitForSelector('text=There is no user named nobody_of_this_name');
    const member = await served.service.logIn('gets_role');
    // The page names unknown users before it adds the others.
    await eventually(
      () => member.get('/api/audit'),
      ({ status }) => status === 200,
      10,
    );
  });
});
