import { authorizationCodeGrant } from 'openid-client';
import { parEnabled } from '../../src/oauth/server/authorization-server.settings';
import { anyHolder, Holder } from '../support/holders';
import {
  authorize,
  begin,
  CALLBACK,
  decideAt,
  post,
  questionAt,
  register,
  relyingParty,
  sentFrom,
} from '../support/oauth';
import { TestClient } from '../support/test-client';
import { TestService } from '../support/test-service';
import { withService } from '../support/with-service';

const LOOPBACK = 'http://127.0.0.1:49152/callback';
const PRIVATE = 'com.example.shop:/callback';
const NATIVE = { is_public: true, redirect_uris: [LOOPBACK, PRIVATE, CALLBACK] };

let service: TestService;
let admin: TestClient;

withService(async (started) => {
  service = started;
  admin = await service.admin();
});

const person = (): Promise<Holder> => anyHolder(service, admin);

/** Returns a function that repeats an authorization request whose scopes the user has already allowed. */
async function askedAgain(more: object, redirect_uri: string): Promise<(again?: object) => Promise<string>> {
  const config = await relyingParty(() => service, await register(admin, more));
  const { client } = await person();
  await authorize(client, (await begin(config, { redirect_uri })).url);
  return async (again = {}) => sentFrom(client, (await begin(config, { redirect_uri, ...again })).url);
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
    const page = await sentFrom(client, url);
    expect((await questionAt(client, page)).body.scopes.map(({ name }) => name)).toEqual(['openid', 'profile']);
    const back = await sentFrom(client, (await decideAt(client, page)).body.redirect);
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
      expect(await sentFrom(client, `/api/oauth/authorize?${query.toString()}`)).toContain('error=consent_required');
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
