import { storeOrganization } from '../support/organizations/invitations';
import { ANN, ProviderSimulator } from '../support/provider-simulator';
import { PASSWORD } from '../support/service/test-service';
import { expectGoodLooks } from './every-page';
import { pageForEach, serveForAll } from './stage';

const served = serveForAll();
let simulator: ProviderSimulator;

beforeAll(async () => {
  simulator = await ProviderSimulator.start();
  const { service } = served;
  const { id } = await storeOrganization(service, 'Acme');
  await service.query(
    `INSERT INTO organization_domain (organization_id, domain, txt_value, verified_at)
     VALUES ($1, 'acme.example', 'value', now())`,
    [id],
  );
  const more = { name: 'acme', label: 'Acme', trust_email: true, auto_register: true, organization_id: id };
  const made = await (await service.admin()).post('/api/oauth/provider', simulator.configuration('oidc', more));
  expect(made.status).toBe(201);
  await service.register('only_here');
});

afterAll(() => simulator.stop());

const texts = {
  en: { goOn: 'Continue', logIn: 'Log in', another: 'Log in as someone else' },
  zh: { goOn: '继续', logIn: '登录', another: '使用其他账号登录' },
};

describe.each([
  { width: 390, locale: 'en-GB', language: 'en' },
  { width: 1280, locale: 'zh-CN', language: 'zh' },
] as const)(
  'a login page that asks for the identifier first, at $width px in $locale',
  ({ width, locale, language }) => {
    const seen = pageForEach(width, { locale });
    const t = texts[language];
    const identifier = 'input[autocomplete^="username"]';

    const goOnAs = async (text: string): Promise<void> => {
      await seen.page.fill(identifier, text);
      await seen.page.click(`button:text-is("${t.goOn}")`);
    };

    beforeEach(async () => {
      await seen.page.goto(`${served.address}/login`);
      await seen.page.waitForSelector(`button:text-is("${t.goOn}")`);
    });

    it('leads an address of the organization to its provider, and on to the account', async () => {
      await expectGoodLooks(seen.page);
      expect(await seen.page.locator('input[type="password"]').count()).toBe(0);
      simulator.someone = { ...ANN, id: `first-${language}`, email: `first_${language}@acme.example` };
      await goOnAs(`first_${language}@acme.example`);
      await seen.page.waitForURL(`${served.address}/account`);
    });

    it('asks everybody else for the password, and takes a mistyped identifier back', async () => {
      await goOnAs('somebody_else');
      await seen.page.waitForSelector('input[type="password"]');
      await expectGoodLooks(seen.page);
      await seen.page.click(`button:text-is("${t.another}")`);
      await seen.page.waitForSelector(`button:text-is("${t.goOn}")`);
      await goOnAs('only_here');
      expect(await seen.page.inputValue(identifier)).toBe('only_here');
      await seen.page.fill('input[type="password"]', PASSWORD);
      await seen.page.click(`button[type="submit"]:text-is("${t.logIn}")`);
      await seen.page.waitForURL(`${served.address}/account`);
    });

    it('explains why an address of another domain does not get in', async () => {
      simulator.someone = { ...ANN, id: `foreign-${language}`, email: `foreign_${language}@idp.example` };
      await goOnAs('anyone@acme.example');
      await seen.page.waitForURL(`${served.address}/error?code=email_domain_not_allowed*`);
      await expectGoodLooks(seen.page);
    });
  },
);
