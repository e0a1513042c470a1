import { plannedJobs } from '../../test/support/service/planned-jobs';
import { CodeCleanupJob } from './code-cleanup.job';

describe('CodeCleanupJob', () => {
  it('deletes expired codes every ten minutes', () => {
    const none = {} as never;
    expect(plannedJobs((jobs) => new CodeCleanupJob(none, none, jobs))).toEqual([['expired codes', 600]]);
  });
});
