import { Logger } from '@nestjs/common';
import { OAuthProviderAdapter, PasswordHasher } from '../../src';
import { AvatarPictures, IdenticonGenerator, Picture } from '../../src/users/avatars';
import { builtInAdapters } from '../../src/oauth/login/providers/adapters';
import { PasswordLoginMethod } from '../../src/auth/login/methods/password-login.method';
import { createLogger, NestLog, PinoLog } from '../../src/platform/logging';
import {
  avatarGeneratorContract,
  avatarPicturesContract,
  ContractCase,
  logContract,
  loginMethodContract,
  oauthProviderAdapterContract,
  ownershipRuleContract,
  passwordHasherContract,
  QuickHasher,
  userCreatedListenerContract,
} from '../../src/testing';
import { UserCreated } from '../../src/users';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

function holds(name: string, cases: readonly ContractCase[]): void {
  describe(name, () => {
    for (const { name: promise, run } of cases) it(promise, run);
  });
}

/** Names of the failing cases. */
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

holds(
  'NestLog keeps the promises of Log, in the logger of the application:',
  logContract(() => {
    let text = '';
    const write = (...parts: unknown[]): void => {
      text += `${parts.join(' ')}\n`;
    };
    Logger.overrideLogger({ log: write, error: write, warn: write, debug: write });
    const close = (): void => {
      Logger.overrideLogger(false);
    };
    return { log: new NestLog(), written: () => text, close };
  }),
);

/** GitHub is the simplest adapter with fixed addresses. */
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

describe('PasswordLoginMethod fulfils the contract of LoginMethod:', () => {
  let service: TestService;

  withService(async (started) => {
    service = started;
    await service.register('ann');
  });

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

describe('AvatarPictureRepository keeps the promises of AvatarPictures:', () => {
  let service: TestService;
  let userIds: [string, string];

  beforeAll(async () => {
    service = await TestService.start();
    const idOf = async (username: string): Promise<string> => {
      const { body } = await (await service.signUp(username)).get<{ id: string }>('/api/auth/me');
      return body.id;
    };
    userIds = [await idOf('ann'), await idOf('bob')];
  });

  afterAll(() => service.stop());

  const cases = avatarPicturesContract(() => ({
    pictures: service.app.get(AvatarPictures, { strict: false }),
    userIds,
    close: async () => {
      await service.query('DELETE FROM avatar_picture');
    },
  }));
  for (const { name, run } of cases) it(name, run);
});

describe('contracts reject', () => {
  it('pictures that are found by their end and never deleted', async () => {
    class Heap extends AvatarPictures {
      private readonly kept: (Picture & { readonly name: string })[] = [];
      async add(_: string, name: string, picture: Picture): Promise<void> {
        this.kept.push({ name, format: 'png', content: picture.content });
      }
      async find(name: string): Promise<Picture | undefined> {
        return this.kept.find((picture) => picture.name.endsWith(name.slice(-1)));
      }
      async deleteOthers(): Promise<void> {}
    }
    expect(await broken(avatarPicturesContract(() => ({ pictures: new Heap(), userIds: ['ann', 'bob'] })))).toEqual([
      'finds a picture by its name, unchanged',
      'deletes the other pictures of the user only',
      'deletes all pictures of the user',
    ]);
  });

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
      'salts, so that two hashes of one password differ',
      'keeps no plaintext in the hash',
      'verifies the password in NFD: true',
      'verifies the trimmed password: false',
      'verifies the password with a line feed appended: false',
      'distinguishes passwords with the same first 72 bytes, or with a NUL',
    ]);
  });

  it('an avatar that contains a script and is the same for every seed', async () => {
    const avatars = { draw: () => '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>' };
    expect(await broken(avatarGeneratorContract(() => ({ avatars })))).toEqual([
      'draws different avatars for different seeds',
      'draws no scripts and no external references',
    ]);
  });

  it('a listener that waits too long, and one that changes the event', async () => {
    const slow = (): Promise<void> =>
      new Promise((resolve) => {
        setTimeout(resolve, 2_050);
      });
    expect(await broken(userCreatedListenerContract(() => ({ listener: slow })).slice(0, 1))).toHaveLength(1);
    const meddling = (event: UserCreated): void => {
      (event as { username: string }).username = 'other';
    };
    expect(await broken(userCreatedListenerContract(() => ({ listener: meddling })))).toHaveLength(6);
    expect(await broken(userCreatedListenerContract(() => ({ listener: () => undefined })))).toEqual([]);
  });

  it('a rule that trusts the path', async () => {
    const owner = '01a1fcfd-d324-7086-b13c-161f5f739618';
    const believing = { isOwner: async (_: unknown, { id = '' }) => id !== 'unowned' };
    const cases = ownershipRuleContract(() => ({ rule: believing, owner, params: { id: 'i-1' } }));
    expect((await broken(cases)).length).toBeGreaterThan(cases.length / 2);
    const rule = { isOwner: async ({ userId }: { userId: string }, { id = '' }) => id === 'i-1' && userId === owner };
    expect(await broken(ownershipRuleContract(() => ({ rule, owner, params: { id: 'i-1' } })))).toEqual([]);
  });

  it('an adapter that accepts any user', async () => {
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
    expect(await broken(cases)).toEqual(['rejects a profile without a subject']);
  });
});
