import { authorizationCodeGrant, Configuration } from 'openid-client';
import { registrationEnabled } from '../../src/auth';
import { logInLongAgo } from '../support/accounts/accounts';
import { anyUserWith } from '../support/accounts/holders';
import { begin, decideAt, logInAt, register, registerApp, relyingParty, redirectOf } from '../support/oauth/oauth';
import { expectProblem } from '../support/service/expect-problem';
import { changeSettings } from '../support/organizations/organization-settings';
import { createOrganization } from '../support/organizations/organizations';
import { TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let config: Configuration;

withService(async (started) => {
  ({ service, admin, config } = await registerApp(started));
});

afterEach(() => service.set(registrationEnabled, true));

const errorOf = async (browser: TestClient, prompt: string): Promise<string | null> =>
  new URL(await redirectOf(browser, (await begin(config, { prompt })).url), 'http://page').searchParams.get('error');
const pathOf = (address: string): string => address.split('?', 1)[0] ?? '';
const promptsSupported = async (): Promise<unknown> =>
  (await service.client().get<Record<string, unknown>>('/.well-known/openid-configuration')).body[
    'prompt_values_supported'
  ];

/** https://openid.net/specs/openid-connect-prompt-create-1_0.html */
describe('prompt=create', () => {
  it('shows the registration and comes back as the new user, also where another one is logged in', async () => {
    const ann = await logInLongAgo(service, (await anyUserWith(service, admin)).username);
    await logInAt(config, ann);
    for (const [browser, username] of [
      [service.client(), 'created_first'],
      [ann, 'created_second'],
    ] as const) {
      const { url, checks } = await begin(config, { prompt: 'create' });
      const page = await redirectOf(browser, url);
      expect(page).toMatch(/^\/register\?interaction=[\w-]+$/);
      if (browser === ann) expectProblem(await decideAt(browser, page), 401, 'reauthentication_required');
      const { body } = await browser.post<{ user: { id: string } }>('/api/auth/register', {
        username,
        password: PASSWORD,
      });
      await service.logIn(username, PASSWORD, browser);
      const next = await redirectOf(browser, (await decideAt(browser, page)).body.redirect);
      expect(pathOf(next)).toBe('/consent');
      const back = await redirectOf(browser, (await decideAt(browser, next)).body.redirect);
      expect((await authorizationCodeGrant(config, new URL(back), checks)).claims()?.sub).toBe(body.user.id);
    }
  });

  it('is answered by a login, too, because the user may have an account already', async () => {
    const ann = await anyUserWith(service, admin);
    const browser = service.client();
    const page = await redirectOf(browser, (await begin(config, { prompt: 'create' })).url);
    await service.logIn(ann.username, PASSWORD, browser);
    const next = await redirectOf(browser, (await decideAt(browser, page)).body.redirect);
    expect(pathOf(next)).toBe('/consent');
  });

  it.each(['create login', 'create none', 'consent create', 'create select_account', 'login create consent'])(
    'is rejected with others: %s',
    async (prompt) => {
      expect(await errorOf(service.client(), prompt)).toBe('invalid_request');
    },
  );

  it('stays alone beside an unknown value', async () => {
    const page = await redirectOf(service.client(), (await begin(config, { prompt: 'create ext:unknown' })).url);
    expect(pathOf(page)).toBe('/register');
  });

  it('is listed and obeyed only while registration is open', async () => {
    expect(await promptsSupported()).toEqual(['none', 'login', 'consent', 'select_account', 'create']);
    const ann = await anyUserWith(service, admin);
    await service.set(registrationEnabled, false);
    expect(await promptsSupported()).toEqual(['none', 'login', 'consent', 'select_account']);
    for (const prompt of ['create', 'create login']) {
      expect(pathOf(await redirectOf(service.client(), (await begin(config, { prompt })).url))).toBe('/login');
    }
    await logInAt(config, ann.client);
    const back = new URL(await redirectOf(ann.client, (await begin(config, { prompt: 'create' })).url));
    expect(back.searchParams.get('code')).not.toBeNull();
    expect(await errorOf(service.client(), 'create none')).toBe('login_required');
  });

  it('is passed over where the organization does not accept the login after a registration', async () => {
    const acme = await createOrganization(admin, 'acme');
    await changeSettings(admin, acme, { login_methods: ['email'] });
    const tied = await relyingParty(() => service, await register(admin, { organization_id: acme.id }));
    const page = await redirectOf(service.client(), (await begin(tied, { prompt: 'create' })).url);
    expect(pathOf(page)).toBe('/login');
  });
});
