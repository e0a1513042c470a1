import { Configuration } from 'openid-client';
import { holderOf } from '../support/holders';
import { begin, decideAt, register, relyingParty, sentFrom } from '../support/oauth';
import { TestClient } from '../support/test-client';
import { PASSWORD, TEST_KEYS, TestService } from '../support/test-service';

const NEW_KEY = `new:${Buffer.from('vutsrqponmlkjihgfedcba9876543210').toString('base64url')}`;

let service: TestService;
let admin: TestClient;
let config: Configuration;
let people = 0;

beforeEach(async () => {
  service = await TestService.start();
  admin = await service.admin();
  config = await relyingParty(() => service, await register(admin));
});

afterEach(async () => {
  await service.stop();
});

/** The same browser, served by another instance. */
function at(other: TestService, browser: TestClient): TestClient {
  const moved = new TestClient(other.app);
  for (const [name, value] of browser.jar) moved.jar.set(name, value);
  return moved;
}

const nameOfNewPerson = async (): Promise<string> => {
  const { username } = await holderOf(service, admin, `differing_${people++}`);
  return username;
};

describe('a login that is under way while ENCRYPTION_KEYS change', () => {
  const withKeys = (keys: string): Promise<TestService> => service.another({ environment: { ENCRYPTION_KEYS: keys } });

  it('goes on at an instance that has the new key first, and back at one that has it behind', async () => {
    const ahead = await withKeys(`${NEW_KEY},${TEST_KEYS}`);
    const behind = await withKeys(`${TEST_KEYS},${NEW_KEY}`);
    for (const [from, to] of [
      [service, ahead],
      [ahead, behind],
    ] as const) {
      const username = await nameOfNewPerson();
      const browser = from.client();
      const page = await sentFrom(browser, (await begin(config)).url);
      const moved = at(to, browser);
      await to.logIn(username, PASSWORD, moved);
      const { redirect } = (await decideAt(moved, page)).body;
      expect(await sentFrom(moved, redirect)).toMatch(/^\/consent\?/);
    }
  });

  it('is not taken on by an instance that lacks the key', async () => {
    const ahead = await withKeys(`${NEW_KEY},${TEST_KEYS}`);
    const browser = ahead.client();
    const page = await sentFrom(browser, (await begin(config)).url);
    const moved = at(service, browser);
    await service.logIn(await nameOfNewPerson(), PASSWORD, moved);
    const { redirect } = (await decideAt(moved, page)).body;
    expect((await moved.get(new URL(redirect).pathname)).status).toBe(400);
  });
});
