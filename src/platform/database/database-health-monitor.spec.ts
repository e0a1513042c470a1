import { DatabaseHealthMonitor } from './database-health-monitor';

const busy = (): Error => new Error('timeout exceeded when trying to connect');
const lost = (): Error => new Error('Connection terminated unexpectedly');
const full = (message: string): Error => Object.assign(new Error(message), { code: '08P01' });

describe('DatabaseHealthMonitor', () => {
  let healthMonitor: DatabaseHealthMonitor;
  let reported: string[];
  let isAway: boolean;
  let pings: number;

  beforeEach(() => {
    jest.useFakeTimers();
    reported = [];
    isAway = false;
    pings = 0;
    const report = (event: string) => (): void => void reported.push(event);
    const listener = { onLoss: report('loss'), onBusy: report('busy'), onAway: report('away'), onBack: report('back') };
    healthMonitor = new DatabaseHealthMonitor(listener, () => Date.now());
    healthMonitor.begin(async () => {
      pings += 1;
      if (isAway) throw lost();
    });
  });

  afterEach(() => {
    healthMonitor.onApplicationShutdown();
    jest.useRealTimers();
  });

  const afterMs = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);

  it('reports a busy database every ten seconds, however many requests fail', async () => {
    for (let second = 0; second < 25; second++) {
      healthMonitor.report(busy());
      await afterMs(1_000);
    }
    expect(reported).toEqual(['busy', 'busy', 'busy']);
  });

  it('pings a busy database at most once a second', async () => {
    for (let count = 0; count < 40; count++) {
      healthMonitor.report(busy());
      await afterMs(50);
    }
    expect(pings).toBe(2);
  });

  it('reports an outage of a busy database within a second', async () => {
    healthMonitor.report(busy());
    await afterMs(200);
    expect(reported).toEqual(['busy']);
    isAway = true;
    for (let count = 0; count < 20; count++) {
      healthMonitor.report(busy());
      await afterMs(50);
    }
    expect(reported).toEqual(['busy', 'away']);
    isAway = false;
    await afterMs(500);
    expect(reported).toEqual(['busy', 'away', 'back']);
  });

  it('pings even a busy database at once when a connection breaks', async () => {
    healthMonitor.report(busy());
    await afterMs(10);
    isAway = true;
    healthMonitor.report(lost());
    await afterMs(10);
    expect(reported).toEqual(['busy', 'away']);
  });

  it.each([
    ['busy', busy()],
    ['busy', full('no more connections allowed (max_client_conn)')],
    ['busy', full('query_wait_timeout')],
    ['busy', Object.assign(new Error('sorry, too many clients already'), { code: '53300' })],
    ['loss', lost()],
    ['loss', full('server login has been failing, try again later (server_login_retry)')],
  ])('reports %s if the database replies after %s', async (news, error) => {
    expect(healthMonitor.takes(error)).toBe(true);
    await afterMs(0);
    expect(reported).toEqual([news]);
  });

  it('ignores errors that do not concern the connection', async () => {
    expect(healthMonitor.takes(Object.assign(new Error('duplicate key'), { code: '23505' }))).toBe(false);
    await afterMs(0);
    expect([reported, pings]).toEqual([[], 0]);
  });
});
