import type { User } from '../users';
import { CodeDeliveryService, CodeOrder } from './code-delivery.service';
import { fakeArguments } from '../../test/support/service/fake';

type Parts = ConstructorParameters<typeof CodeDeliveryService>;

const ORDER: CodeOrder = {
  purpose: 'login',
  target: { channel: 'email', key: 'ann@example.com', address: 'Ann@example.com' },
  language: 'en',
  holder: { userId: 'ann', sessionId: null },
};

describe('CodeDeliveryService', () => {
  let recorded: object[];
  let sent: { readonly values?: { readonly minutes?: string } }[];
  let withdrawn: unknown[];

  beforeEach(() => {
    recorded = [];
    sent = [];
    withdrawn = [];
  });

  const deliver = (order: CodeOrder, send: () => Promise<string>, ttl = 600): Promise<string> => {
    const settings = [ttl, 6];
    const delivery = new CodeDeliveryService(
      ...fakeArguments<Parts>([
        { insert: async () => undefined, withdraw: async (id: string) => withdrawn.push(id) },
        { digest: () => 'digest' },
        { send: (message: object) => (sent.push(message), send()) },
        { get: async () => settings.shift() },
        { run: (work: () => Promise<unknown>) => work() },
        { record: async ({ action }: { action: string }, entry: object) => recorded.push({ action, ...entry }) },
      ]),
    );
    return delivery.deliver(order);
  };

  it.each([
    [30, '1'],
    [119, '1'],
    [120, '2'],
    [600, '10'],
  ])('contains whole minutes in the message: %i s -> %s', async (ttl, minutes) => {
    await deliver(ORDER, () => Promise.resolve('accepted'), ttl);
    expect(sent[0]?.values?.minutes).toBe(minutes);
  });

  it('audits the masked recipient, for the user or for the code alone', async () => {
    const after = { purpose: 'login', channel: 'email', to: 'a***@example.com' };
    await deliver({ ...ORDER, user: { id: 'ann-id', username: 'ann' } as User }, () => Promise.resolve('accepted'));
    await deliver({ ...ORDER, holder: { userId: null, sessionId: null } }, () => Promise.resolve('accepted'));
    expect(recorded).toMatchObject([
      { action: 'code.send', target: { type: 'user', id: 'ann-id' }, after },
      { action: 'code.send', target: { type: 'code' }, after },
    ]);
    expect(sent[0]).toMatchObject({ userId: 'ann', target: 'Ann@example.com' });
    expect(sent[1]).not.toHaveProperty('userId');
  });

  it('withdraws a code that cannot have arrived', async () => {
    await deliver(ORDER, () => Promise.resolve('accepted'));
    await deliver(ORDER, () => Promise.resolve('unknown'));
    expect(withdrawn).toEqual([]);
    await deliver(ORDER, () => Promise.resolve('rejected'));
    await expect(deliver(ORDER, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(withdrawn).toHaveLength(2);
  });
});
