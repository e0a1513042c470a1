import { Scheduler } from '../../src/platform/jobs';
import { readinessOf } from '../../src/standalone';
import { expectProblem } from '../support/service/expect-problem';
import { Problem } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';

jest.setTimeout(60_000);

describe('start with pending migrations', () => {
  let owner: TestService;

  beforeAll(async () => {
    owner = await TestService.start();
  });

  afterAll(() => owner.stop());

  it('serves only health and metrics, runs no jobs, and opens once the schema exists', async () => {
    await owner.query('ALTER TABLE castellan_migration RENAME TO migration_elsewhere');
    const jobs = jest.spyOn(Scheduler.prototype, 'start');
    const service = await owner.another({ environment: { MIGRATE_ON_START: 'false' } });
    const client = service.client();
    client.address = '127.0.0.1';
    const statuses = async (): Promise<number[]> => {
      const answers = [
        await client.get('/health/live'),
        await client.get('/metrics', { remoteAddress: '127.0.0.1' }),
        await client.get('/health/ready'),
        await client.get('/api/info'),
      ];
      return answers.map(({ status }) => status);
    };
    const rejected = await client.post<Problem>('/api/auth/login', { type: 'password', username: 'a', password: 'b' });
    expectProblem(rejected, 503, 'unavailable');
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect(await statuses()).toEqual([200, 200, 503, 503]);
    expect(jobs).not.toHaveBeenCalled();
    const readiness = readinessOf(service.app);
    expect(readiness.isPrepared).toBe(false);

    await owner.query('ALTER TABLE migration_elsewhere RENAME TO castellan_migration');
    await eventually(statuses, (found) => found.join() === '200,200,200,200', 15);
    expect(jobs).toHaveBeenCalledTimes(1);
    await readiness.whenPrepared;
    expect(readiness.isPrepared).toBe(true);
  });
});
