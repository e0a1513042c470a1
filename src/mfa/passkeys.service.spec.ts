import type { Caller, RequestContext } from '../platform/context';
import type { RateLimit } from '../platform/http';
import type { AnsweredCeremony } from './passkey-ceremonies.service';
import { PasskeysService } from './passkeys.service';
import { fakeArguments } from '../../test/support/service/fake';

type Parts = ConstructorParameters<typeof PasskeysService>;

const ANN = { userId: 'ann' } as Caller;
const ORIGIN = { origin: 'https://id.example.com' } as RequestContext['origin'];
const CONTEXT: AnsweredCeremony = { ceremony: 'second', boundTo: 'session', origin: ORIGIN };

describe('PasskeysService', () => {
  let owned: number;
  let counter: number;
  let reported: number;
  let isDeviceBound: boolean;
  let userVerified: boolean;
  let failures: object[];
  let counted: (number | string)[][];
  let passkeys: PasskeysService;

  beforeEach(() => {
    owned = 0;
    [isDeviceBound, userVerified] = [true, true];
    failures = [];
    counted = [];
    const repository = {
      ofUser: async () => Array.from({ length: owned }),
      findByCredential: async () => ({ id: 'key', userId: 'ann', counter: `${counter}`, isDeviceBound }),
    };
    const ceremonies = {
      creationOptions: async () => 'options',
      requestOptions: async () => 'options',
      verifyAssertion: async () => ({ newCounter: reported, userVerified }),
    };
    const limiter = {
      count: async ({ setting, windowSeconds }: RateLimit, subject: string) =>
        void counted.push([setting.key, windowSeconds, subject]),
    };
    passkeys = new PasskeysService(
      ...fakeArguments<Parts>([
        { create: () => ({}) },
        repository,
        ceremonies,
        {},
        { get: async () => ({ id: 'ann', username: 'ann' }) },
        limiter,
        {
          recordFailure: async ({ action }: { action: string }, failure: object) =>
            failures.push({ action, ...failure }),
        },
      ]),
    );
  });

  it('registers twenty passkeys for each user', async () => {
    owned = 19;
    expect(await passkeys.registrationOptions(ANN, ORIGIN)).toBe('options');
    owned = 20;
    await expect(passkeys.registrationOptions(ANN, ORIGIN)).rejects.toMatchObject({ code: 'too_many_passkeys' });
  });

  it('limits the options per minute, for the user or for the client', async () => {
    await passkeys.registrationOptions(ANN, ORIGIN);
    await passkeys.loginOptions({ origin: ORIGIN, limitKey: '10.0.0.1' } as RequestContext, async () => 'browser');
    expect(counted.map(([, ...rest]) => rest)).toEqual([
      [60, 'ann'],
      [60, '10.0.0.1'],
    ]);
  });

  it.each([
    [0, 0, true],
    [0, 1, true],
    [1, 2, true],
    [5, 5, false],
    [1, 1, false],
    [1, 0, false],
  ])('compares the counter: %i before, %i now, accepted: %s', async (...[before, now, accepted]) => {
    [counter, reported] = [before, now];
    expect((await passkeys.verify(CONTEXT, 'ann', { id: 'credential' })) !== undefined).toBe(accepted);
    expect(failures).toHaveLength(accepted ? 0 : 1);
  });

  it.each([
    [true, true, ['hwk', 'user']],
    [true, false, ['hwk']],
    [false, true, ['swk', 'user']],
    [false, false, ['swk']],
  ])('names the methods (RFC 8176): device-bound %s, user verified %s: %j', async (...[bound, verified, amr]) => {
    [counter, reported, isDeviceBound, userVerified] = [0, 0, bound, verified];
    expect(await passkeys.verify(CONTEXT, 'ann', { id: 'credential' })).toMatchObject({ amr });
  });

  it('audits a possible copy', async () => {
    [counter, reported] = [5, 4];
    await passkeys.verify(CONTEXT, 'ann', { id: 'credential' });
    expect(failures).toEqual([
      {
        action: 'passkey.count',
        target: { type: 'user', id: 'ann', label: 'ann' },
        before: { id: 'key', count: 5 },
        after: { count: 4 },
        reason: 'The signature counter did not increase: the passkey may have been copied',
      },
    ]);
  });

  it('needs a user handle of the user, which only a login requires', async () => {
    [counter, reported] = [0, 1];
    const answer = (userHandle?: string): object => ({ id: 'credential', response: { userHandle } });
    const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url');
    const isAccepted = async (ceremony: string, userHandle?: string): Promise<boolean> =>
      (await passkeys.verify({ ...CONTEXT, ceremony } as AnsweredCeremony, 'ann', answer(userHandle))) !== undefined;
    for (const missing of [undefined, '']) {
      expect(await isAccepted('second', missing)).toBe(true);
      expect(await isAccepted('login', missing)).toBe(false);
    }
    expect(await isAccepted('login', handleOf('ann'))).toBe(true);
    expect(await isAccepted('login', handleOf('bob'))).toBe(false);
    expect(await isAccepted('second', handleOf('bob'))).toBe(false);
  });
});
