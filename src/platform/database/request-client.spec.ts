import { Client, DatabaseError } from 'pg';
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

describe('a connection whose statement the server refuses', () => {
  /** Whether it is cut then. */
  async function isCutBy(severity: string, code: string): Promise<boolean> {
    const refusal = Object.assign(new DatabaseError('refused', 1, 'error'), { severity, code });
    const server = jest.spyOn(Client.prototype as { query(text: string): Promise<object> }, 'query');
    server.mockRejectedValueOnce(refusal);
    const client = new RequestClient({});
    // Its socket was never open, so nobody else says that it has ended.
    setImmediate(() => {
      client.emit('end');
    });
    await expect(client.query('SELECT')).rejects.toBe(refusal);
    server.mockRestore();
    return client.connection.stream.destroyed;
  }

  it.each([
    ['FATAL', '57P01'],
    ['FATAL', 'XX000'],
    // As `lc_messages` has it.
    ['致命错误', '57P01'],
    ['FATALE', '57P02'],
    ['SCHWERWIEGEND', '57P03'],
    ['致命错误', '57P05'],
    ['致命错误', '25P03'],
    ['致命错误', '25P04'],
    ['致命错误', '53300'],
    ['致命错误', '08P01'],
  ])('is given up where it hangs up: %s %s', async (severity, code) => {
    expect(await isCutBy(severity, code)).toBe(true);
  });

  it.each([
    ['ERROR', '23505'],
    ['FEHLER', '57014'],
    ['错误', '25P02'],
  ])('is kept after %s %s', async (severity, code) => {
    expect(await isCutBy(severity, code)).toBe(false);
  });
});
