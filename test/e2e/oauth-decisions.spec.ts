import { Configuration } from 'openid-client';
import { Holder, holderOf } from '../support/holders';
import { begin, decideAt, logInAt, register, relyingParty, sentFrom } from '../support/oauth';
import { TestClient } from '../support/test-client';
import { PASSWORD, TestService } from '../support/test-service';

let service: TestService;
let admin: TestClient;
let config: Configuration;
let people = 0;

beforeAll(async () => {
  service = await TestService.start();
  admin = await service.admin();
  config = await relyingParty(() => service, await register(admin));
});

afterAll(() => service.stop());

const person = (): Promise<Holder> => holderOf(service, admin, `person_${people++}`);

const sentBack = async (browser: TestClient, address: string | URL): Promise<URLSearchParams> =>
  new URL(await sentFrom(browser, address)).searchParams;

describe('a login that is to be one user’s (id_token_hint)', () => {
  it.each<[string, Record<string, string>]>([
    ['somebody else was logged in', {}],
    ['it is asked for anew', { prompt: 'login' }],
  ])('is nobody else’s where %s', async (_, more) => {
    const [ann, bob] = [await person(), await person()];
    const { id_token: hint } = await logInAt(config, ann.client);
    await logInAt(config, bob.client);
    const browser = 'prompt' in more ? ann.client : bob.client;
    const page = await sentFrom(browser, (await begin(config, { ...more, id_token_hint: hint! })).url);
    expect(page).toMatch(/^\/login\?/);
    await service.logIn(bob.username, PASSWORD, browser);
    const back = await sentBack(browser, (await decideAt(browser, page)).body.redirect);
    expect([back.get('error'), back.get('code')]).toEqual(['login_required', null]);
  });

  it('is that user’s, whoever was logged in before', async () => {
    const [ann, bob] = [await person(), await person()];
    const { id_token: hint } = await logInAt(config, ann.client);
    const page = await sentFrom(bob.client, (await begin(config, { id_token_hint: hint! })).url);
    await service.logIn(ann.username, PASSWORD, bob.client);
    const back = await sentBack(bob.client, (await decideAt(bob.client, page)).body.redirect);
    expect(back.get('code')).not.toBeNull();
  });

  it('is refused at once where nobody may be asked', async () => {
    const [ann, bob] = [await person(), await person()];
    const { id_token: hint } = await logInAt(config, ann.client);
    const { url } = await begin(config, { id_token_hint: hint!, prompt: 'none' });
    expect((await sentBack(bob.client, url)).get('error')).toBe('login_required');
  });
});
