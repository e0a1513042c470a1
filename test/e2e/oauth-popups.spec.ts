import { InteractionsService } from '../../src/oauth';
import { parEnabled } from '../../src/oauth/server/core/authorization-server.settings';
import { begin, CALLBACK, decideAt, register, Registered, relyingParty, redirectOf } from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const ORIGIN = new URL(CALLBACK).origin;

let service: TestService;
let ann: TestClient;
let app: Registered;

withService(async (started) => {
  service = started;
  ann = await service.signUp('ann');
  app = await register(await service.admin(), { is_public: true });
});

describe('a login in a popup', () => {
  const openerPolicy = async (browser: TestClient, address: string): Promise<unknown> => {
    const { headers } = await browser.get(address);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
    return headers['cross-origin-opener-policy'];
  };

  it('keeps its opener on every response between the application and its callback', async () => {
    const { url } = await begin(await relyingParty(() => service, app));
    const authorize = `${url.pathname}${url.search}`;
    expect(await openerPolicy(ann, authorize)).toBe('unsafe-none');
    const login = await redirectOf(ann, url);
    expect(await openerPolicy(ann, login)).toBe('unsafe-none');
    const { body } = await decideAt(ann, login);
    const resumed = new URL(body.redirect, 'http://localhost');
    expect(await openerPolicy(ann, `${resumed.pathname}${resumed.search}`)).toBe('unsafe-none');
  });

  it.each([
    '/login?interaction=abc',
    '/login/mfa?interaction=abc',
    '/register?interaction=abc',
    '/consent?interaction=abc',
    '/consent',
    '/bind',
    '/error?code=x&interaction=abc',
    '/login/mfa?redirect=%2Flogin%3Finteraction%3Dabc%26logged_in%3D',
    '/api/oauth/authorize',
    '/api/oauth/logout',
    '/api/oauth/logout/success',
    '/api/oauth/callback/github',
  ])('keeps its opener at %s', async (address) => {
    expect(await openerPolicy(service.client(), address)).toBe('unsafe-none');
  });

  it.each([
    '/login',
    '/login?redirect=%2Faccount',
    '/login?redirect=%2F%2Fevil.example%3Finteraction%3Dabc',
    '/register',
    '/account',
    '/admin',
    '/api/info',
    '/error?code=x',
  ])('loses its opener at %s, which belongs to no application', async (address) => {
    expect(await openerPolicy(service.client(), address)).toBe('same-origin');
  });

  it('keeps its opener when a form starts it', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/api/oauth/authorize',
      payload: 'client_id=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.statusCode, answer.headers['cross-origin-opener-policy']]).toEqual([303, 'unsafe-none']);
  });
});

describe('the page of a public client', () => {
  beforeAll(() => service.set(parEnabled, true));

  it.each(['/api/oauth/revoke', '/api/oauth/par'])(
    'reads the response of %s from its registered origin',
    async (url) => {
      const payload = new URLSearchParams({ client_id: app.client_id, token: 'unknown' }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const ask = async (origin: string): Promise<unknown> =>
        (await service.app.inject({ method: 'POST', url, payload, headers: { ...headers, origin } })).headers[
          'access-control-allow-origin'
        ];
      const preflight = await service.app.inject({
        method: 'OPTIONS',
        url,
        headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
      });
      expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, ORIGIN]);
      expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
      expect(await ask(ORIGIN)).toBe(ORIGIN);
      expect(await ask('https://evil.example')).toBeUndefined();
    },
  );

  it('gets an empty revocation response without a content type', async () => {
    const payload = new URLSearchParams({ client_id: app.client_id, token: 'unknown' }).toString();
    const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await service.app.inject({ method: 'POST', url: '/api/oauth/revoke', payload, headers });
    expect([answer.statusCode, answer.payload, answer.headers['content-type']]).toEqual([200, '', undefined]);
  });

  it('cannot read introspection responses, which only confidential clients request', async () => {
    const headers = { origin: ORIGIN, 'access-control-request-method': 'POST' };
    const { headers: given } = await service.app.inject({ method: 'OPTIONS', url: '/api/oauth/introspect', headers });
    expect(given).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('the page of a login', () => {
  it('is the one of the service when the interaction cannot be read', async () => {
    const interactions = service.app.get(InteractionsService, { strict: false });
    const failing = jest.spyOn(interactions, 'organizationOf').mockRejectedValueOnce(new Error('no database'));
    const [plain, page] = [await ann.get('/login'), await ann.get('/login?interaction=abc')];
    expect(failing).toHaveBeenCalledTimes(1);
    // 404 where the pages are not built.
    expect(page.status).toBe(plain.status);
  });
});
