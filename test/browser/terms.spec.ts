import { deletionGraceDays } from '../../src/auth';
import { appPrivacy, appTerms } from '../../src/settings';
import { termsAtLogin, termsRequired, termsVersion } from '../../src/users';
import { storedUser } from '../support/accounts/accounts';
import { invited, storeOrganization } from '../support/organizations/invitations';
import { publishTerms, resetTerms, TERMS_VERSION } from '../support/accounts/terms';
import { ADMIN, PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { openAs } from './people';
import { pageForEach, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForEach(1280);

afterEach(async () => {
  const { service } = served;
  await resetTerms(service);
  await service.set(deletionGraceDays, deletionGraceDays.defaultValue);
});

const askForTerms = async (): Promise<void> => {
  await publishTerms(served.service);
  await served.service.set(appPrivacy, 'https://example.com/privacy');
};
const demandTerms = async (): Promise<void> => {
  await askForTerms();
  await served.service.set(termsRequired, true);
};

describe('terms', () => {
  const register = async (username: string): Promise<void> => {
    await seen.page.goto(`${served.address}/register`);
    await seen.page.getByLabel('Username').fill(username);
    await seen.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  };

  it('must be accepted at a registration, which then logs in', async () => {
    await demandTerms();
    await register('agrees_first');
    expect(await seen.page.getByRole('link', { name: 'Read the terms of use' }).getAttribute('href')).toBe('/terms');
    await seen.page.click('button[type="submit"]');
    const box = seen.page.getByLabel('I agree to the terms of use and the privacy policy');
    await seen.page.waitForSelector('.error:has-text("Please agree to continue.")');
    expect(await box.getAttribute('aria-invalid')).toBe('true');
    await expectGoodLooks(seen.page);
    await box.check();
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForURL(`${served.address}/account`);
    await seen.page.waitForSelector(`text=You accepted the terms, version ${TERMS_VERSION}`);
  });

  it('are asked for after a login, and lead on', async () => {
    await served.service.register('agrees_later');
    await askForTerms();
    await served.service.set(termsAtLogin, true);
    await seen.page.goto(`${served.address}/login?redirect=%2Faccount%2Fsessions`);
    await seen.page.fill('input[autocomplete^="username"]', 'agrees_later');
    await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
    await seen.page.click('button[type="submit"]');
    await seen.page.waitForSelector('h1:has-text("Please agree first")');
    await expectGoodLooks(seen.page);
    await seen.page.getByRole('button', { name: 'I agree', exact: true }).click();
    await seen.page.waitForURL(`${served.address}/account/sessions`);
    await seen.page.waitForSelector('text=This device');
  });

  it('are asked for in an open console, and lead back to the page', async () => {
    await served.service.register('agrees_inside');
    await openAs(seen.page, served.address, 'agrees_inside', PASSWORD, '/account/security');
    await seen.page.waitForSelector('h1');
    await askForTerms();
    await served.service.set(termsAtLogin, true);
    await seen.page.goto(`${served.address}/account/security`);
    await seen.page.waitForSelector('h1:has-text("Please agree first")');
    await seen.page.getByRole('button', { name: 'I agree', exact: true }).click();
    await seen.page.waitForURL(`${served.address}/account/security`);
  });

  const becomeDue = async (): Promise<void> => {
    await askForTerms();
    await served.service.set(termsAtLogin, true);
  };

  it('that become due are asked for at the next step in an open console', async () => {
    await served.service.register('agrees_meanwhile');
    await openAs(seen.page, served.address, 'agrees_meanwhile', PASSWORD, '/account');
    await seen.page.waitForSelector('h1');
    await becomeDue();
    await seen.page.click('nav >> text="Devices"');
    await seen.page.waitForSelector('h1:has-text("Please agree first")');
    await seen.page.getByRole('button', { name: 'I agree', exact: true }).click();
    await seen.page.waitForURL(`${served.address}/account/sessions`);
    await seen.page.waitForSelector('text=This device');
  });

  it('that become due keep unsaved input, and are accepted in another window', async () => {
    await served.service.register('agrees_beside');
    await openAs(seen.page, served.address, 'agrees_beside', PASSWORD, '/account');
    const nickname = seen.page.getByLabel('Display name');
    await nickname.fill('Still typing');
    await becomeDue();
    const save = seen.page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    const opened = seen.context.waitForEvent('page');
    await seen.page.getByRole('link', { name: 'Read and agree', exact: true }).click();
    const other = await opened;
    const closed = other.waitForEvent('close');
    await other.getByRole('button', { name: 'I agree', exact: true }).click();
    await closed;
    await seen.page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await seen.page.getByRole('link', { name: 'Read and agree', exact: true }).waitFor({ state: 'detached' });
    expect(await nickname.inputValue()).toBe('Still typing');
    await save.click();
    await seen.page.waitForSelector('text="Saved"');
    expect(await storedUser(served.service, 'agrees_beside')).toMatchObject({ nickname: 'Still typing' });
  });

  describe('that a user does not accept', () => {
    const declineAs = async (username: string): Promise<void> => {
      await served.service.register(username);
      await becomeDue();
      await seen.page.goto(`${served.address}/login`);
      await seen.page.fill('input[autocomplete^="username"]', username);
      await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
      await seen.page.click('button[type="submit"]');
      await seen.page.getByText('I do not agree', { exact: true }).click();
      await button('Log out').waitFor();
    };
    const button = (name: string) => seen.page.getByRole('button', { name, exact: true });

    it('let that one log out', async () => {
      await declineAs('declines_and_waits');
      await expectGoodLooks(seen.page);
      await button('Log out').click();
      await seen.page.waitForURL(`${served.address}/login`);
      await seen.page.waitForSelector('h1:has-text("Log in")');
      const answer = await seen.page.request.get(`${served.address}/api/auth/me`);
      expect(answer.status()).toBe(401);
    });

    it('let that one save the own data and delete the account, after a question', async () => {
      await declineAs('declines_and_leaves');
      const saved = seen.page.waitForEvent('download');
      await button('Export your data').click();
      expect((await saved).suggestedFilename()).toBe('my-data.json');
      await button('Delete the account').click();
      await expectGoodLooks(seen.page);
      await button('Cancel').click();
      await button('Delete the account').click();
      await button('Yes, delete it').click();
      await seen.page.waitForURL(`${served.address}/login?deleted`);
      expect(await storedUser(served.service, 'declines_and_leaves')).toBeUndefined();
    });

    it('let that one ask for the deletion after days of grace', async () => {
      await served.service.set(deletionGraceDays, 7);
      await declineAs('declines_with_grace');
      await button('Delete the account').click();
      await seen.page.getByText('after 7 days').waitFor();
      await button('Yes, delete it').click();
      await seen.page.waitForURL(`${served.address}/login?deletion_due`);
    });

    it('ask for a new login before a deletion where the last one is long ago', async () => {
      const username = 'declines_late';
      await served.service.register(username);
      await becomeDue();
      const data = { type: 'password', username, password: PASSWORD };
      await seen.page.request.post(`${served.address}/api/auth/login`, { data });
      await served.service.query(
        `UPDATE session SET authenticated_at = now() - interval '1 hour'
         WHERE user_id = (SELECT id FROM user_account WHERE username = $1)`,
        [username],
      );
      await seen.page.goto(`${served.address}/login?logged_in=`);
      await seen.page.getByText('I do not agree', { exact: true }).click();
      await button('Delete the account').click();
      await button('Yes, delete it').click();
      await seen.page.getByRole('alert').getByText('log in again').waitFor();
      expect(await storedUser(served.service, username)).toBeDefined();
    });
  });

  it('that change while the page is open are shown again, and can be accepted', async () => {
    await served.service.register('agrees_twice');
    await becomeDue();
    await openAs(seen.page, served.address, 'agrees_twice', PASSWORD, '/login?logged_in=&redirect=%2Faccount');
    await seen.page.waitForSelector('h1:has-text("Please agree first")');
    await served.service.set(termsVersion, '2026-02');
    await served.service.set(appTerms, '/newer-terms');
    const agree = seen.page.getByRole('button', { name: 'I agree', exact: true });
    await agree.click();
    await seen.page.getByText('The terms have changed just now.').waitFor();
    const read = seen.page.getByRole('link', { name: 'Read the terms of use' });
    expect(await read.getAttribute('href')).toBe('/newer-terms');
    await agree.click();
    await seen.page.waitForURL(`${served.address}/account`);
    expect(await storedUser(served.service, 'agrees_twice')).toMatchObject({ terms_version: '2026-02' });
  });

  describe('in an open registration', () => {
    const submit = (): Promise<void> => seen.page.click('button[type="submit"]');
    const box = () => seen.page.getByLabel('I agree to the terms of use and the privacy policy');

    it('that change are shown again, and can be accepted', async () => {
      await demandTerms();
      await register('agrees_to_newer');
      await box().check();
      await served.service.set(termsVersion, '2026-02');
      await served.service.set(appTerms, '/newer-terms');
      await submit();
      await seen.page.getByText('This is not the current version of the terms.').waitFor();
      await box().and(seen.page.locator(':not(:checked)')).waitFor();
      const read = seen.page.getByRole('link', { name: 'Read the terms of use' });
      expect(await read.getAttribute('href')).toBe('/newer-terms');
      await expectGoodLooks(seen.page);
      await box().check();
      await submit();
      await seen.page.waitForURL(`${served.address}/account`);
      expect(await storedUser(served.service, 'agrees_to_newer')).toMatchObject({ terms_version: '2026-02' });
    });

    it('that become required are shown, beside other errors', async () => {
      await register('no');
      await demandTerms();
      await submit();
      await box().waitFor();
      await seen.page.getByText('Too short: use at least 3 characters.').waitFor();
      await seen.page.getByLabel('Username').fill('asked_meanwhile');
      await box().check();
      await submit();
      await seen.page.waitForURL(`${served.address}/account`);
      expect(await storedUser(served.service, 'asked_meanwhile')).toMatchObject({ terms_version: TERMS_VERSION });
    });

    it('that become required are shown at the next attempt if the page cannot load them', async () => {
      await register('asked_offline');
      await demandTerms();
      const isPage = ({ pathname }: URL): boolean => pathname === '/register';
      await seen.page.route(isPage, (route) => route.abort());
      const failed = seen.page.waitForEvent('requestfailed', (request) => isPage(new URL(request.url())));
      await submit();
      await failed;
      await seen.page.getByText('Please agree to continue.').waitFor();
      expect(await box().count()).toBe(0);
      await seen.page.unroute(isPage);
      await submit();
      await box().and(seen.page.locator(':focus')).check();
      await submit();
      await seen.page.waitForURL(`${served.address}/account`);
    });

    it('that change keep the page of the organization', async () => {
      await demandTerms();
      const admin = await served.service.admin();
      const organization = await storeOrganization(served.service, 'Own Terms');
      await admin.patch(`/api/organization/${organization.id}/settings`, { terms: 'https://acme.test/terms' });
      const token = await invited(served.service, admin, organization, 'own-terms@example.com');
      await seen.page.goto(`${served.address}/invitation#${token}`);
      await seen.page.getByRole('button', { name: 'Create an account', exact: true }).click();
      await seen.page.getByLabel('Username').fill('agrees_inside_acme');
      await seen.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await box().check();
      await served.service.set(termsVersion, '2026-02');
      await submit();
      await box().and(seen.page.locator(':not(:checked)')).waitFor();
      const read = seen.page.getByRole('link', { name: 'Read the terms of use' });
      expect(await read.getAttribute('href')).toBe('/terms');
      await box().check();
      await submit();
      await seen.page.waitForSelector('h1:has-text("You are now a member of Own Terms")');
      expect(await storedUser(served.service, 'agrees_inside_acme')).toMatchObject({ terms_version: '2026-02' });
    });

    it('that are no longer required do not keep it from going on', async () => {
      await demandTerms();
      await register('asked_no_longer');
      await box().check();
      await served.service.set(termsRequired, false);
      await served.service.set(termsVersion, '');
      await submit();
      await box().waitFor({ state: 'detached' });
      expect(await seen.page.getByRole('alert').textContent()).toBe('');
      await submit();
      await seen.page.waitForURL(`${served.address}/account`);
    });
  });

  it('are shown on the page of the user', async () => {
    await served.service.set(termsVersion, TERMS_VERSION);
    const { body } = await served.service.client().post<{ user: { id: string } }>('/api/auth/register', {
      username: 'agreed_before',
      password: PASSWORD,
      terms_accepted: TERMS_VERSION,
    });
    await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, `/admin/users/${body.user.id}`);
    await seen.page.waitForSelector(`text=Accepted terms ${TERMS_VERSION}`);
  });
});
