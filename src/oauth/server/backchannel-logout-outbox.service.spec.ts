import { RecordingLog } from '../../../test/support/recording-log';
import { Transactions } from '../../platform/database';
import { BackchannelLogoutOutboxService } from './backchannel-logout-outbox.service';
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

describe('LogoutOutbox', () => {
  const statements: string[][] = [];
  let failures: number;
  let log: RecordingLog;
  let outbox: BackchannelLogoutOutboxService;

  beforeEach(() => {
    statements.length = 0;
    failures = 0;
    log = new RecordingLog();
    const rows = {
      delete: async (ids: string[]) => {
        if (failures-- > 0) throw new Error('The database went away');
        statements.push(ids);
      },
    };
    outbox = new BackchannelLogoutOutboxService(rows as unknown as LogoutNoticeRepository, atOnce, log);
  });

  const strikeOff = (...ids: string[]): Promise<unknown> =>
    Promise.all(ids.map((id) => outbox.strikeOff(noticeOf(id))));

  it('strikes off by one statement at a time, for all that is settled meanwhile', async () => {
    await strikeOff('1', '2', '3');
    expect(statements).toEqual([['1'], ['2', '3']]);
    await strikeOff('4');
    expect(statements).toHaveLength(3);
  });

  it('strikes off what was settled while it could not', async () => {
    failures = 1;
    await strikeOff('1', '2', '3');
    expect(statements).toEqual([['2', '3']]);
  });

  it('only warns where it cannot strike off, and can again', async () => {
    failures = 1;
    await strikeOff('1');
    await strikeOff('2');
    expect(statements).toEqual([['2']]);
    expect(log.lines).toMatchObject([{ level: 'warn' }]);
  });
});
