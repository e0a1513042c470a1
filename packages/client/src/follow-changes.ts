import type { EventHub } from './events';
import type { User } from './models';
import { problemOf } from './problem';
import type { Send } from './renewing-fetch';
import { readEvents } from './server-events';
import { type Locks, tabLocks } from './turn';

export interface FollowOptions {
  readonly baseUrl: string;
  readonly send: Send;
  readonly events: EventHub;
  readonly locks?: Locks;
}

const STREAM = '/api/auth/me/stream';
const ACCOUNT = '/api/auth/me';
/** The service sends a heartbeat every 15 seconds. */
const SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Why a stream ended: no user is logged in, the access token has expired, the service ended it, or anything else. */
type End = 'logged_out' | 'expired' | 'ended' | 'failed';

/** Follows the account of the logged-in user while the signal is not aborted. */
class Follower {
  private sent = '';
  private stream = new AbortController();
  /** Counts logins, refreshes and other sessions. */
  private uses = 0;
  private wake: (() => void) | undefined;
  /** In a row, without a stream between them that lived for long. */
  private failures = 0;

  constructor(
    private readonly options: FollowOptions,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<void> {
    const { events } = this.options;
    const stops = [
      events.on('login', this.restart),
      events.on('acting', this.restart),
      events.on('refresh', this.used),
    ];
    this.signal.addEventListener('abort', () => {
      this.stream.abort();
    });
    while (!this.signal.aborted) {
      const before = this.uses;
      const end = await this.follow();
      this.failures = end === 'failed' ? this.failures + 1 : 0;
      if (end === 'logged_out' || end === 'expired') await this.waitForUse(before);
      else if (end === 'failed') await this.pollLater();
    }
    for (const stop of stops) stop();
  }

  private readonly used = (): void => {
    this.uses += 1;
    this.wake?.();
  };

  /** The open stream belongs to the former session. */
  private readonly restart = (): void => {
    this.sent = '';
    this.used();
    this.stream.abort();
  };

  private async follow(): Promise<End> {
    const stream = new AbortController();
    this.stream = stream;
    try {
      const answer = await this.get(STREAM);
      if (!answer.ok || !answer.body) return await this.endOf(answer);
      const begun = performance.now();
      for await (const { type, data } of readEvents(answer.body, SILENCE_MS)) {
        // Not at the first event: a proxy may cut each stream after it.
        if (performance.now() - begun > LONGEST_PAUSE_MS) this.failures = 0;
        if (type === 'account') this.deliver(data);
        if (type === 'ended') return 'ended';
      }
    } catch {
      // As when the connection is closed.
    }
    return stream.signal.aborted ? 'ended' : 'failed';
  }

  /** Does not refresh the token: following the service must not keep an idle session alive. */
  private get(path: string): Promise<Response> {
    const { baseUrl, send } = this.options;
    return send(new URL(path, baseUrl), { method: 'GET', credentials: 'include', signal: this.stream.signal });
  }

  private async endOf(answer: Response): Promise<End> {
    const problem = answer.status === 401 ? await problemOf(answer) : undefined;
    if (problem?.code === 'token_expired') return 'expired';
    if (!problem) return 'failed';
    const { events } = this.options;
    // Other tabs know that no user was logged in.
    if (this.sent === '') events.emit('logout', { isOtherTab: false, problem });
    else events.publish('logout', { problem });
    this.sent = '';
    return 'logged_out';
  }

  private deliver(json: string): void {
    if (json === this.sent) return;
    this.sent = json;
    this.options.events.publish('change', { user: JSON.parse(json) as User });
  }

  /** Without a stream, as behind a proxy that does not pass it on, the account is polled. */
  private async pollLater(): Promise<void> {
    await this.pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.failures - 1)));
    if (this.signal.aborted) return;
    try {
      const answer = await this.get(ACCOUNT);
      if (answer.ok) this.deliver(await answer.text());
    } catch {
      // The next attempt follows.
    }
  }

  private pause(ms: number): Promise<void> {
    return this.untilAborted((resolve) => setTimeout(resolve, ms));
  }

  /** Waits for the next login or refresh of any tab, unless there was one meanwhile. */
  private async waitForUse(before: number): Promise<void> {
    if (this.uses > before) return;
    await this.untilAborted((resolve) => {
      this.wake = resolve;
    });
  }

  private untilAborted(start: (resolve: () => void) => unknown): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.signal.removeEventListener('abort', done);
        resolve();
      };
      if (this.signal.aborted) done();
      this.signal.addEventListener('abort', done);
      start(done);
    });
  }
}

/**
 * Follows the account of the logged-in user, and publishes its changes. Of the tabs of an origin one does it for all:
 * browsers limit the connections to an origin. The returned function stops it.
 */
export function followChanges({ locks = tabLocks(), ...options }: FollowOptions): () => void {
  const stop = new AbortController();
  const follower = new Follower(options, stop.signal);
  const run = (): Promise<void> => follower.run();
  // Rejects when stopped while another tab follows.
  const done = locks ? locks.request(`castellan.follow ${options.baseUrl}`, { signal: stop.signal }, run) : run();
  Promise.resolve(done).catch(() => undefined);
  return () => {
    stop.abort();
  };
}
