import { enrolTotp } from '../support/accounts/second-factors';
import { ADMIN } from '../support/service/test-service';
import { agree, openAs } from './people';
import { pageForEach, serveForAll } from './stage';
import { accessibilityFaults, fitsWidth } from './watch';

const served = serveForAll();
const seen = pageForEach(390);

const callback = () => seen.page.getByLabel('Callback URL', { exact: true });
const copy = () => seen.page.getByRole('button', { name: 'Copy: Callback URL' });

/** Plain http on another host has no Clipboard API, which requires a secure context (W3C Clipboard API). */
const withoutClipboard = `Object.defineProperty(navigator, 'clipboard', { value: undefined })`;
/** Some browsers do not support the older command either. */
const withoutCopying = `document.execCommand = () => false`;

/** Selected text of the focused field. */
const marked = `(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)`;

async function open(...missing: string[]): Promise<string> {
  for (const script of missing) await seen.page.addInitScript(script);
  await openAs(seen.page, served.address, ADMIN.username, ADMIN.password, '/admin/providers/new?template=github');
  return callback().inputValue();
}

it('copies an address with the Clipboard API', async () => {
  await seen.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const address = await open();
  await copy().click();
  await seen.page.getByText('Copied', { exact: true }).waitFor();
  expect(await seen.page.evaluate('navigator.clipboard.readText()')).toBe(address);
});

it('copies over plain http without the Clipboard API', async () => {
  const address = await open(withoutClipboard);
  await copy().click();
  await seen.page.getByText('Copied', { exact: true }).waitFor();
  expect(await seen.page.evaluate('document.activeElement.localName')).toBe('button');
  const elsewhere = seen.page.getByRole('textbox', { name: 'Client ID' });
  await elsewhere.focus();
  await seen.page.keyboard.press('Control+V');
  expect(await elsewhere.inputValue()).toBe(address);
});

it('reports a failed copy and selects the text', async () => {
  const address = await open(withoutClipboard, withoutCopying);
  await copy().click();
  await seen.page.getByRole('alert').getByText('This browser does not let the page copy').waitFor();
  expect(await seen.page.evaluate(marked)).toBe(address);
  expect(await seen.page.getByText('Copied', { exact: true }).count()).toBe(0);
  expect(await accessibilityFaults(seen.page)).toEqual([]);
  expect(await fitsWidth(seen.page)).toBe(true);
});

it('copies new recovery codes, and keeps each on one line', async () => {
  await seen.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const client = await served.service.signUp('copies_codes');
  await enrolTotp(client);
  await seen.context.addCookies([...client.jar].map(([name, value]) => ({ name, value, url: served.address })));
  await seen.page.goto(`${served.address}/account/mfa`);
  await seen.page.getByRole('button', { name: 'New recovery codes', exact: true }).click();
  await agree(seen.page, 'New recovery codes');
  await seen.page.locator('.codes code').first().waitFor();
  const codes = await seen.page.locator('.codes code').allTextContents();
  expect(codes.length).toBeGreaterThan(5);
  await seen.page.getByRole('button', { name: 'Copy the codes', exact: true }).click();
  await seen.page.getByText('Copied', { exact: true }).waitFor();
  expect(await seen.page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'));
  const lines = `[...document.querySelectorAll('.codes code')].map((one) => one.getClientRects().length)`;
  expect(new Set(await seen.page.evaluate<number[]>(lines))).toEqual(new Set([1]));
});
