import { EventHub } from './events';
import { FakeService } from './fake-service';
import { renewingFetch } from './renewing-fetch';
import { tabTurn } from './turn';

const BASE = 'https://id.example.com';

/** Fake of the Web Locks API: one holder, waiters in FIFO order. */
class FakeLocks {
  private last: Promise<unknown> = Promise.resolve();
  private count = 0;

  readonly request = (async (_name: string, ...rest: unknown[]): Promise<unknown> => {
    const act = rest.pop() as (lock: object | null) => unknown;
    const [options] = rest as [{ ifAvailable?: boolean } | undefined];
    if (options?.ifAvailable && this.count > 0) return act(null);
    this.count += 1;
    const held = this.last.then(() => act({}));
    const release = (): void => {
      this.count -= 1;
    };
    this.last = held.then(release, release);
    return held;
  }) as LockManager['request'];
}

class FakeStorage {
  private readonly items = new Map<string, string>();
  getItem = (key: string): string | null => this.items.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.items.set(key, value);
}

describe('tabTurn', () => {
  let service: FakeService;
  let locks: FakeLocks;
  let storage: FakeStorage;
  let reported: string[];

  beforeEach(() => {
    service = new FakeService();
    service.expire();
    locks = new FakeLocks();
    storage = new FakeStorage();
    reported = [];
  });

  const openTab = (stamps: FakeStorage | undefined = storage): (() => Promise<Response>) => {
    const fetch = renewingFetch({
      baseUrl: BASE,
      send: service.send,
      language: () => undefined,
      onUnauthenticated: ({ code }) => reported.push(code),
      events: new EventHub(() => undefined),
      turn: tabTurn('refresh', locks, stamps),
    });
    return () => fetch(new Request(`${BASE}/api/auth/me`));
  };
  const statuses = (answers: Response[]): number[] => answers.map(({ status }) => status);

  it('refreshes once for concurrent requests of several tabs', async () => {
    const [one, two, three] = [openTab(), openTab(), openTab()];
    expect(statuses(await Promise.all([one(), two(), three(), one()]))).toEqual([200, 200, 200, 200]);
    expect(service.refreshes).toBe(1);
  });

  it('refreshes once without shared storage', async () => {
    const tabs = [openTab(new FakeStorage()), openTab(new FakeStorage())];
    expect(statuses(await Promise.all(tabs.map((call) => call())))).toEqual([200, 200]);
    expect(service.refreshes).toBe(1);
  });

  it('skips the refresh if another tab has refreshed since the request started', async () => {
    let refreshes = 0;
    const refresh = async (): Promise<undefined> => {
      refreshes += 1;
    };
    const [one, two] = [tabTurn('refresh', locks, storage), tabTurn('refresh', locks, storage)];
    const begun = Date.now() - 1;
    await one(begun, refresh);
    await two(begun, refresh);
    expect(refreshes).toBe(1);
    await two(Date.now() + 1, refresh);
    expect(refreshes).toBe(2);
  });

  it('ignores a timestamp in the future, left by a clock that was set back', async () => {
    storage.setItem('refresh', String(Date.now() + 3_600_000));
    await openTab()();
    expect(service.refreshes).toBe(1);
  });

  it('stores no timestamp after a failed refresh, so that the next tab refreshes', async () => {
    service.rejectRefresh(503, 'unavailable');
    expect((await openTab()()).status).toBe(503);
    expect(storage.getItem('refresh')).toBeNull();
  });

  it('works with full storage', async () => {
    const full = new FakeStorage();
    full.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    expect((await openTab(full)()).status).toBe(200);
  });

  it('refreshes again if the refresh of another tab failed', async () => {
    service.loseRefresh();
    const [one, two] = [openTab(), openTab()];
    const [lost, answer] = await Promise.allSettled([one(), two()]);
    expect(lost).toMatchObject({ status: 'rejected' });
    expect(answer).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
    expect(service.refreshes).toBe(2);
  });

  it('reports the ended session in every tab', async () => {
    service.rejectRefresh(401, 'session_revoked');
    const [one, two] = [openTab(), openTab()];
    expect(statuses(await Promise.all([one(), two()]))).toEqual([401, 401]);
    expect(reported).toEqual(['session_revoked', 'session_revoked']);
  });
});
