import { Environment, NodeEnvironment } from '../../platform/config';
import { drainingMs } from './lifecycle.service';

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
