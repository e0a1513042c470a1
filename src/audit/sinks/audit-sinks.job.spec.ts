import { RecordingLog } from '../../../test/support/service/recording-log';
import { AuditEvent } from '../log/audit-event.entity';
import { AuditLogRepository } from '../log/audit-log.repository';
import { AuditPositionRepository } from '../log/audit-position.repository';
import { Environment } from '../../platform/config';
import { AuditSinkConfig } from './audit-sink.variables';
import { Scheduler } from '../../platform/jobs';
import { MetricsService } from '../../platform/metrics';
import { AuditSenderService } from './audit-sender.service';
import { AuditSinkError } from './audit-sink-error';
import { AuditSinkRepository, LeasedSink } from './audit-sink.repository';
import { AuditSinksJob } from './audit-sinks.job';
import { fake } from '../../../test/support/service/fake';

const SINK = { kind: 'ndjson' } as AuditSinkConfig;
const EVENT = { id: 'e1', position: '1', action: 'login', at: new Date(0) } as AuditEvent;

describe('AuditSinksJob', () => {
  const done: string[] = [];
  let log: RecordingLog;
  let counted: string[];

  beforeEach(() => {
    done.length = 0;
    counted = [];
    log = new RecordingLog();
  });

  /** Sends one event to a receiver that rejects it, after earlier rejections. */
  async function rejectAfter(before: Pick<LeasedSink, 'failures' | 'rejections'>): Promise<void> {
    let places: LeasedSink[] = [{ position: '0', id: 'e0', ...before }];
    const sinks = {
      ensure: async () => undefined,
      take: async () => places.pop(),
      postpone: async () => void done.push('postponed'),
      release: async () => undefined,
      advance: async () => {
        places = [];
        done.push(`advanced after ${counted.join()} and ${log.lines.map(({ level }) => level).join()}`);
      },
    };
    const job = new AuditSinksJob(
      sinks as unknown as AuditSinkRepository,
      fake<AuditSenderService>({ send: () => Promise.reject(new AuditSinkError('status_422', true)) }),
      fake<AuditLogRepository>({ findAfter: async () => [EVENT] }),
      fake<AuditPositionRepository>({ newest: async () => undefined }),
      {} as Environment,
      fake<MetricsService>({ count: (_: unknown, { outcome }: { outcome: string }) => counted.push(outcome) }),
      {} as Scheduler,
      log,
    );
    await job.deliver(SINK, new AbortController().signal);
  }

  it.each([
    { failures: 59, rejections: 58 },
    // The former version delivered an event meanwhile.
    { failures: 3, rejections: 59 },
  ])('keeps an event after $rejections rejections among $failures failures', async (before) => {
    await rejectAfter(before);
    expect([done, counted]).toEqual([['postponed'], ['failed']]);
  });

  it('logs and counts an event that it skips before it moves on', async () => {
    await rejectAfter({ failures: 70, rejections: 59 });
    expect(done).toEqual(['advanced after skipped and error']);
    expect(log.lines).toMatchObject([{ level: 'error', fields: { event_id: 'e1' } }]);
  });
});
