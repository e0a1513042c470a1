import { getEventListeners } from 'node:events';
import { EventHub } from './events';
import { followChanges } from './follow-changes';
import type { User } from './models';
import type { Send } from './renewing-fetch';
import type { Locks } from './turn';

const problem = (code: string): Response => Response.json({ code, status: 401, title: code }, { status: 401 });
const account = (nickname: string): string => `event: account\ndata: ${JSON.stringify({ nickname })}\n\n`;

/** A service whose streams a test feeds. */
class FakeStreams {
  readonly asked: string[] = [];
  answer: (path: string) => Response = () => this.open();
  private feed: ReadableStreamDefaultController<Uint8Array> | undefined;

  readonly send: Send = async ({ pathname }, { signal }) => {
    this.asked.push(pathname);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => this.feed?.error(signal.reason));
    return this.answer(pathname);
  };

  open(): Response {
    return new Response(new ReadableStream<Uint8Array>({ start: (feed) => void (this.feed = feed) }));
  }

  /** Cuts the stream that is open. */
  fail(): void {
    this.feed?.error(new TypeError('connection lost'));
  }

  push(...texts: string[]): void {
    for (const text of texts) this.feed?.enqueue(new TextEncoder().encode(text));
  }
}

describe('followChanges', () => {
  let service: FakeStreams;
  let events: EventHub;
  let stop: () => void;
  let seen: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    service = new FakeStreams();
    events = new EventHub(() => undefined);
    seen = [];
    events.on('change', ({ user }) => seen.push(user.nickname));
    events.on('logout', ({ problem: reason }) => seen.push(reason?.code ?? 'logout'));
    stop = followChanges({ baseUrl: 'https://id.example.com', send: service.send, events });
  });

  afterEach(() => {
    stop();
    jest.useRealTimers();
  });

  const settle = (ms = 0): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  it('publishes each state of the account once, also when it comes in pieces', async () => {
    await settle();
    const [head, tail] = [account('Ann').slice(0, 20), account('Ann').slice(20)];
    service.push(head, tail, account('Ann'), 'event: heartbeat\ndata: {}\n\n', account('Bea'));
    await settle();
    expect(seen).toEqual(['Ann', 'Bea']);
    expect(service.asked).toEqual(['/api/auth/me/stream']);
  });

  it('reports the end of the session, and follows the next login', async () => {
    await settle();
    service.answer = () => problem('session_revoked');
    service.push(account('Ann'), 'event: ended\ndata: {"code":"session_revoked"}\n\n');
    await settle(60_000);
    expect(seen).toEqual(['Ann', 'session_revoked']);
    expect(service.asked).toHaveLength(2);
    service.answer = () => service.open();
    events.publish('login', { user: {} as User });
    await settle();
    service.push(account('Bea'));
    await settle();
    expect(seen.at(-1)).toBe('Bea');
  });

  it('follows the new session after a login as another user', async () => {
    await settle();
    service.push(account('Ann'));
    await settle();
    events.publish('login', { user: {} as User });
    await settle();
    service.push(account('Bea'));
    await settle();
    expect(seen).toEqual(['Ann', 'Bea']);
    expect(service.asked).toHaveLength(2);
  });

  it('does not refresh an expired token, but waits until another request has', async () => {
    service.answer = () => problem('token_expired');
    stop();
    stop = followChanges({ baseUrl: 'https://id.example.com', send: service.send, events });
    await settle(60_000);
    const before = service.asked.length;
    service.answer = () => service.open();
    events.publish('refresh', {});
    await settle();
    expect(service.asked.slice(before)).toEqual(['/api/auth/me/stream']);
    expect(service.asked).not.toContain('/api/auth/refresh');
  });

  it('polls where a stream is not passed on, and reconnects after silence', async () => {
    await settle();
    service.answer = (path) =>
      path.endsWith('/stream') ? new Response('', { status: 504 }) : Response.json({ nickname: 'Polled' });
    await settle(45_000);
    expect(seen).toEqual(['Polled']);
    const attempt = ['/api/auth/me', '/api/auth/me/stream'];
    expect(service.asked).toEqual(['/api/auth/me/stream', ...attempt, ...attempt]);
  });

  it('reconnects soon after a stream that lived for long, however many attempts failed before', async () => {
    await settle();
    service.answer = () => new Response('', { status: 503 });
    service.fail();
    await settle(120_000);
    service.answer = (path) => (path.endsWith('/stream') ? service.open() : Response.json({ nickname: 'Ann' }));
    await settle(31_000);
    service.push(account('Ann'));
    await settle(31_000);
    service.push('event: heartbeat\ndata: {}\n\n');
    await settle();
    const before = service.asked.length;
    service.fail();
    await settle(1_500);
    expect(service.asked.slice(before)).toEqual(['/api/auth/me', '/api/auth/me/stream']);
  });

  it('pauses for longer each time where streams are cut after their first event', async () => {
    service.answer = (path) =>
      path.endsWith('/stream') ? new Response(account('Ann')) : Response.json({ nickname: 'Ann' });
    await settle();
    service.fail();
    await settle(63_500);
    expect(service.asked.filter((path) => path.endsWith('/stream'))).toHaveLength(7);
  });

  it('keeps one listener of the stop, however often it reconnects', async () => {
    stop();
    let signal: AbortSignal | undefined;
    const request = (_name: string, options: { signal: AbortSignal }, work: () => unknown): unknown => {
      signal = options.signal;
      return work();
    };
    const locks = { request } as unknown as Locks;
    service.answer = () => new Response('', { status: 503 });
    stop = followChanges({ baseUrl: 'https://id.example.com', send: service.send, events, locks });
    await settle(300_000);
    expect(service.asked.length).toBeGreaterThan(20);
    expect(getEventListeners(signal!, 'abort').length).toBeLessThanOrEqual(2);
  });
});
