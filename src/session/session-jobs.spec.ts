import { plannedJobs } from '../../test/support/service/planned-jobs';
import { SessionActivityService } from './store/session-activity.service';
import { SessionCleanupJob } from './session-cleanup.job';
import { SessionKeysService } from './session-keys.service';
import { SessionMetricsJob } from './session-metrics.job';

const none = {} as never;
const startup = { add: () => undefined } as never;
const metrics = { gauge: () => undefined, gauges: () => undefined } as never;

describe('periodic jobs of sessions', () => {
  it('write activity every minute', () => {
    const planned = plannedJobs((jobs) => new SessionActivityService(none, none, jobs));
    expect(planned).toEqual([['session activity', 60]]);
  });

  it('delete ended sessions every ten minutes', () => {
    expect(plannedJobs((jobs) => new SessionCleanupJob(none, jobs))).toEqual([['ended sessions', 600]]);
  });

  it('retire superseded keys every hour', () => {
    const planned = plannedJobs((jobs) => new SessionKeysService(none, none, none, none, none, startup, jobs));
    expect(planned).toEqual([['superseded signing keys', 3_600]]);
  });

  it('read the metrics of keys every minute and count sessions every five', () => {
    expect(plannedJobs((jobs) => new SessionMetricsJob(none, none, metrics, none, jobs))).toEqual([
      ['metrics of signing keys', 60],
      ['metrics of sessions', 300],
    ]);
  });
});
