import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import enTexts from '../../i18n/en/auth.json';
import enScopes from '../../i18n/en/scopes.json';
import zhTexts from '../../i18n/zh/auth.json';
import zhScopes from '../../i18n/zh/scopes.json';
import { PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { openAs } from './people';
import { pageForEach, serveIssuerForAll } from './stage';
import { complaintsOf } from './watch';

const SCOPES = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const;
const languages = [
  ['en-GB', enTexts.consent, enScopes],
  ['zh-CN', zhTexts.consent, zhScopes],
] as const;

/** The client application. Its callback receives the response as query parameters. */
const application = createServer((_request, response) => {
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<!doctype html><link rel="icon" href="data:,"><h1>Wiki</h1>');
});

const served = serveIssuerForAll();
let callback: string;
let clientId: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
  const admin = await served.service.admin();
  const made = await admin.post<{ client_id: string }>('/api/oauth/client', {
    name: 'Team wiki',
    redirect_uris: [callback],
    scopes: SCOPES,
  });
  clientId = made.body.client_id;
});

afterAll(() => {
  application.close();
});

describe.each(languages)('consent page in %s', (locale, texts, scopes) => {
  const seen = pageForEach(1280, { locale });
  let complaints: string[];
  let username: string;

  beforeEach(async () => {
    complaints = complaintsOf(seen.page);
    username = `asked_${locale.slice(0, 2)}_${(expect.getState().currentTestName ?? '').length}`;
    await served.service.register(username);
    await openAs(seen.page, served.address, username, PASSWORD);
  });

  afterEach(() => {
    expect(complaints).toEqual([]);
  });

  const ask = (): Promise<unknown> =>
    seen.page.goto(
      `${served.address}/api/oauth/authorize?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: callback,
        response_type: 'code',
        scope: SCOPES.join(' '),
        state: 'the-state',
        prompt: 'consent',
        code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
        code_challenge_method: 'S256',
      }).toString()}`,
    );
  const answered = async (): Promise<Record<string, string>> => {
    await seen.page.waitForURL(`${callback}?*`);
    return Object.fromEntries(new URL(seen.page.url()).searchParams);
  };
  const consents = async (): Promise<unknown[]> => {
    const client = await served.service.logIn(username);
    return (await client.get<{ items: unknown[] }>('/api/oauth/consent')).body.items;
  };

  it('describes each scope and looks right on every screen', async () => {
    await ask();
    await seen.page.waitForURL(`${served.address}/consent?*`);
    await seen.page.getByRole('heading', { name: texts.asks.replace('{client}', 'Team wiki') }).waitFor();
    expect(await seen.page.getByText(texts.as.replace('{user}', username)).count()).toBe(1);
    const listed = await seen.page.locator('ul.scopes li').allTextContents();
    expect(listed.sort()).toEqual(SCOPES.map((name) => scopes[name]).sort());
    await expectGoodLooks(seen.page);
  });

  it('opens from a login address with an interaction that needs consent', async () => {
    await ask();
    await seen.page.waitForURL(`${served.address}/consent?*`);
    const { searchParams } = new URL(seen.page.url());
    await seen.page.goto(`${served.address}/login?interaction=${searchParams.get('interaction')}&logged_in`);
    await seen.page.getByRole('button', { name: texts.allow, exact: true }).waitFor();
    expect(await consents()).toEqual([]);
  });

  it('returns access_denied to the application and stores no consent if the user denies', async () => {
    await ask();
    await seen.page.getByRole('button', { name: texts.deny, exact: true }).click();
    const { error, state, iss, code } = await answered();
    expect({ error, state, iss, code }).toEqual({
      error: 'access_denied',
      state: 'the-state',
      iss: served.address,
      code: undefined,
    });
    expect(await consents()).toEqual([]);
  });

  it('returns a code if the user allows, and lists the application in the account', async () => {
    await ask();
    await seen.page.getByRole('button', { name: texts.allow, exact: true }).click();
    const { code, state, error } = await answered();
    expect({ code, state, error }).toEqual({
      code: expect.stringMatching(/^[\w-]{20,}$/) as string,
      state: 'the-state',
      error: undefined,
    });
    expect(await consents()).toHaveLength(1);
    await seen.page.goto(`${served.address}/account/applications`);
    await seen.page.getByText('Team wiki').first().waitFor();
  });
});
