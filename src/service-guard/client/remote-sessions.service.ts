import { Injectable } from '@nestjs/common';
import { createLru } from '../../platform/cache/lru';
import { platformErrors } from '../../platform/errors';
import { MaybePromise } from '../../platform/util/maybe-promise';
import { CastellanClientService } from './castellan-client.service';
import { GuardedRoutesService } from './guarded-routes.service';
import type { Credentials } from './request-credentials';
import { CheckResponse, SessionView, sessionView } from './session-view';

/** No view is used longer, counted from the start of its request: so every change takes effect within this time. */
const MAX_AGE_MS = 1_000;
/** A view in use is replaced in the background from this age on, so that requests rarely wait. */
const RENEW_MS = 600;
const MAX_SESSIONS = 10_000;
/** Requests to Castellan at a time. More would only queue up there. */
const MAX_PENDING = 256;
/** Of these for one session, so that no user fills them for all. */
const MAX_PENDING_OF_SESSION = 4;
/** Organizations of one session. The view outside of organizations comes on top. */
const MAX_ORGANIZATIONS = 16;
const RETRY_AFTER_SECONDS = 1;

/** What a check is about. */
interface Subject {
  readonly credentials: Credentials;
  readonly organizationId: string | undefined;
}

interface Entry {
  readonly view: SessionView;
  /** By `performance.now()`, like the time below. */
  readonly renewFrom: number;
  readonly until: number;
}

interface Loading {
  readonly session: string;
  readonly view: Promise<SessionView>;
}

/** Copies the text: a part of a header would keep the whole header in memory. */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** What Castellan says about sessions, kept for at most a second and dropped when it reports a change. */
@Injectable()
export class RemoteSessionsService {
  /** By session, then by organization. */
  private readonly entries = createLru<Map<string, Entry>>(MAX_SESSIONS);
  private readonly pending = new Map<string, Loading>();

  constructor(
    private readonly castellan: CastellanClientService,
    private readonly routes: GuardedRoutesService,
  ) {}

  /**
   * Returns the view of the credentials, within the organization if one is named, at once if it is in memory. Errors:
   * `unavailable` if Castellan cannot be reached or rejects this service, or if too many views are being loaded, of all
   * sessions or of this one.
   */
  get(credentials: Credentials, organizationId?: string): MaybePromise<SessionView> {
    const subject = { credentials, organizationId };
    const session = sessionOf(credentials);
    const entry = this.entries.get(session)?.get(organizationId ?? '');
    const now = performance.now();
    if (!entry || now >= entry.until) return this.load(session, subject);
    // A failure is no matter yet: the view is good until it is a second old, and the next request asks again.
    if (now >= entry.renewFrom && this.hasRoom(session)) this.load(session, subject).catch(() => undefined);
    return entry.view;
  }

  /** Drops the views of these sessions and users. Views that are being loaded may already be outdated: none is kept. */
  drop(subjects: readonly string[]): void {
    const dropped = new Set(subjects);
    this.pending.clear();
    for (const [session, views] of this.entries.entries()) {
      for (const [organizationId, { view }] of views) {
        if (view.subjects.some((subject) => dropped.has(subject))) views.delete(organizationId);
      }
      if (views.size === 0) this.entries.delete(session);
    }
  }

  dropAll(): void {
    this.pending.clear();
    this.entries.clear();
  }

  private load(session: string, subject: Subject): Promise<SessionView> {
    const { organizationId = '' } = subject;
    const key = `${session} in ${organizationId}`;
    const running = this.pending.get(key);
    if (running) return running.view;
    if (!this.hasRoom(session)) throw platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS });
    const loading = { session: flat(session), view: this.request(subject) };
    this.pending.set(key, loading);
    void this.keep(key, organizationId, loading, performance.now());
    return loading.view;
  }

  private hasRoom(session: string): boolean {
    if (this.pending.size >= MAX_PENDING) return false;
    let ofSession = 0;
    for (const loading of this.pending.values()) if (loading.session === session) ofSession += 1;
    return ofSession < MAX_PENDING_OF_SESSION;
  }

  private async keep(key: string, organizationId: string, loading: Loading, from: number): Promise<void> {
    const view = await loading.view.catch(() => undefined);
    // A change was reported meanwhile: the view may be older than it.
    if (this.pending.get(key) !== loading) return;
    this.pending.delete(key);
    if (!view) return;
    const age = view.live ? Math.min(MAX_AGE_MS, view.expiresIn * 1_000) : MAX_AGE_MS;
    this.put(loading.session, flat(organizationId), { view, renewFrom: from + RENEW_MS, until: from + age });
  }

  /** Beyond the limit of a session, its oldest view makes room. */
  private put(session: string, organizationId: string, entry: Entry): void {
    const views = this.entries.get(session) ?? new Map<string, Entry>();
    views.delete(organizationId);
    views.set(organizationId, entry);
    for (const [oldest] of views) {
      if (views.size <= MAX_ORGANIZATIONS + 1) break;
      views.delete(oldest);
    }
    this.entries.set(session, views);
  }

  private async request({ credentials: { kind, tokens }, organizationId }: Subject): Promise<SessionView> {
    const shown = kind === 'assertion' ? { assertion: tokens[0] } : { tokens };
    const within = organizationId === undefined ? {} : { organization_id: organizationId };
    const body = { ...shown, ...within, acting: true, permissions: this.routes.permissions };
    try {
      const response = await this.castellan.call({ method: 'POST', path: '/api/guard/check', body });
      return sessionView(response as CheckResponse);
    } catch (error) {
      throw platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
    }
  }
}

/** An assertion in a cookie is no assertion, so the two never share a view. */
function sessionOf({ kind, tokens }: Credentials): string {
  const [only = ''] = tokens;
  if (kind === 'assertion') return `assertion ${only}`;
  return tokens.length === 1 ? only : tokens.join(' ');
}
