import { Inject, Injectable, Logger } from '@nestjs/common';
import { membersOf } from '../../platform/util';
import { CastellanClientService } from './castellan-client.service';
import { REMOTE_IDENTITY_OPTIONS } from './remote-identity.options';
import type { RemoteIdentityOptions } from './remote-identity.options';
import { RemoteSessionsService } from './remote-sessions.service';
import { ServerSentEvent, serverSentEvents } from './server-sent-events';

/** Castellan sends a heartbeat each second. */
const SILENCE_MS = 3_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/**
 * Follows Castellan's changes over one stream for the process. The stream only shortens the second for which a session
 * is remembered: a lost or late event does no harm.
 */
@Injectable()
export class ChangeStreamService {
  private readonly log = new Logger('RemoteIdentity');
  private cookie: string | undefined;
  private connected = false;
  /** The log says so. */
  private wasLost = false;
  private pauseMs = FIRST_PAUSE_MS;

  constructor(
    private readonly castellan: CastellanClientService,
    private readonly sessions: RemoteSessionsService,
    @Inject(REMOTE_IDENTITY_OPTIONS) private readonly options: RemoteIdentityOptions,
  ) {}

  /** Whether changes are pushed now. */
  get isConnected(): boolean {
    return this.connected;
  }

  /** Name of the access cookie, which a setting of Castellan can change; undefined before the first event. */
  get accessCookie(): string | undefined {
    return this.cookie;
  }

  /** Follows until `stopping` is aborted, and connects again whenever the stream ends. */
  follow(stopping: AbortSignal): void {
    void this.followOnce(stopping).then((): void => {
      if (stopping.aborted) return;
      setTimeout(() => {
        this.follow(stopping);
      }, this.pauseMs).unref();
      this.pauseMs = Math.min(MAX_PAUSE_MS, this.pauseMs * 2);
    });
  }

  private async followOnce(stopping: AbortSignal): Promise<void> {
    // One controller: `AbortSignal.any` of Node.js 20 may be collected before it fires.
    const ending = new AbortController();
    const stop = (): void => {
      ending.abort();
    };
    const timer = setTimeout(() => {
      ending.abort(new Error(`No heartbeat for ${SILENCE_MS / 1_000} s`));
    }, SILENCE_MS).unref();
    stopping.addEventListener('abort', stop);
    try {
      const { signal } = ending;
      const { body } = await this.castellan.send({ method: 'GET', path: '/api/guard/stream', signal });
      if (!body) return;
      for await (const event of serverSentEvents(body)) {
        timer.refresh();
        this.take(event);
      }
    } catch (error) {
      if (!stopping.aborted && this.connected) {
        this.wasLost = true;
        this.log.warn(`The stream of changes is lost: ${String(error)}`);
      }
    } finally {
      clearTimeout(timer);
      stopping.removeEventListener('abort', stop);
      this.lose();
    }
  }

  /** Changes may have been missed. */
  private lose(): void {
    if (!this.connected) return;
    this.connected = false;
    this.sessions.dropAll();
  }

  private take({ type, data }: ServerSentEvent): void {
    const event = membersOf(JSON.parse(data));
    switch (type) {
      case 'heartbeat':
        this.beat(event);
        break;
      case 'change':
        this.drop(event);
        break;
      // A later version of Castellan may send more.
      default:
    }
  }

  private beat({ access_cookie: cookie }: Readonly<Record<string, unknown>>): void {
    if (typeof cookie === 'string') this.cookie = cookie;
    if (this.connected) return;
    this.connected = true;
    if (this.wasLost) this.log.log('The stream of changes is back');
    this.wasLost = false;
    this.pauseMs = FIRST_PAUSE_MS;
    // What changed before the stream began is unknown.
    this.sessions.dropAll();
  }

  private drop({ subjects, at }: Readonly<Record<string, unknown>>): void {
    if (Array.isArray(subjects)) this.sessions.drop(subjects.filter((subject) => typeof subject === 'string'));
    else this.sessions.dropAll();
    // The clocks differ: a negative age counts as 0.
    if (typeof at === 'string') this.options.onStaleness?.(Math.max(0, Date.now() - Date.parse(at)) / 1_000);
  }
}
