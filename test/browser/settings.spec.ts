import { ADMIN, eventually } from '../support/service/test-service';
import { agree, openAs, settingField } from './people';
import { pageForAll, serveForAll } from './stage';

const served = serveForAll();
const seen = pageForAll(1280);

beforeEach(() => openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/settings'));

const button = (name: string) => seen.page.getByRole('button', { name, exact: true });
const openCategory = (name: string): Promise<void> => button(name).click();

it('restores stored values on Discard, lists included', async () => {
  await openCategory('SMS');
  const prefixes = settingField(seen.page, 'sms.allowed_prefixes');
  const stored = await prefixes.inputValue();
  await prefixes.fill('+49\n\n+86\n');
  expect(await prefixes.inputValue()).toBe('+49\n\n+86\n');
  await button('Discard').click();
  expect(await prefixes.inputValue()).toBe(stored);
});

it('hides closed sections from view and focus, with reduced motion too', async () => {
  const days = settingField(seen.page, 'audit.retention_days');
  await openCategory('Audit log');
  await days.waitFor();
  await openCategory('Audit log');
  await days.waitFor({ state: 'hidden' });
});

it('marks a rejected setting and names it in a save bar that stays visible', async () => {
  await openCategory('Rate limits');
  await openCategory('Audit log');
  const days = settingField(seen.page, 'audit.retention_days');
  await days.fill('5');
  await openCategory('Audit log');
  await seen.page.evaluate('scrollTo(0, 0)');
  const bar = seen.page.locator('.in-sight');
  const { y, height } = (await bar.boundingBox()) ?? { y: 0, height: 0 };
  expect(y + height).toBeLessThanOrEqual(900);
  await button('Save').click();
  await bar.getByText('audit.retention_days').waitFor();
  await openCategory('Audit log');
  expect(await days.getAttribute('aria-invalid')).toBe('true');
  await days.fill('60');
  await bar.getByText('audit.retention_days').waitFor({ state: 'detached' });
  expect(await days.getAttribute('aria-invalid')).not.toBe('true');
});

it.each([
  { language: 'en', fallback: 'No fallback (none)', sameSite: 'None' },
  { language: 'zh', fallback: '不使用备用服务商（none）', sameSite: '无（None）' },
])('explains the option "none" per setting in $language', async ({ language, fallback, sameSite }) => {
  await seen.page.goto(`${served.address}/admin/settings?lang=${language}`);
  await seen.page.waitForSelector('h1');
  const none = (key: string) => settingField(seen.page, key).locator('option[value="none"]').textContent();
  expect(await none('sms.fallback_provider')).toBe(fallback);
  expect(await none('jwt.cookie_same_site')).toBe(sameSite);
});

it('shows the default before saving and asks for confirmation before a rollback', async () => {
  const admin = await served.service.admin();
  const updates = [{ key: 'audit.retention_days', value: 77 }];
  expect(await admin.put('/api/setting', { updates })).toMatchObject({ status: 200 });
  await seen.page.reload();
  await openCategory('Audit log');
  const days = settingField(seen.page, 'audit.retention_days');
  await button('Reset to default').click();
  expect(await days.inputValue()).not.toBe('77');
  await button('Save').click();
  await seen.page.waitForSelector('text="Saved"');
  await button('History').click();
  await button('Roll back to version 1').click();
  await agree(seen.page, 'Roll back');
  await eventually(
    () => days.inputValue(),
    (value) => value === '77',
  );
});

it('finds a setting by its title and shows its duration in words', async () => {
  await seen.page.getByLabel('Search settings').fill('idle timeout');
  await settingField(seen.page, 'jwt.refresh_ttl_seconds').waitFor();
  await seen.page.getByText('30 days').waitFor();
  await settingField(seen.page, 'app.name').waitFor({ state: 'detached' });
  await seen.page.waitForURL((url) => url.searchParams.get('keyword') === 'idle timeout');
});

it('shows only changed settings on request, and keeps the reason of a change in the history', async () => {
  await openCategory('Registration');
  await settingField(seen.page, 'profile.contact_code_required').waitFor({ state: 'attached' });
  await settingField(seen.page, 'register.enabled').setChecked(false);
  await seen.page.getByLabel('Reason').fill('Closed for the season');
  await button('Save').click();
  await seen.page.waitForSelector('text="Saved"');
  await seen.page.getByLabel('Changed from the default').check();
  await settingField(seen.page, 'profile.contact_code_required').waitFor({ state: 'detached' });
  await button('History').first().waitFor();
  const admin = await served.service.admin();
  const { body } = await admin.get<{ items: { reason: string }[] }>('/api/setting/register.enabled/history');
  expect(body.items[0]?.reason).toBe('Closed for the season');
  await admin.put('/api/setting', { updates: [{ key: 'register.enabled', value: null }] });
});

it('shows the fields of the chosen SMS provider only', async () => {
  await openCategory('SMS');
  await settingField(seen.page, 'sms.provider').waitFor();
  expect(await settingField(seen.page, 'sms.twilio.from').count()).toBe(0);
  await settingField(seen.page, 'sms.provider').selectOption('twilio');
  await settingField(seen.page, 'sms.twilio.from').waitFor();
  expect(await settingField(seen.page, 'sms.aliyun.sign_name').count()).toBe(0);
});
