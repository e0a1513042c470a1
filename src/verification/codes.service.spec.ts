import type { RequestContext } from '../platform/context';
import type { User } from '../users';
import type { CodeOrder } from './code-delivery.service';
import { CodesService } from './codes.service';
import type { CodeTarget } from './code-targets.service';
import { fakeArguments } from '../../test/support/service/fake';

type Parts = ConstructorParameters<typeof CodesService>;

const EMAIL: CodeTarget = { channel: 'email', key: 'ann@example.com', address: 'Ann@example.com' };
const SMS: CodeTarget = { channel: 'sms', key: '+491701234567', address: '+491701234567' };
const userWith = (fields: Partial<User> = {}): User => {
  const contacts = { email: EMAIL.address, emailKey: EMAIL.key, phone: SMS.key };
  const user = { id: 'ann', status: 'active', locale: 'zh', emailVerified: true, phoneVerified: true };
  return { ...user, ...contacts, ...fields } as User;
};
const ANN = userWith();

describe('CodesService for resets', () => {
  let offered: string[];
  let done: string[];
  let delivered: CodeOrder[];
  let codes: CodesService;

  beforeEach(() => {
    offered = ['email', 'sms'];
    done = [];
    delivered = [];
    codes = new CodesService(
      ...fakeArguments<Parts>([
        { findOwner: async () => ANN },
        {},
        { isOffered: async (channel: string) => offered.includes(channel) },
        { reserve: async (_: CodeTarget, client: string) => done.push(`reserved for ${client}`) },
        { deliver: async (order: CodeOrder) => delivered.push(order) },
        { get: async ({ fallback }: { fallback: number }) => fallback },
        {
          afterCommit: (work: () => void) => {
            done.push('after the commit');
            work();
          },
        },
        { runInBackground: ({ run }: { run: () => Promise<void> }) => run() },
      ]),
    );
  });

  it('chooses a verified contact on an available channel, e-mail first', async () => {
    expect(await codes.resetTarget(ANN)).toEqual(EMAIL);
    expect(await codes.resetTarget(userWith({ emailVerified: false }))).toEqual(SMS);
    offered = ['sms'];
    expect(await codes.resetTarget(ANN)).toEqual(SMS);
    offered = [];
    await expect(codes.resetTarget(ANN)).rejects.toMatchObject({ code: 'verification_disabled' });
    const unverified = userWith({ emailVerified: false, phoneVerified: false });
    await expect(codes.resetTarget(unverified)).rejects.toMatchObject({ code: 'no_verified_contact' });
  });

  it('sends to the owner after the commit, within the limits', async () => {
    await codes.sendReset(EMAIL, { limitKey: '10.0.0.1', language: 'en' } as RequestContext);
    expect(done).toEqual(['reserved for 10.0.0.1', 'after the commit']);
    await new Promise(setImmediate);
    expect(delivered).toMatchObject([
      { purpose: 'reset_password', language: 'zh', target: EMAIL, holder: { userId: 'ann', sessionId: null } },
    ]);
  });
});
