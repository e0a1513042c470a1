import { Environment, NodeEnvironment } from './platform/config';
import { drainingMs, LifecycleService } from './lifecycle.service';

type Parts = ConstructorParameters<typeof LifecycleService>;

describe('drainingMs', () => {
  it.each<{ nodeEnv: NodeEnvironment; seconds: number; milliseconds: number }>([
    { nodeEnv: 'production', seconds: 20, milliseconds: 2_000 },
    { nodeEnv: 'production', seconds: 4, milliseconds: 1_000 },
    { nodeEnv: 'production', seconds: 0, milliseconds: 0 },
    { nodeEnv: 'development', seconds: 20, milliseconds: 250 },
    { nodeEnv: 'test', seconds: 20, milliseconds: 0 },
  ])('is $milliseconds ms for $nodeEnv with SHUTDOWN_SECONDS $seconds', ({ nodeEnv, seconds, milliseconds }) => {
    expect(drainingMs({ nodeEnv, shutdownSeconds: seconds } as Environment)).toBe(milliseconds);
  });
});

describe('LifecycleService', () => {
  it('closes the remaining parts when one fails to close, and throws the first error', async () => {
    const first = new Error('the cache stays open');
    const closed: string[] = [];
    const closing = (name: string, error?: Error) => async (): Promise<void> => {
      closed.push(name);
      if (error) throw error;
    };
    const parts = [
      ...[{}, { close: closing('database') }, {}, {}, {}, {}, { stop: closing('jobs') }],
      { close: closing('cache', first) },
      { close: closing('invalidations', new Error('the invalidations stay open')) },
      { flush: closing('activity') },
      {},
    ];
    const lifecycle = new LifecycleService(...(parts as unknown as Parts));
    await expect(lifecycle.onApplicationShutdown()).rejects.toBe(first);
    expect(closed).toEqual(['jobs', 'activity', 'cache', 'invalidations', 'database']);
  });
});
