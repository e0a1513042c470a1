import { Environment } from '../config';
import { DatabaseServerRepository } from '../database';
import { Scheduler } from '../jobs';
import type { Log } from '../logging';
import { MemoryCache } from './memory-cache';
import { SharedRedisJob } from './shared-redis.job';
import { fake } from '../../../test/support/service/fake';

describe('SharedRedisJob', () => {
  const planned: string[] = [];
  const jobs = fake<Scheduler>({ every: (_: number, { name }: { name: string }) => planned.push(name) });
  const cache = new MemoryCache();

  function serviceOn(identity: string | undefined, redisUrl?: string): { job: SharedRedisJob; warnings: string[] } {
    const warnings: string[] = [];
    const log = fake<Log>({ warn: (message: string) => warnings.push(message) });
    const server = fake<DatabaseServerRepository>({ identity: async () => identity });
    const environment = { redisUrl, serviceScope: 'iam' } as Environment;
    return { job: new SharedRedisJob(cache, server, log, environment, jobs), warnings };
  }

  afterAll(() => cache.close());

  it('warns once about another database, but not about instances of one service', async () => {
    const [one, same, other] = [serviceOn('1/5'), serviceOn('1/5'), serviceOn('1/6')];
    for (const { job } of [one, same, other, other, one]) await job.compare('iam');
    expect([one.warnings, same.warnings]).toEqual([[], []]);
    expect(other.warnings).toEqual([expect.stringContaining('same Redis')]);
  });

  it('does not warn if the database hides its identity', async () => {
    const { job, warnings } = serviceOn(undefined);
    await job.compare('iam');
    expect(warnings).toEqual([]);
  });

  it('is scheduled only if Redis is configured', () => {
    planned.length = 0;
    serviceOn('1/5').job.onModuleInit();
    expect(planned).toEqual([]);
    serviceOn('1/5', 'redis://localhost').job.onModuleInit();
    expect(planned).toEqual(['detect services that share a Redis']);
  });
});
