import type { RequestContext } from '../platform/context';
import { TestMessagesService } from './test-messages.service';
import { fakeArguments } from '../../test/support/service/fake';

type Parts = ConstructorParameters<typeof TestMessagesService>;

describe('TestMessagesService', () => {
  const reserved: unknown[] = [];
  const send = (outcome: string, isOffered = true): Promise<string> => {
    reserved.length = 0;
    const messages = new TestMessagesService(
      ...fakeArguments<Parts>([
        { find: () => ({ channel: 'email' }), send: async () => outcome },
        { read: async (channel: string, text: string) => ({ channel, key: text, address: text }) },
        { reserveSample: async (_: object, client: string) => reserved.push(client) },
        { isOffered: async () => isOffered },
      ]),
    );
    return messages.send({} as never, 'ann@example.com', { limitKey: '10.0.0.1' } as RequestContext);
  };

  it.each(['accepted', 'unknown'])('returns the outcome %s', async (outcome) => {
    expect(await send(outcome)).toBe(outcome);
    expect(reserved).toEqual(['10.0.0.1']);
  });

  it.each(['rejected', 'throttled'])('reports the outcome %s as an error', async (outcome) => {
    await expect(send(outcome)).rejects.toMatchObject({ code: 'delivery_failed' });
  });

  it('sends nothing through a channel that is not set up', async () => {
    await expect(send('accepted', false)).rejects.toMatchObject({ code: 'verification_disabled' });
    expect(reserved).toEqual([]);
  });
});
