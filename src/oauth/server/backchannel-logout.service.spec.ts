import { RecordingLog } from '../../../test/support/recording-log';
import { Environment } from '../../platform/config';
import { Transactions } from '../../platform/database';
import { OutboundError } from '../../platform/outbound';
import { MetricsService } from '../../platform/metrics';
import { OidcEngineService } from './engine/oidc-engine.service';
import { BackchannelLogoutService } from './backchannel-logout.service';
import { LeasedNotices, BackchannelLogoutOutboxService } from './backchannel-logout-outbox.service';
import { LogoutNotice, LogoutNoticeRepository } from './storage/logout-notice.repository';
import { OidcModelRepository } from './storage/oidc-model.repository';

type Answer = () => Promise<void>;

class HastyNotices extends BackchannelLogoutService {
  protected override readonly pausesMs = [1, 1, 1];
}

class PatientNotices extends BackchannelLogoutService {
  protected override readonly pausesMs = [60_000];
}

const atOnce = { run: (work: () => Promise<unknown>) => work() } as Transactions;
const LAST_ATTEMPT = 10;
const noticeOf = (clientId: string, sid = 'sid', attempts = 0): LogoutNotice => ({
  id: `${clientId} ${sid}`,
  clientId,
  userId: 'ann',
  sid,
  allSessions: true,
  attempts,
});
const heldFor = (ms: number, ...notices: LogoutNotice[]): LeasedNotices => ({ notices, until: performance.now() + ms });
const held = (...notices: LogoutNotice[]): LeasedNotices => heldFor(60_000, ...notices);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const hanging: Answer = () => new Promise(() => undefined);

describe('BackchannelLogoutService', () => {
  const tried: string[] = [];
  const outcomes: string[] = [];
  const struck: string[] = [];
  const givenBack: string[] = [];
  const metrics = { countLogoutNotice: (outcome: string) => outcomes.push(outcome) } as unknown as MetricsService;
  let log: RecordingLog;
  let stop: AbortController;
  let shutdownSeconds: number;
  let isLoggedInAgain: boolean;

  beforeEach(() => {
    tried.length = 0;
    outcomes.length = 0;
    struck.length = 0;
    givenBack.length = 0;
    log = new RecordingLog();
    stop = new AbortController();
    shutdownSeconds = 20;
    isLoggedInAgain = false;
  });

  /** @param answers the response of each application. Others want no notices. */
  function noticesTo(
    answers: Record<string, Answer>,
    Class: typeof BackchannelLogoutService = HastyNotices,
  ): BackchannelLogoutService {
    const find = (clientId: string): Promise<unknown> =>
      Promise.resolve({
        ...(answers[clientId] && { backchannelLogoutUri: 'https://app.example.com/?key=hidden' }),
        backchannelLogout: (userId: string | undefined, sid: string) => {
          tried.push(`${clientId} ${userId ?? '-'} ${sid}`);
          return answers[clientId]?.();
        },
      });
    const engine = { current: () => Promise.resolve({ Client: { find } }) } as unknown as OidcEngineService;
    const remove = async (ids: string[]): Promise<void> => void struck.push(...ids);
    const giveBack = async (left: LogoutNotice[]): Promise<void> => void givenBack.push(...left.map(({ id }) => id));
    const outbox = new BackchannelLogoutOutboxService(
      { delete: remove, giveBack } as unknown as LogoutNoticeRepository,
      atOnce,
      log,
    );
    const artifacts = { hasBrowserSession: async () => isLoggedInAgain } as unknown as OidcModelRepository;
    return new Class(engine, outbox, artifacts, metrics, log, { shutdownSeconds } as Environment);
  }

  it('notifies other applications while one with many notices hangs', async () => {
    const notices = noticesTo({ slow: hanging, quick: () => Promise.resolve() });
    const slow = Array.from({ length: 50 }, (_, index) => noticeOf('slow', `${index}`));
    void notices.notify(held(...slow, noticeOf('quick')), stop.signal);
    await settled();
    expect(tried).toContain('quick ann sid');
    expect(tried.filter((line) => line.startsWith('slow'))).toHaveLength(4);
    expect(outcomes).toEqual(['told']);
    expect(struck).toEqual(['quick sid']);
  });

  it('retries until the application accepts the notice', async () => {
    const answers = [() => Promise.reject(new OutboundError('unreachable')), () => Promise.resolve()];
    await noticesTo({ app: () => answers.shift()!() }).notify(held(noticeOf('app')), stop.signal);
    expect([tried.length, outcomes, log.lines]).toEqual([2, ['told'], []]);
    expect(struck).toEqual(['app sid']);
  });

  it('names only the session in a retry after the user has logged in again', async () => {
    const fail = (): Promise<void> => {
      isLoggedInAgain = true;
      return Promise.reject(new OutboundError('unreachable'));
    };
    const answers = [fail, () => Promise.resolve()];
    await noticesTo({ app: () => answers.shift()!() }).notify(held(noticeOf('app')), stop.signal);
    expect(tried).toEqual(['app ann sid', 'app - sid']);
  });

  const rejected = (): Promise<void> => {
    const error = new Error('expected 200 OK from https://app.example.com/?key=hidden, got: 400');
    return Promise.reject(Object.assign(error, { response: new Response(null, { status: 400 }) }));
  };

  it.each<[string, Answer, object]>([
    ['is unreachable', () => Promise.reject(new OutboundError('timed_out')), { reason: 'timed_out' }],
    ['returns an error', rejected, { reason: 'status_400' }],
    ['fails to build its notice', () => Promise.reject(new RangeError('x')), { reason: 'failed' }],
  ])(
    'defers a notice after several attempts if the application %s, logs it once and logs no secret',
    async (_, answer, said) => {
      await noticesTo({ app: answer }).notify(held(noticeOf('app')), stop.signal);
      expect([tried.length, outcomes, struck]).toEqual([4, ['deferred'], []]);
      expect(log.lines).toMatchObject([{ level: 'warn', fields: { client_id: 'app', ...said } }]);
      expect(JSON.stringify(log.lines)).not.toContain('hidden');
    },
  );

  it('logs a deferred notice once, also after attempts of another instance', async () => {
    const notices = noticesTo({ app: rejected });
    for (const attempts of [1, 2]) await notices.notify(held(noticeOf('app', 'theirs', attempts)), stop.signal);
    for (const attempts of [0, 1]) await notices.notify(held(noticeOf('app', 'ours', attempts)), stop.signal);
    expect(outcomes).toEqual(['deferred', 'deferred']);
    expect(log.lines).toMatchObject([{ fields: { client_id: 'app', reason: 'status_400' } }, { level: 'warn' }]);
  });

  it.each([
    [2, [], []],
    [LAST_ATTEMPT - 1, [], []],
    [LAST_ATTEMPT, ['failed'], ['app sid']],
    [LAST_ATTEMPT + 1, ['failed'], ['app sid']],
  ])('tries once for lease number %i and gives up after the last', async (attempts, counted, gone) => {
    await noticesTo({ app: rejected }).notify(held(noticeOf('app', 'sid', attempts)), stop.signal);
    expect([tried.length, outcomes, struck]).toEqual([1, counted, gone]);
    expect(log.lines).toHaveLength(counted.length);
  });

  it('starts no attempt after the lease has ended', async () => {
    await noticesTo({ app: () => Promise.resolve() }).notify(heldFor(-1, noticeOf('app')), stop.signal);
    expect([tried, outcomes, struck, log.lines]).toEqual([[], [], [], []]);
  });

  it('releases notices that were not attempted without counting an attempt', async () => {
    const notices = noticesTo({ app: () => Promise.resolve() });
    await notices.notify(heldFor(-1, noticeOf('app', 'first'), noticeOf('app', 'again', LAST_ATTEMPT)), stop.signal);
    await notices.notify(held(noticeOf('app', 'in time', LAST_ATTEMPT)), stop.signal);
    expect([givenBack, outcomes, struck]).toEqual([['app again'], ['told'], ['app in time']]);
  });

  it('leaves notices above the limit of an application, and reports when it is full', async () => {
    const notices = noticesTo({ slow: hanging });
    const beyond = Array.from({ length: 9_999 }, (_, index) => noticeOf('slow', `${index}`));
    void notices.notify(held(...beyond.slice(0, 1_004)), stop.signal);
    await notices.notify(held(...beyond.slice(1_004)), stop.signal);
    expect([tried.length, outcomes, struck, log.lines]).toEqual([4, [], [], []]);
    expect(notices.isFull).toBe(false);
    void notices.notify(held(...beyond), stop.signal);
    expect(notices.isFull).toBe(true);
    await settled();
    expect(notices.isFull).toBe(false);
  });

  it('sends nothing to an application without a logout URI', async () => {
    await noticesTo({}).notify(held(noticeOf('app')), stop.signal);
    expect([tried, outcomes, log.lines]).toEqual([[], [], []]);
    expect(struck).toEqual(['app sid']);
  });

  it('makes one more attempt during shutdown and then leaves the notice', async () => {
    const fail = (): Promise<void> => Promise.reject(new OutboundError('unreachable'));
    const notified = noticesTo({ app: fail }, PatientNotices).notify(held(noticeOf('app')), stop.signal);
    await settled();
    expect(tried).toHaveLength(1);
    stop.abort();
    await notified;
    expect([tried.length, outcomes]).toEqual([2, ['deferred']]);
    expect(struck).toEqual([]);
  });

  it('leaves queued notices when the shutdown time is over', async () => {
    let end = (): void => undefined;
    const slow = (): Promise<void> =>
      new Promise((_, fail) => {
        end = () => {
          fail(new OutboundError('timed_out'));
        };
      });
    const answers = [slow, slow, slow, slow];
    const notices = noticesTo({ app: () => answers.shift()?.() ?? Promise.resolve() }, PatientNotices);
    const notified = notices.notify(
      held(...Array.from({ length: 5 }, (_, index) => noticeOf('app', `${index}`))),
      stop.signal,
    );
    await settled();
    stop.abort();
    const now = performance.now();
    const later = jest.spyOn(performance, 'now').mockReturnValue(now + 5_001);
    end();
    await settled();
    later.mockRestore();
    expect([tried.length, outcomes, struck, log.lines]).toEqual([4, [], [], []]);
    void notified;
  });

  it.each([
    [20, 5_001],
    [4, 1_001],
  ])('sends waiting notices during a shutdown of %i s but starts none late', async (time, late) => {
    shutdownSeconds = time;
    stop.abort();
    const notices = noticesTo({ app: () => Promise.resolve() });
    await notices.notify(held(noticeOf('app', 'first')), stop.signal);
    const now = performance.now();
    const later = jest.spyOn(performance, 'now').mockReturnValue(now + late);
    await notices.notify(held(noticeOf('app', 'late')), stop.signal);
    later.mockRestore();
    expect([tried, outcomes]).toEqual([['app ann first'], ['told']]);
    expect([struck, log.lines]).toEqual([['app first'], []]);
  });
});
