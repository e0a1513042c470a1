import { Client, DatabaseError } from 'pg';
import { RequestClient } from './request-client';

describe('RequestClient behind a pooler', () => {
  it('sends nothing after a failed BEGIN and destroys the socket', async () => {
    const sent: unknown[] = [];
    const failure = new Error('no connection available');
    const answer = (text: string): Promise<object> => {
      sent.push(text);
      return text === 'BEGIN' ? Promise.reject(failure) : Promise.resolve({ rows: [] });
    };
    const pooler = jest.spyOn(Client.prototype as { query(text: string): Promise<object> }, 'query');
    pooler.mockImplementation(answer);
    const client = new RequestClient({ pipeline: false });
    const asked = Promise.allSettled(['BEGIN', 'INSERT', 'COMMIT'].map((text) => client.query(text)));
    // The socket was never open, so it does not emit `end` itself.
    setImmediate(() => {
      client.emit('end');
    });
    const results = await asked;
    pooler.mockRestore();
    expect(results).toEqual(['rejected', 'rejected', 'rejected'].map((status) => ({ status, reason: failure })));
    expect(sent).toEqual(['BEGIN']);
    expect(client.connection.stream.destroyed).toBe(true);
  });
});

describe('RequestClient after a failed statement', () => {
  /** Whether the client destroys the socket. */
  async function isDestroyedBy(severity: string, code: string): Promise<boolean> {
    const failure = Object.assign(new DatabaseError('refused', 1, 'error'), { severity, code });
    const server = jest.spyOn(Client.prototype as { query(text: string): Promise<object> }, 'query');
    server.mockRejectedValueOnce(failure);
    const client = new RequestClient({});
    // The socket was never open, so it does not emit `end` itself.
    setImmediate(() => {
      client.emit('end');
    });
    await expect(client.query('SELECT')).rejects.toBe(failure);
    server.mockRestore();
    return client.connection.stream.destroyed;
  }

  it.each([
    ['FATAL', '57P01'],
    ['FATAL', 'XX000'],
    // Localized by `lc_messages`.
    ['致命错误', '57P01'],
    ['FATALE', '57P02'],
    ['SCHWERWIEGEND', '57P03'],
    ['致命错误', '57P05'],
    ['致命错误', '25P03'],
    ['致命错误', '25P04'],
    ['致命错误', '53300'],
    ['致命错误', '08P01'],
  ])('destroys the socket after %s %s, which ends the connection', async (severity, code) => {
    expect(await isDestroyedBy(severity, code)).toBe(true);
  });

  it.each([
    ['ERROR', '23505'],
    ['FEHLER', '57014'],
    ['错误', '25P02'],
  ])('keeps the socket after %s %s', async (severity, code) => {
    expect(await isDestroyedBy(severity, code)).toBe(false);
  });
});
