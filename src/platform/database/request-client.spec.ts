import { Client } from 'pg';
import { RequestClient } from './request-client';

describe('a connection by way of a pooler', () => {
  it('sends nothing after a BEGIN that was refused, and is cut', async () => {
    const sent: unknown[] = [];
    const refusal = new Error('no connection to be had');
    const answer = (text: string): Promise<object> => {
      sent.push(text);
      return text === 'BEGIN' ? Promise.reject(refusal) : Promise.resolve({ rows: [] });
    };
    const pooler = jest.spyOn(Client.prototype as { query(text: string): Promise<object> }, 'query');
    pooler.mockImplementation(answer);
    const client = new RequestClient({ pipeline: false });
    const asked = Promise.allSettled(['BEGIN', 'INSERT', 'COMMIT'].map((text) => client.query(text)));
    // Its socket was never open, so nobody else says that it has ended.
    setImmediate(() => {
      client.emit('end');
    });
    const results = await asked;
    pooler.mockRestore();
    expect(results).toEqual(['rejected', 'rejected', 'rejected'].map((status) => ({ status, reason: refusal })));
    expect(sent).toEqual(['BEGIN']);
    expect(client.connection.stream.destroyed).toBe(true);
  });
});
