import type { CastellanClient, User } from 'castellan-client';
import { AccountStore } from './account-store';

type Listener = (event: object) => void;

/** A client whose responses and events a test controls. */
class FakeClient {
  readonly listeners = new Map<string, Set<Listener>>();
  answer: () => Promise<object> = async () => ({ response: { status: 401 } });

  readonly GET = (): Promise<object> => this.answer();

  readonly on = (name: string, listener: Listener): (() => void) => {
    const known = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, known.add(listener));
    return () => known.delete(listener);
  };

  emit(name: string, event: object): void {
    for (const listener of this.listeners.get(name) ?? []) listener(event);
  }

  get listening(): number {
    return [...this.listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }
}

const user = (username: string): User => ({ username, permissions: [] }) as unknown as User;
const loggedIn = (username: string) => async (): Promise<object> => ({
  data: user(username),
  response: { status: 200 },
});

describe('AccountStore', () => {
  let client: FakeClient;
  let page: EventTarget & { visibilityState?: string };
  const storeWith = (known?: User | null): AccountStore =>
    new AccountStore(client as unknown as CastellanClient, known);

  beforeEach(() => {
    client = new FakeClient();
    page = new EventTarget();
    Object.assign(globalThis, { document: page });
  });

  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'document');
  });

  it('asks for the user where no server has named one', async () => {
    const store = storeWith();
    expect(store.get().status).toBe('loading');
    client.answer = loggedIn('ann');
    store.start();
    await store.reload();
    expect(store.get()).toMatchObject({ status: 'signed_in', user: { username: 'ann' } });
    client.answer = async () => ({ response: { status: 401 } });
    await store.reload();
    expect(store.get()).toEqual({ status: 'signed_out', user: null, pending: null });
    client.answer = () => Promise.reject(new TypeError('no network'));
    await store.reload();
    expect(store.get().status).toBe('signed_out');
  });

  it('starts with the user of the server, and keeps the same object while nothing changes', () => {
    const store = storeWith(user('ann'));
    const before = store.get();
    let calls = 0;
    store.subscribe(() => (calls += 1));
    store.start();
    client.emit('change', { user: user('ann') });
    expect(store.get()).toBe(before);
    client.emit('change', { user: user('bea') });
    expect([store.get().user?.username, calls]).toEqual(['bea', 1]);
    expect(storeWith(null).get().status).toBe('signed_out');
  });

  it('follows logins and logouts, also of other tabs, and prefers them to an older response', async () => {
    const store = storeWith(null);
    store.start();
    let release = (): void => undefined;
    client.answer = () =>
      new Promise((resolve) => {
        release = () => {
          resolve({ response: { status: 401 } });
        };
      });
    const reload = store.reload();
    client.emit('login', { user: user('ann'), isOtherTab: true });
    release();
    await reload;
    expect(store.get().user?.username).toBe('ann');
    client.emit('logout', { isOtherTab: true });
    expect(store.get().status).toBe('signed_out');
  });

  it('gives no user while the user has something to do first', async () => {
    const due = { ...user('ann'), pending: 'terms' } as User;
    const store = storeWith(due);
    expect(store.get()).toEqual({ status: 'pending', user: null, pending: { duty: 'terms', user: due } });
    const stop = store.start();
    const before = store.get();
    client.emit('change', { user: { ...due } });
    expect(store.get()).toBe(before);
    client.emit('change', { user: { ...user('ann'), pending: null } });
    expect(store.get()).toMatchObject({ status: 'signed_in', user: { username: 'ann' }, pending: null });
    client.emit('login', { user: { ...due, pending: 'password_change' } });
    expect(store.get()).toMatchObject({ status: 'pending', user: null, pending: { duty: 'password_change' } });
    page.visibilityState = 'visible';
    client.answer = loggedIn('ann');
    page.dispatchEvent(new Event('visibilitychange'));
    await new Promise(setImmediate);
    expect(store.get().status).toBe('signed_in');
    stop();
  });

  it('asks again when a user begins or stops to act as another', async () => {
    const stop = storeWith(user('sam')).start();
    let asked = 0;
    client.answer = () => {
      asked += 1;
      return loggedIn('ann')();
    };
    client.emit('acting', { isOtherTab: true });
    await new Promise(setImmediate);
    expect(asked).toBe(1);
    stop();
  });

  it('asks again when the page comes back, until it is stopped', async () => {
    const store = storeWith(user('ann'));
    const stop = store.start();
    client.answer = loggedIn('bea');
    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    await new Promise(setImmediate);
    expect(store.get().user?.username).toBe('bea');
    stop();
    expect(client.listening).toBe(0);
    client.answer = loggedIn('cat');
    page.dispatchEvent(new Event('visibilitychange'));
    await new Promise(setImmediate);
    expect(store.get().user?.username).toBe('bea');
  });
});
