import type { Configuration } from 'openid-client';
import { termsAtLogin } from '../../src/users';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith } from '../support/accounts/holders';
import { begin, decideAt, logInAt, interactionAt, registerApp, redirectOf } from '../support/oauth/oauth';
import { publishTerms, resetTerms, TERMS_VERSION } from '../support/accounts/terms';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let config: Configuration;

withService(async (started) => {
  ({ service, admin, config } = await registerApp(started));
});

beforeEach(async () => {
  await publishTerms(service);
  await service.set(termsAtLogin, true);
});

afterEach(() => resetTerms(service));

describe('a login at an application by a user who has not accepted the terms', () => {
  it('waits until they are accepted, also with only the refresh token', async () => {
    const { id, client: browser } = await anyUserWith(service, admin);
    const page = await redirectOf(browser, (await begin(config)).url);
    expect(page).toMatch(/^\/login\?/);
    for (const cookie of ['iam_access', 'iam_refresh']) {
      expect(browser.jar.has(cookie)).toBe(true);
      for (const answer of [await interactionAt(browser, page), await decideAt(browser, page)]) {
        expectProblem(answer, 403, 'terms_required');
      }
      browser.jar.delete('iam_access');
    }
    expect((await browser.post('/api/auth/refresh')).status).toBe(200);
    expect((await browser.post('/api/auth/me/terms', { terms_accepted: TERMS_VERSION })).status).toBe(204);
    expect((await decideAt(browser, page)).status).toBe(200);
    expect((await logInAt(config, browser)).claims()?.sub).toBe(id);
  });

  it('is not answered without a page', async () => {
    const { client: browser } = await anyUserWith(service, admin);
    const { url } = await begin(config, { prompt: 'none' });
    expect(new URL(await redirectOf(browser, url)).searchParams.get('error')).toBe('login_required');
  });
});
