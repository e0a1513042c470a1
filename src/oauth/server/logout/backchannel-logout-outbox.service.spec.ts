import { RecordingLog } from '../../../../test/support/service/recording-log';
import { Transactions } from '../../../platform/database';
import { AttemptResult } from '../../../platform/outbound/deliveries';
import { BackchannelLogoutOutboxService, LeasedNotices } from './backchannel-logout-outbox.service';
import { LogoutNoticeRepository } from '../storage/logout-notice.repository';

const atOnce = { run: (work: () => Promise<unknown>) => work() } as Transactions;
const resultOf = (id: string): AttemptResult => ({
  ...{ id, state: 'delivered', attempts: 1, delaySeconds: 0 },
  ...{ status: null, answer: null, error: null },
});

describe('BackchannelLogoutOutboxService', () => {
  const statements: string[][] = [];
  let failures: number;
  let log: RecordingLog;
  let outbox: BackchannelLogoutOutboxService;

  beforeEach(() => {
    statements.length = 0;
    failures = 0;
    log = new RecordingLog();
    const rows = {
      add: async () => [],
      claim: async () => [],
      settle: async (results: AttemptResult[]) => {
        if (failures-- > 0) throw new Error('The database is unavailable');
        statements.push(results.map(({ id }) => id));
      },
    };
    outbox = new BackchannelLogoutOutboxService(rows as unknown as LogoutNoticeRepository, atOnce, log);
  });

  it.each<[string, () => Promise<LeasedNotices>]>([
    ['new', () => outbox.add([])],
    ['pending', () => outbox.claim([])],
  ])('starts no attempt of %s notices in the last ten seconds of their lease of two minutes', async (_, take) => {
    const before = performance.now();
    const { until } = await take();
    const after = performance.now();
    expect(until).toBeGreaterThanOrEqual(before + 110_000);
    expect(until).toBeLessThanOrEqual(after + 110_000);
  });

  const settle = (...ids: string[]): Promise<unknown> => Promise.all(ids.map((id) => outbox.settle(resultOf(id))));

  it('stores all results with one statement at a time', async () => {
    await settle('1', '2', '3');
    expect(statements).toEqual([['1'], ['2', '3']]);
    await settle('4');
    expect(statements).toHaveLength(3);
  });

  it('stores results that came during a failure', async () => {
    failures = 1;
    await settle('1', '2', '3');
    expect(statements).toEqual([['2', '3']]);
  });

  it('only warns when storing fails, and stores later results', async () => {
    failures = 1;
    await settle('1');
    await settle('2');
    expect(statements).toEqual([['2']]);
    expect(log.lines).toMatchObject([{ level: 'warn' }]);
  });
});
