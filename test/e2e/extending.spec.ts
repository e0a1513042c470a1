import {
  AvatarGenerator,
  AvatarPictures,
  KeyValueCache,
  Log,
  Mailer,
  OAuthProviderAdapter,
  OwnershipRule,
  PasswordHasher,
  SmsSender,
} from '../../src';
import type { UserCreatedListener } from '../../src';
import * as testing from '../../src/testing';
import type { ContractCase, SenderUnderTest } from '../../src/testing';
import { recipe, recipeNames } from '../support/hosts/recipe-loader';
import { answer, Vendor } from '../support/servers/sms-vendors';

const made = <T>(name: string, of: string): T => new (recipe(name)[of] as new () => T)();

function holds(name: string, cases: readonly ContractCase[]): void {
  describe(`recipe ${name} fulfils its contract:`, () => {
    for (const { name: promise, run } of cases) it(promise, run);
  });
}

interface Gateway {
  url: string | undefined;
  patienceMs: number;
}

async function senderOf<Port>(of: string): Promise<SenderUnderTest<Port>> {
  let isSilent = false;
  const vendor = await Vendor.start(() => (isSilent ? () => undefined : answer(202, {})));
  const gateway = made<Gateway>('house-messages', 'HouseGateway');
  Object.assign(gateway, { url: vendor.origin, patienceMs: 1_500 });
  const Sender = recipe('house-messages')[of] as new (gateway: Gateway) => Port;
  return {
    sender: new Sender(gateway),
    handedOver: () => vendor.requests.length,
    fallSilent: () => {
      isSilent = true;
    },
    goAway: () => vendor.stop(),
    close: () => vendor.stop(),
  };
}

holds(
  'PasswordHasher',
  testing.passwordHasherContract(() => ({ hasher: made<PasswordHasher>('scrypt-hasher', 'ScryptHasher') })),
);
holds(
  'AvatarGenerator',
  testing.avatarGeneratorContract(() => ({ avatars: made<AvatarGenerator>('disc-avatars', 'DiscAvatars') })),
);
holds(
  'AvatarPictures',
  testing.avatarPicturesContract(() => ({
    pictures: made<AvatarPictures>('memory-pictures', 'MemoryPictures'),
    userIds: ['ann', 'bob'],
  })),
);
holds(
  'KeyValueCache',
  testing.keyValueCacheContract(() => {
    let ahead = 0;
    const real = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + ahead);
    const advance = (milliseconds: number): void => {
      ahead += milliseconds;
    };
    const close = (): void => {
      clock.mockRestore();
    };
    return { cache: made<KeyValueCache>('process-cache', 'ProcessCache'), advance, close };
  }),
);
holds(
  'Mailer',
  testing.mailerContract(() => senderOf<Mailer>('HouseMailer')),
);
holds(
  'SmsSender',
  testing.smsSenderContract(() => senderOf<SmsSender>('HouseSms')),
);
holds(
  'OAuthProviderAdapter',
  testing.oauthProviderAdapterContract(() => ({
    adapter: made<OAuthProviderAdapter>('intranet.adapter', 'IntranetAdapter'),
    configuration: { params: { domain: 'intranet.example' } },
    subject: '4711',
    answer: ({ url }) => ({
      text: url.endsWith('/oauth/token') ? '{"access_token":"token"}' : '{"person":{"number":4711,"name":"Ann"}}',
    }),
  })),
);
holds(
  'Log',
  testing.logContract(() => {
    let lines = '';
    const LineLog = recipe('line-log')['LineLog'] as new (write: (line: string) => void) => Log;
    const log = new LineLog((line) => {
      lines += line;
    });
    return { log, written: () => lines };
  }),
);
holds(
  '@OnUserCreate()',
  testing.userCreatedListenerContract(() => {
    const welcome = made<{ greet: UserCreatedListener }>('welcome', 'Welcome');
    return { listener: (event) => welcome.greet(event) };
  }),
);
holds(
  'OwnershipRule',
  testing.ownershipRuleContract(() => {
    const owner = '01a1fcfd-d324-7086-b13c-161f5f739618';
    const notes = new Map([
      ['n-1', { owner, text: 'mine' }],
      ['n-2', { owner: null, text: 'nobody’s' }],
    ]);
    const OwnNote = recipe('notes')['OwnNote'] as new (notes: unknown) => OwnershipRule;
    return { rule: new OwnNote(notes), owner, params: { id: 'n-1' }, unowned: { id: 'n-2' } };
  }),
);

describe('tests of the pages', () => {
  for (const name of recipeNames()) if (name.endsWith('.spec')) recipe(name);
});
