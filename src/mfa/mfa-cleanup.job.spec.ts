import { plannedJobs } from '../../test/support/service/planned-jobs';
import { MfaCleanupJob } from './mfa-cleanup.job';

describe('MfaCleanupJob', () => {
  it('deletes expired rows every ten minutes', () => {
    const none = {} as never;
    const planned = plannedJobs((jobs) => new MfaCleanupJob(none, none, none, none, jobs));
    expect(planned).toEqual([['expired MFA data', 600]]);
  });
});
