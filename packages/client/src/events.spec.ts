import { createCastellanClient } from './client';
import { type Channel, EventHub } from './events';
import { FakeService } from './fake-service';

/** A channel between two tabs. */
function channels(): [Channel, Channel] {
  const one: Channel = { onmessage: null, postMessage: (data) => other.onmessage?.({ data } as MessageEvent) };
  const other: Channel = { onmessage: null, postMessage: (data) => one.onmessage?.({ data } as MessageEvent) };
  return [one, other];
}

describe('EventHub', () => {
  it('delivers to listeners of this tab and of others, until they leave', () => {
    const [here, there] = channels();
    const [one, other] = [new EventHub(() => here), new EventHub(() => there)];
    const seen: string[] = [];
    const leave = one.on('logout', ({ isOtherTab }) => seen.push(`here ${isOtherTab}`));
    other.on('logout', ({ isOtherTab }) => seen.push(`there ${isOtherTab}`));
    one.publish('logout', {});
    leave();
    other.publish('logout', {});
    expect(seen).toEqual(['there true', 'here false', 'there false']);
  });

  it('works while an event has listeners', () => {
    const hub = new EventHub(() => undefined);
    const steps: string[] = [];
    hub.whileListened('change', () => {
      steps.push('start');
      return () => steps.push('stop');
    });
    const leaves = [hub.on('change', () => undefined), hub.on('change', () => undefined)];
    hub.on('login', () => undefined);
    const observed: string[] = [];
    hub.observe((name) => observed.push(name));
    for (const leave of leaves) leave();
    hub.on('change', () => undefined)();
    hub.emit('refresh', { isOtherTab: false });
    expect(steps).toEqual(['start', 'stop', 'start', 'stop']);
    expect(observed).toEqual(['refresh']);
  });
});

describe('the events of a client', () => {
  it('tell of a login, a refresh, a logout and an ended session', async () => {
    const service = new FakeService();
    const client = createCastellanClient({ baseUrl: 'https://id.example.com', fetch: service.send });
    const seen: string[] = [];
    client.on('login', () => seen.push('login'));
    client.on('refresh', () => seen.push('refresh'));
    client.on('acting', () => seen.push('acting'));
    client.on('logout', ({ problem }) => seen.push(problem?.code ?? 'logout'));
    const body = { type: 'password', username: 'ann', password: 'secret' } as const;
    service.answerNext({ mfa_required: true });
    await client.POST('/api/auth/login', { body });
    expect(seen).toEqual([]);
    service.answerNext({ user: { username: 'ann' } });
    await client.POST('/api/auth/login', { body });
    service.expire();
    await client.GET('/api/auth/me');
    await client.POST('/api/user/{id}/act-as', { params: { path: { id: 'b' } }, body: { reason: 'Ticket 1' } });
    await client.DELETE('/api/auth/act-as');
    await client.POST('/api/auth/logout');
    service.rejectRequests(401, 'session_revoked');
    await client.GET('/api/auth/me');
    expect(seen).toEqual(['login', 'refresh', 'acting', 'acting', 'logout', 'session_revoked']);
  });

  it('types routes and login methods of a host', async () => {
    interface Own {
      '/invoices': { get: { responses: { 200: { content: { 'application/json': { total: number } } } } } };
    }
    const service = new FakeService();
    const client = createCastellanClient<Own, { type: 'badge'; badge: string }>({
      baseUrl: 'https://id.example.com',
      fetch: service.send,
    });
    const { data } = await client.GET('/invoices');
    const total: number | undefined = data?.total;
    expect(total).toBeUndefined();
    await client.POST('/api/auth/login', { body: { type: 'badge', badge: '42' } });
    await client.GET('/api/auth/me');
    // @ts-expect-error no such login method
    await client.POST('/api/auth/login', { body: { type: 'face' } });
    expect(service.requests).toHaveLength(4);
  });
});
