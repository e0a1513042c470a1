import { OAuthProviderAdapter, PasswordHasher } from '../../src';
import { builtInAdapters } from '../../src/oauth/login/providers/adapters';
import { PasswordLoginMethod } from '../../src/login/methods/password-login.method';
import { createLogger, PinoLog } from '../../src/platform/logging';
import {
  avatarGeneratorContract,
  ContractCase,
  logContract,
  loginMethodContract,
  oauthProviderAdapterContract,
  ownershipRuleContract,
  passwordHasherContract,
  QuickHasher,
  userCreatedListenerContract,
} from '../../src/testing';
import { IdenticonGenerator, UserCreated } from '../../src/users';
import { PASSWORD, TestService } from '../support/test-service';

function holds(name: string, cases: readonly ContractCase[]): void {
  describe(name, () => {
    for (const { name: promise, run } of cases) it(promise, run);
  });
}

/** How many of the promises are broken, and which. */
async function broken(cases: readonly ContractCase[]): Promise<string[]> {
  const names: string[] = [];
  for (const { name, run } of cases) {
    await run().catch(() => names.push(name));
  }
  return names;
}

holds(
  'Argon2PasswordHasher keeps the promises of PasswordHasher:',
  passwordHasherContract(() => ({ hasher: new QuickHasher() })),
);

holds(
  'IdenticonGenerator keeps the promises of AvatarGenerator:',
  avatarGeneratorContract(() => ({ avatars: new IdenticonGenerator() })),
);

holds(
  'PinoLog keeps the promises of Log:',
  logContract(() => {
    let text = '';
    const write = (line: string): void => {
      text += line;
    };
    const log = new PinoLog(createLogger({ level: 'debug', format: 'json', destination: { write } }));
    return { log, written: () => text };
  }),
);

/** GitHub is the plainest of those with addresses of their own. */
holds(
  'GithubAdapter keeps the promises of OAuthProviderAdapter:',
  oauthProviderAdapterContract(() => ({
    adapter: builtIn('github'),
    subject: '4711',
    answer: ({ url }) => {
      if (url.endsWith('/access_token')) return { text: '{"access_token":"token","token_type":"bearer"}' };
      return { text: url.endsWith('/emails') ? '[]' : '{"id":4711,"login":"ann"}' };
    },
  })),
);

function builtIn(template: string): OAuthProviderAdapter {
  const found = builtInAdapters.map((BuiltIn) => new BuiltIn()).find((adapter) => adapter.template === template);
  if (!found) throw new Error(`No adapter ${template}`);
  return found;
}

describe('PasswordLoginMethod keeps the promises of LoginMethod:', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
    await service.register('ann');
  });

  afterAll(() => service.stop());

  const login = (username: string, password: string) => ({ type: 'password', username, password });
  const cases = loginMethodContract(() => ({
    method: service.app.get(PasswordLoginMethod, { strict: false }),
    right: login('ann', PASSWORD),
    wrong: login('ann', 'another password'),
    unknown: login('nobody_here', PASSWORD),
    otherSpelling: login('ANN', PASSWORD),
  }));
  for (const { name, run } of cases) it(name, run);
});

describe('the contracts find who breaks a promise:', () => {
  it('a hasher without salt, that trims and cuts', async () => {
    class Plain extends PasswordHasher {
      async hash(plaintext: string): Promise<string> {
        return `plain:${plaintext.trim().slice(0, 72)}`;
      }
      async verify(plaintext: string, hash: string): Promise<boolean> {
        return hash === (await this.hash(plaintext));
      }
      needsRehash(hash: string): boolean {
        return !hash.startsWith('plain:');
      }
    }
    expect(await broken(passwordHasherContract(() => ({ hasher: new Plain() })))).toEqual([
      'salts: two hashes of one password differ',
      'keeps no plaintext in the hash',
      'judges the same in NFD: true',
      'judges a trimmed one: false',
      'judges one with a line feed after it: false',
      'tells passwords apart that are equal in their first 72 bytes, or end in a NUL',
    ]);
  });

  it('an avatar that runs, and is the same for everybody', async () => {
    const avatars = { draw: () => '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>' };
    expect(await broken(avatarGeneratorContract(() => ({ avatars })))).toEqual([
      'draws something else for another seed',
      'draws nothing that runs or calls somewhere',
    ]);
  });

  it('a listener that waits for too long, and one that changes what others are told', async () => {
    const slow = (): Promise<void> =>
      new Promise((resolve) => {
        setTimeout(resolve, 2_050);
      });
    expect(await broken(userCreatedListenerContract(() => ({ listener: slow })).slice(0, 1))).toHaveLength(1);
    const meddling = (event: UserCreated): void => {
      (event as { username: string }).username = 'other';
    };
    expect(await broken(userCreatedListenerContract(() => ({ listener: meddling })))).toHaveLength(5);
    expect(await broken(userCreatedListenerContract(() => ({ listener: () => undefined })))).toEqual([]);
  });

  it('a rule that believes the path', async () => {
    const owner = '01a1fcfd-d324-7086-b13c-161f5f739618';
    const believing = { isOwner: async (_: unknown, { id = '' }) => id !== 'unowned' };
    const cases = ownershipRuleContract(() => ({ rule: believing, owner, params: { id: 'i-1' } }));
    expect((await broken(cases)).length).toBeGreaterThan(cases.length / 2);
    const rule = { isOwner: async ({ userId }: { userId: string }, { id = '' }) => id === 'i-1' && userId === owner };
    expect(await broken(ownershipRuleContract(() => ({ rule, owner, params: { id: 'i-1' } })))).toEqual([]);
  });

  it('an adapter that takes anybody for the person', async () => {
    class Careless extends OAuthProviderAdapter {
      readonly template = 'careless';
      readonly preset = {
        ...builtIn('github').preset,
        mapping: { ...builtIn('github').preset.mapping, subject: 'id' },
      };
      override async claims(): Promise<Record<string, unknown>> {
        return { id: 'anybody' };
      }
    }
    const cases = oauthProviderAdapterContract(() => ({
      adapter: new Careless(),
      subject: 'anybody',
      answer: () => ({ text: '{"access_token":"token"}' }),
    }));
    expect(await broken(cases)).toEqual(['takes nobody for the person without a subject']);
  });
});
