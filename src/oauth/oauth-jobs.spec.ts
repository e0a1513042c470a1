import { plannedJobs } from '../../test/support/service/planned-jobs';
import { FlowCleanupJob } from './login/flow/flow-cleanup.job';
import { LogoutMetricsJob } from './server/logout/logout-metrics.job';
import { OAuthKeysService } from './server/oauth-keys.service';
import { SessionsEndedListener } from './server/logout/sessions-ended.listener';

const none = {} as never;
const events = { on: () => undefined } as never;
const metrics = { gauge: () => undefined } as never;

describe('periodic jobs of OAuth', () => {
  it('delete expired logins at providers every five minutes', () => {
    const planned = plannedJobs((jobs) => new FlowCleanupJob(none, none, jobs));
    expect(planned).toEqual([['expired logins at providers', 300]]);
  });

  it('read the lag of logout notices every minute', () => {
    const planned = plannedJobs((jobs) => new LogoutMetricsJob(none, metrics, jobs));
    expect(planned).toEqual([['metrics of logout notices', 60]]);
  });

  it('maintain the signing keys every hour', () => {
    const planned = plannedJobs((jobs) => new OAuthKeysService(none, none, none, jobs));
    expect(planned).toEqual([['OAuth signing keys', 3_600]]);
  });

  it('clean up after sessions, and take up due logout notices', () => {
    expect(plannedJobs((jobs) => new SessionsEndedListener(none, none, none, none, jobs, events))).toEqual([
      ['expired OAuth tokens', 600],
      ['tokens of ended sessions', 600],
      ['pending logout notices', 1],
    ]);
  });
});
