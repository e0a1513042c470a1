import { RecordingLog } from '../../../test/support/recording-log';
import { Transactions } from '../../platform/database';
import { BackchannelLogoutOutboxService, LeasedNotices } from './backchannel-logout-outbox.service';
import { LogoutNotice, LogoutNoticeRepository } from './storage/logout-notice.repository';

const atOnce = { run: (work: () => Promise<unknown>) => work() } as Transactions;
const noticeOf = (id: string): LogoutNotice => ({
  id,
  clientId: 'app',
  userId: 'ann',
  allSessions: false,
  sid: 'sid',
  attempts: 0,
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
      delete: async (ids: string[]) => {
        if (failures-- > 0) throw new Error('The database is unavailable');
        statements.push(ids);
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

  const strikeOff = (...ids: string[]): Promise<unknown> =>
    Promise.all(ids.map((id) => outbox.strikeOff(noticeOf(id))));

  it('deletes all settled notices with one statement at a time', async () => {
    await strikeOff('1', '2', '3');
    expect(statements).toEqual([['1'], ['2', '3']]);
    await strikeOff('4');
    expect(statements).toHaveLength(3);
  });

  it('deletes notices that were settled during a failure', async () => {
    failures = 1;
    await strikeOff('1', '2', '3');
    expect(statements).toEqual([['2', '3']]);
  });

  it('only warns when a deletion fails, and deletes again later', async () => {
    failures = 1;
    await strikeOff('1');
    await strikeOff('2');
    expect(statements).toEqual([['2']]);
    expect(log.lines).toMatchObject([{ level: 'warn' }]);
  });
});
