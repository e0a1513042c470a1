import { FakeService } from './fake-service';
import { renewingFetch } from './renewing-fetch';
import { tabTurn } from './turn';

const BASE = 'https://id.example.com';

/** A browser's locks, so far as they are used: one holder, the others in the order they came. */
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

describe('tabs of one origin', () => {
  let service: FakeService;
  let locks: FakeLocks;
  let storage: FakeStorage;
  let told: string[];

  beforeEach(() => {
    service = new FakeService();
    service.expire();
    locks = new FakeLocks();
    storage = new FakeStorage();
    told = [];
  });

  const openTab = (stamps: FakeStorage | undefined = storage): (() => Promise<Response>) => {
    const fetch = renewingFetch({
      baseUrl: BASE,
      send: service.send,
      language: () => undefined,
      onUnauthenticated: ({ code }) => told.push(code),
      turn: tabTurn('refresh', locks, stamps),
    });
    return () => fetch(new Request(`${BASE}/api/auth/me`));
  };
  const statuses = (answers: Response[]): number[] => answers.map(({ status }) => status);

  it('that ask at once refresh once, and all go on', async () => {
    const [one, two, three] = [openTab(), openTab(), openTab()];
    expect(statuses(await Promise.all([one(), two(), three(), one()]))).toEqual([200, 200, 200, 200]);
    expect(service.refreshes).toBe(1);
  });

  it('do so without a storage, too', async () => {
    const tabs = [openTab(new FakeStorage()), openTab(new FakeStorage())];
    expect(statuses(await Promise.all(tabs.map((call) => call())))).toEqual([200, 200]);
    expect(service.refreshes).toBe(1);
  });

  it('see that another has refreshed since their call began', async () => {
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

  it('believe no stamp from the future, as one is left by a clock that is set back', async () => {
    storage.setItem('refresh', String(Date.now() + 3_600_000));
    await openTab()();
    expect(service.refreshes).toBe(1);
  });

  it('leave no word of a refresh that gave nothing: the next tab asks for itself', async () => {
    service.refuseRefresh(503, 'unavailable');
    expect((await openTab()()).status).toBe(503);
    expect(storage.getItem('refresh')).toBeNull();
  });

  it('go on where the storage is full', async () => {
    const full = new FakeStorage();
    full.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    expect((await openTab(full)()).status).toBe(200);
  });

  it('refresh themselves where the one they waited for was lost', async () => {
    service.loseRefresh();
    const [one, two] = [openTab(), openTab()];
    const [lost, answer] = await Promise.allSettled([one(), two()]);
    expect(lost).toMatchObject({ status: 'rejected' });
    expect(answer).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
    expect(service.refreshes).toBe(2);
  });

  it('all learn that the session has ended', async () => {
    service.refuseRefresh(401, 'session_revoked');
    const [one, two] = [openTab(), openTab()];
    expect(statuses(await Promise.all([one(), two()]))).toEqual([401, 401]);
    expect(told).toEqual(['session_revoked', 'session_revoked']);
  });
});
