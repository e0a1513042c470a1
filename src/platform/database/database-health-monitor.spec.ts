import { DatabaseHealthMonitor } from './database-health-monitor';

const busy = (): Error => new Error('timeout exceeded when trying to connect');
const lost = (): Error => new Error('Connection terminated unexpectedly');
const full = (message: string): Error => Object.assign(new Error(message), { code: '08P01' });

describe('DatabaseWatch', () => {
  let watch: DatabaseHealthMonitor;
  let told: string[];
  let isAway: boolean;
  let asked: number;

  beforeEach(() => {
    jest.useFakeTimers();
    told = [];
    isAway = false;
    asked = 0;
    const tell = (news: string) => (): void => void told.push(news);
    const news = { onLoss: tell('loss'), onBusy: tell('busy'), onAway: tell('away'), onBack: tell('back') };
    watch = new DatabaseHealthMonitor(news, () => Date.now());
    watch.begin(async () => {
      asked += 1;
      if (isAway) throw lost();
    });
  });

  afterEach(() => {
    watch.onApplicationShutdown();
    jest.useRealTimers();
  });

  const afterMs = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);

  it('tells of a busy database every ten seconds, however many are refused', async () => {
    for (let second = 0; second < 25; second++) {
      watch.suspect(busy());
      await afterMs(1_000);
    }
    expect(told).toEqual(['busy', 'busy', 'busy']);
  });

  it('asks a busy database at most once a second', async () => {
    for (let count = 0; count < 40; count++) {
      watch.suspect(busy());
      await afterMs(50);
    }
    expect(asked).toBe(2);
  });

  it('tells of an outage that begins while it is known to be busy within a second', async () => {
    watch.suspect(busy());
    await afterMs(200);
    expect(told).toEqual(['busy']);
    isAway = true;
    for (let count = 0; count < 20; count++) {
      watch.suspect(busy());
      await afterMs(50);
    }
    expect(told).toEqual(['busy', 'away']);
    isAway = false;
    await afterMs(500);
    expect(told).toEqual(['busy', 'away', 'back']);
  });

  it('asks at once, known to be busy or not, where a connection broke', async () => {
    watch.suspect(busy());
    await afterMs(10);
    isAway = true;
    watch.suspect(lost());
    await afterMs(10);
    expect(told).toEqual(['busy', 'away']);
  });

  it.each([
    ['busy', busy()],
    ['busy', full('no more connections allowed (max_client_conn)')],
    ['busy', full('query_wait_timeout')],
    ['busy', Object.assign(new Error('sorry, too many clients already'), { code: '53300' })],
    ['loss', lost()],
    ['loss', full('server login has been failing, try again later (server_login_retry)')],
  ])('tells of %s, of a database that answers, for %s', async (news, error) => {
    expect(watch.takes(error)).toBe(true);
    await afterMs(0);
    expect(told).toEqual([news]);
  });

  it('leaves alone what is no failure to reach the database', async () => {
    expect(watch.takes(Object.assign(new Error('duplicate key'), { code: '23505' }))).toBe(false);
    await afterMs(0);
    expect([told, asked]).toEqual([[], 0]);
  });
});
