import { ShutdownService } from './shutdown.service';

type Parts = ConstructorParameters<typeof ShutdownService>;

describe('ShutdownService', () => {
  it('closes the remaining parts when one fails to close, and throws the first error', async () => {
    const first = new Error('the cache stays open');
    const closed: string[] = [];
    const closing = (name: string, error?: Error) => async (): Promise<void> => {
      closed.push(name);
      if (error) throw error;
    };
    const parts = [
      { stop: closing('jobs') },
      { flush: closing('activity') },
      { close: closing('cache', first) },
      { close: closing('invalidations', new Error('the invalidations stay open')) },
      { close: closing('database') },
      {},
    ];
    const shutdown = new ShutdownService(...(parts as unknown as Parts));
    await expect(shutdown.onApplicationShutdown()).rejects.toBe(first);
    expect(closed).toEqual(['jobs', 'activity', 'cache', 'invalidations', 'database']);
  });
});
