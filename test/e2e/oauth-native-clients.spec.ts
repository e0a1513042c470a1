import { authorizationCodeGrant } from 'openid-client';
import { parEnabled } from '../../src/oauth/server/core/authorization-server.settings';
import { anyUserWith, UserWithGrants } from '../support/accounts/holders';
import {
  authorize,
  begin,
  CALLBACK,
  decideAt,
  post,
  interactionAt,
  register,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const LOOPBACK = 'http://127.0.0.1:49152/callback';
const PRIVATE = 'com.example.shop:/callback';
const NATIVE = { is_public: true, redirect_uris: [LOOPBACK, PRIVATE, CALLBACK] };

let service: TestService;
let admin: TestClient;

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

const person = (): Promise<UserWithGrants> => anyUserWith(service, admin);

/** Returns a function that repeats an authorization request whose scopes the user has already allowed. */
async function askedAgain(more: object, redirect_uri: string): Promise<(again?: object) => Promise<string>> {
  const config = await relyingParty(() => service, await register(admin, more));
  const { client } = await person();
  await authorize(client, (await begin(config, { redirect_uri })).url);
  return async (again = {}) => redirectOf(client, (await begin(config, { redirect_uri, ...again })).url);
}

describe('a public client whose redirect address is not exclusive (RFC 8252 §8.6)', () => {
  it.each<[string, string, object]>([
    ['a loopback address', LOOPBACK, {}],
    ['a loopback address with another port', 'http://127.0.0.1:50000/callback', {}],
    ['a private-use scheme', PRIVATE, {}],
    ['a loopback address of a first-party client', LOOPBACK, { first_party: true }],
  ])('asks for consent each time with %s', async (_, address, more) => {
    const ask = await askedAgain({ ...NATIVE, ...more }, address);
    expect(await ask()).toMatch(/^\/consent\?/);
    const silent = new URL(await ask({ prompt: 'none' }));
    expect([silent.searchParams.get('error'), silent.searchParams.get('code')]).toEqual(['consent_required', null]);
  });

  it('shows all requested scopes and continues with the allowed ones', async () => {
    const config = await relyingParty(() => service, await register(admin, NATIVE));
    const { client, id } = await person();
    await authorize(client, (await begin(config, { redirect_uri: LOOPBACK })).url);
    const { url, checks } = await begin(config, { redirect_uri: LOOPBACK });
    const page = await redirectOf(client, url);
    expect((await interactionAt(client, page)).body.scopes.map(({ name }) => name)).toEqual(['openid', 'profile']);
    const back = await redirectOf(client, (await decideAt(client, page)).body.redirect);
    expect((await authorizationCodeGrant(config, new URL(back), checks)).claims()!.sub).toBe(id);
  });

  it('asks also for a pushed request', async () => {
    await service.set(parEnabled, true);
    try {
      const app = await register(admin, NATIVE);
      const config = await relyingParty(() => service, app);
      const { client } = await person();
      await authorize(client, (await begin(config, { redirect_uri: LOOPBACK })).url);
      const { url } = await begin(config, { redirect_uri: LOOPBACK, prompt: 'none' });
      const pushed = await post(service, '/api/oauth/par', url.searchParams.toString());
      const query = new URLSearchParams({ client_id: app.client_id, request_uri: String(pushed.body['request_uri']) });
      expect(await redirectOf(client, `/api/oauth/authorize?${query.toString()}`)).toContain('error=consent_required');
    } finally {
      await service.set(parEnabled, false);
    }
  });
});

describe('consent', () => {
  it.each<[string, object, string]>([
    ['is remembered for a claimed https address of a public client', NATIVE, CALLBACK],
    ['is remembered for a confidential client on loopback', { redirect_uris: [LOOPBACK] }, LOOPBACK],
    ['is remembered for a confidential client', {}, CALLBACK],
  ])('%s', async (_, more, address) => {
    const ask = await askedAgain(more, address);
    expect(new URL(await ask({ prompt: 'none' })).searchParams.get('code')).not.toBeNull();
  });
});

describe('a public client with a loopback address', () => {
  const allowedOrigin = async (origin: string): Promise<unknown> =>
    (await service.client().get('/.well-known/openid-configuration', { headers: { origin } })).headers[
      'access-control-allow-origin'
    ];

  it('is answered across origins at any port of the address, as it is redirected to', async () => {
    await register(admin, { is_public: true, redirect_uris: ['http://127.0.0.1/cb'] });
    for (const port of ['', ':51000', ':8080', ':65535']) {
      const origin = `http://127.0.0.1${port}`;
      expect(await allowedOrigin(origin)).toBe(origin);
    }
    for (const origin of ['http://localhost:51000', 'https://127.0.0.1:51000', 'http://127.0.0.1.evil.example']) {
      expect([origin, await allowedOrigin(origin)]).toEqual([origin, undefined]);
    }
  });

  it('needs the exact port where it has a secret', async () => {
    await register(admin, { redirect_uris: ['http://[::1]:5173/cb'] });
    expect(await allowedOrigin('http://[::1]:5173')).toBe('http://[::1]:5173');
    expect(await allowedOrigin('http://[::1]:5174')).toBeUndefined();
  });

  it.each([
    'com.Example.App:/cb',
    'COM.EXAMPLE.SHOP://Callback',
    'https://App.Example.COM/cb',
    'HTTP://LocalHost:3000/cb',
  ])('is redirected to %s as registered', async (redirect_uri) => {
    const config = await relyingParty(
      () => service,
      await register(admin, { is_public: true, redirect_uris: [redirect_uri] }),
    );
    const { client } = await person();
    const page = await redirectOf(client, (await begin(config, { redirect_uri })).url);
    const back = await redirectOf(client, (await decideAt(client, page)).body.redirect);
    expect(back.toLowerCase().startsWith(redirect_uri.toLowerCase())).toBe(true);
    expect(new URL(back).searchParams.get('code')).not.toBeNull();
  });
});
