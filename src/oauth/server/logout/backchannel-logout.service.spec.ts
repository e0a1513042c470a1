import { RecordingLog } from '../../../../test/support/service/recording-log';
import { Environment } from '../../../platform/config';
import { AttemptResult, DeliveryAttemptsService, SentDelivery } from '../../../platform/outbound/deliveries';
import { MetricsService } from '../../../platform/metrics';
import { BackchannelLogoutOutboxService, LeasedNotices } from './backchannel-logout-outbox.service';
import { BackchannelLogoutSenderService } from './backchannel-logout-sender.service';
import { BackchannelLogoutService } from './backchannel-logout.service';
import { LogoutNotice } from '../storage/logout-notice.repository';
import { fake } from '../../../../test/support/service/fake';

type Sent = SentDelivery | 'unwanted';

const NO_ANSWER = { status: null, answer: null };
const taken: Sent = { isDelivered: true, ...NO_ANSWER, error: null };
const rejected: Sent = { isDelivered: false, ...NO_ANSWER, error: 'status_400' };
/** After this many failures, another one is the last. */
const LAST = 7;
const noticeOf = (clientId: string, sid = 'sid', attempts = 0): LogoutNotice => ({
  ...{ id: `${clientId} ${sid}`, clientId, userId: 'ann', sid, allSessions: true, attempts },
});
const heldFor = (ms: number, ...notices: LogoutNotice[]): LeasedNotices => ({ notices, until: performance.now() + ms });
const held = (...notices: LogoutNotice[]): LeasedNotices => heldFor(60_000, ...notices);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const hanging = (): Promise<Sent> => new Promise(() => undefined);

describe('BackchannelLogoutService', () => {
  const tried: string[] = [];
  const outcomes: string[] = [];
  const results: AttemptResult[] = [];
  const released: string[] = [];
  const metrics = fake<MetricsService>({
    count: (_: unknown, { outcome }: { outcome: string }) => outcomes.push(outcome),
  });
  let log: RecordingLog;
  let stop: AbortController;
  let shutdownSeconds: number;

  beforeEach(() => {
    for (const list of [tried, outcomes, results, released]) list.length = 0;
    log = new RecordingLog();
    stop = new AbortController();
    shutdownSeconds = 20;
  });

  /** @param answers what comes of an attempt, by application. */
  function noticesTo(answers: Record<string, () => Promise<Sent>>): BackchannelLogoutService {
    const send = ({ id, clientId }: LogoutNotice): Promise<Sent> => {
      tried.push(id);
      return answers[clientId]?.() ?? Promise.resolve('unwanted');
    };
    const outbox = {
      settle: async (result: AttemptResult) => void results.push(result),
      release: async (left: LogoutNotice[]) => void released.push(...left.map(({ id }) => id)),
    };
    return new BackchannelLogoutService(
      fake<BackchannelLogoutSenderService>({ send }),
      outbox as unknown as BackchannelLogoutOutboxService,
      new DeliveryAttemptsService(),
      metrics,
      log,
      { shutdownSeconds } as Environment,
    );
  }

  it('notifies other applications while one with many notices hangs', async () => {
    const notices = noticesTo({ slow: hanging, quick: async () => taken });
    const slow = Array.from({ length: 50 }, (_, index) => noticeOf('slow', `${index}`));
    void notices.notify(held(...slow, noticeOf('quick')), stop.signal);
    await settled();
    expect(tried).toContain('quick sid');
    expect(tried.filter((line) => line.startsWith('slow'))).toHaveLength(4);
    expect(outcomes).toEqual(['delivered']);
    expect(results).toMatchObject([{ id: 'quick sid', state: 'delivered' }]);
  });

  it('attempts a notice once, and stores when it is due again', async () => {
    expect(await noticesTo({ app: async () => rejected }).notify(held(noticeOf('app')), stop.signal)).toBe(true);
    expect([tried.length, outcomes, log.lines]).toEqual([1, [], []]);
    expect(results).toMatchObject([{ id: 'app sid', state: 'pending', attempts: 1 }]);
    expect(results[0]!.delaySeconds).toBeGreaterThanOrEqual(4);
    expect(results[0]!.delaySeconds).toBeLessThanOrEqual(5);
  });

  it.each([
    [0, 'pending', []],
    [2, 'pending', ['deferred']],
    [3, 'pending', []],
    [LAST - 1, 'pending', []],
    [LAST, 'failed', ['failed']],
  ])('after %i failures, another one leaves the notice %s and counts %j', async (attempts, state, counted) => {
    await noticesTo({ app: async () => rejected }).notify(held(noticeOf('app', 'sid', attempts)), stop.signal);
    expect(results).toMatchObject([{ state, attempts: attempts + 1 }]);
    expect(outcomes).toEqual(counted);
    const line = { level: 'warn', fields: { client_id: 'app', reason: 'status_400' } };
    expect(log.lines).toMatchObject(counted.map(() => line));
  });

  it.each([0, 2, LAST])('keeps the %i failures of a notice that could not be attempted', async (attempts) => {
    const busy = { isDelivered: null, ...NO_ANSWER, error: 'busy' };
    await noticesTo({ app: async () => busy }).notify(held(noticeOf('app', 'sid', attempts)), stop.signal);
    expect(results).toMatchObject([{ state: 'pending', attempts, delaySeconds: 5 }]);
    expect([outcomes, log.lines]).toEqual([[], []]);
  });

  it('starts no attempt after the lease has ended', async () => {
    const ended = heldFor(-1, noticeOf('app'));
    await noticesTo({ app: async () => taken }).notify(ended, stop.signal);
    expect([tried, outcomes, results, released, log.lines]).toEqual([[], [], [], [], []]);
  });

  it('leaves notices above the limit of an application, and reports when it is full', async () => {
    const notices = noticesTo({ slow: hanging });
    const beyond = Array.from({ length: 9_999 }, (_, index) => noticeOf('slow', `${index}`));
    void notices.notify(held(...beyond.slice(0, 1_004)), stop.signal);
    expect(await notices.notify(held(...beyond.slice(1_004)), stop.signal)).toBe(false);
    expect([tried.length, outcomes, log.lines]).toEqual([4, [], []]);
    expect(results).toHaveLength(8_995);
    expect(results[0]).toMatchObject({ state: 'pending', attempts: 0, delaySeconds: 5 });
    expect(notices.isFull).toBe(false);
    void notices.notify(held(...beyond), stop.signal);
    expect(notices.isFull).toBe(true);
    await settled();
    expect(notices.isFull).toBe(false);
  });

  it('forgets a notice that its application does not want', async () => {
    await noticesTo({}).notify(held(noticeOf('app')), stop.signal);
    expect([outcomes, log.lines]).toEqual([[], []]);
    expect(results).toMatchObject([{ id: 'app sid', state: 'delivered' }]);
  });

  it('releases queued notices when the time for attempts during shutdown is over', async () => {
    const ends: (() => void)[] = [];
    const slow = (): Promise<Sent> =>
      new Promise((resolve) =>
        ends.push(() => {
          resolve(taken);
        }),
      );
    const five = Array.from({ length: 5 }, (_, index) => noticeOf('app', `${index}`));
    const notified = noticesTo({ app: slow }).notify(held(...five), stop.signal);
    await settled();
    stop.abort();
    const now = performance.now();
    const later = jest.spyOn(performance, 'now').mockReturnValue(now + 5_001);
    for (const end of ends) end();
    await notified;
    later.mockRestore();
    expect([tried.length, results.length, released]).toEqual([4, 4, ['app 4']]);
  });

  it.each([
    [20, 5_001],
    [4, 1_001],
  ])('sends waiting notices during a shutdown of %i s but starts none late', async (time, late) => {
    shutdownSeconds = time;
    stop.abort();
    const notices = noticesTo({ app: async () => taken });
    await notices.notify(held(noticeOf('app', 'first')), stop.signal);
    const now = performance.now();
    const later = jest.spyOn(performance, 'now').mockReturnValue(now + late);
    await notices.notify(held(noticeOf('app', 'late')), stop.signal);
    later.mockRestore();
    expect([tried, outcomes, released]).toEqual([['app first'], ['delivered'], ['app late']]);
    expect([results.map(({ id }) => id), log.lines]).toEqual([['app first'], []]);
  });
});
